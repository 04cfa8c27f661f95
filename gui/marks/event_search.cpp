// SPDX-License-Identifier: MPL-2.0
#include "gui/marks/event_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <QStringList>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/traffic_events.hpp>
#include <ositrace/traffic_table.hpp>

#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

const TrafficTableRow& events_row() { return *find_traffic_table("events"); }

/// Makes marks of the rows of the table.
class EventMarks final : public TrafficRowSink {
public:
    explicit EventMarks(std::vector<TimelineMark>& marks) : marks_(marks) {}

    void add_time(Nanoseconds time) { times_.push_back(time); }

    void add(std::span<const TrafficCell> row) override
    {
        if (marks_.size() == FoundEvents::most) return void(++left_out_);
        const auto kind = get<std::string_view>(row, "kind").value_or("");
        TimelineMark mark;
        mark.kind = MarkKind::event;
        mark.severity = Severity::info;
        mark.name = visible_text(kind, shown_characters).replace(QLatin1Char('_'), QLatin1Char(' '));
        mark.object = get<std::uint64_t>(row, is_by_other(kind) ? "other" : "object");
        mark.text = sentence(kind, who(row, "object", "name"), who(row, "other", "other_name"));
        if (const auto value = get<double>(row, "value")) {
            const auto what = value_of_event(kind);
            mark.text += QStringLiteral(": %1 %2 %3")
                             .arg(text_of(what.name), rounded_text(*value, 3),
                                  text_of(what.unit).replace(QLatin1String("^2"), QChar(0xb2)));
        }
        if (const auto ttc = get<double>(row, "ttc"))
            mark.text += EventSearch::tr(", ttc %1 s").arg(rounded_text(*ttc, 3));
        const auto begin = get<double>(row, "begin").value_or(0);
        const auto end = get<double>(row, "end").value_or(begin);
        mark.time = time_of(begin);
        if (end > begin) mark.until = time_of(end);
        marks_.push_back(std::move(mark));
    }
    [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

private:
    static QString text_of(std::string_view text) { return visible_text(text, shown_characters); }

    /// The other one does it, right before the object.
    static bool is_by_other(std::string_view kind) { return kind == "cut_in" || kind == "cut_out"; }

    /// Who does what: of a cut-in the other one, and the object is its subject.
    static QString sentence(std::string_view kind, const QString& object, const QString& other)
    {
        if (other.isEmpty()) return EventSearch::tr("object %1").arg(object);
        const auto text = kind == "cut_in"             ? EventSearch::tr("object %2 cuts in before object %1")
                          : kind == "cut_out"          ? EventSearch::tr("object %2 leaves the lane before object %1")
                          : kind == "overtaking"       ? EventSearch::tr("object %1 overtakes object %2")
                          : kind == "red_light_passed" ? EventSearch::tr("object %1, light %2")
                                                       : EventSearch::tr("object %1 and object %2");
        return text.arg(object, other);
    }

    template <class T>
    static std::optional<T> get(std::span<const TrafficCell> row, std::string_view column)
    {
        const auto columns = events_row().columns;
        const auto place = std::ranges::find(columns, column, &TrafficColumn::name) - columns.begin();
        const auto* const value = std::get_if<T>(&row[static_cast<std::size_t>(place)]);
        return value == nullptr ? std::nullopt : std::optional(*value);
    }
    /// `7 (Ego)`
    static QString who(std::span<const TrafficCell> row, std::string_view id, std::string_view name)
    {
        const auto number = get<std::uint64_t>(row, id);
        if (!number) return {};
        const auto word = get<std::string_view>(row, name);
        return word ? QStringLiteral("%1 (%2)").arg(*number).arg(text_of(*word)) : QString::number(*number);
    }
    /// Seconds since 1970 are exact to a microsecond: a message within it is the one that the row means.
    [[nodiscard]] Nanoseconds time_of(double seconds) const
    {
        constexpr Nanoseconds rounding = std::chrono::microseconds(1);
        constexpr double most = 9.2e18;
        const Nanoseconds time(static_cast<Nanoseconds::rep>(std::llround(std::clamp(seconds * 1e9, -most, most))));
        const auto near = std::ranges::lower_bound(times_, time - rounding);
        return near != times_.end() && *near <= time + rounding ? *near : time;
    }

    std::vector<TimelineMark>& marks_;
    std::vector<Nanoseconds> times_;  ///< of the messages, ascending
    std::uint64_t left_out_ = 0;
};

/// Message `number`; empty: the channel has fewer.
std::optional<Frame> message_of(const OpenChannel& channel, std::uint64_t number)
try {
    return channel.trace->frame(channel.in_trace, number);
} catch (const Error& error) {
    if (error.cause() != Cause::usage) throw;
    return std::nullopt;
}

}  // namespace

bool has_events(const OpenChannel& channel)
{
    return channel.channel->root != nullptr && events_row().reads(*channel.channel);
}

TrafficOptions event_options() { return TrafficOptions(events_row().options); }

FoundEvents events_of(const OpenChannel& channel, const TrafficOptions& options,
                      const std::function<void(std::uint64_t)>& report, const std::stop_token& stop)
{
    FoundEvents found;
    EventMarks rows(found.marks);
    const auto table = events_row().create(options);
    Nanoseconds last = Nanoseconds::min();
    try {
        for (auto number = channel.trace->first_frame(channel.in_trace); !stop.stop_requested(); ++number) {
            const auto frame = message_of(channel, number);
            if (!frame) break;
            try {
                table->add(*frame, *channel.channel, rows);
            } catch (const Error& error) {
                throw within_frame(error, *frame, channel.trace->info().file);
            }
            if (const auto time = frame->known_time(); time && *time > last) rows.add_time(last = *time);
            if (report) report(number + 1);
        }
    } catch (const std::exception& error) {
        found.problem = QString::fromUtf8(error.what());
    }
    if (stop.stop_requested()) return found;
    table->finish(rows);
    QStringList problems;
    if (!found.problem.isEmpty()) problems += found.problem;
    for (const auto& note : table->notes()) problems += QString::fromStdString(note);
    if (rows.left_out() != 0)
        problems += EventSearch::tr("%1 more events are left out").arg(count_text(rows.left_out()));
    found.problem = problems.join(QStringLiteral("; "));
    return found;
}

void EventSearch::start(OpenChannel channel, TrafficOptions options)
{
    thread_.start([this, channel = std::move(channel), options = std::move(options)](const LatestThread::Post& post,
                                                                                     const std::stop_token& stop) {
        using Clock = std::chrono::steady_clock;
        constexpr auto interval = std::chrono::milliseconds(200);
        auto next = Clock::now() + interval;
        const auto report = [&](std::uint64_t messages) {
            if (Clock::now() < next) return;
            next = Clock::now() + interval;
            post([this, messages] { emit progressed(messages); });
        };
        FoundEvents found;
        try {
            found = events_of(channel, options, report, stop);
        } catch (const std::exception& error) {  // out of memory
            found = {.marks = {}, .problem = QString::fromUtf8(error.what())};
        }
        post([this, found = std::make_shared<const FoundEvents>(std::move(found))] { emit finished(found); });
    });
}

}  // namespace ositrace::gui
