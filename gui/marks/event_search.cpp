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

/// Makes marks of the rows of the table.
class EventMarks final : public TrafficRowSink {
public:
    EventMarks(std::vector<TimelineMark>& marks, const TimesRead& times) : marks_(marks), times_(times) {}

    void add(std::span<const TrafficCell> row) override
    {
        if (marks_.size() == FoundEvents::most) return void(++left_out_);
        const auto kind = event_value<std::string_view>(row, "kind").value_or("");
        TimelineMark mark;
        mark.kind = MarkKind::event;
        mark.severity = Severity::info;
        mark.name = visible_text(kind, shown_characters).replace(QLatin1Char('_'), QLatin1Char(' '));
        mark.object = event_value<std::uint64_t>(row, is_by_other(kind) ? "other" : "object");
        mark.text = sentence(kind, who_of_event(row, "object", "name"), who_of_event(row, "other", "other_name"));
        if (const auto value = event_value<double>(row, "value")) {
            const auto what = value_of_event(kind);
            mark.text += QStringLiteral(": %1 %2 %3")
                             .arg(text_of(what.name), rounded_text(*value, 3),
                                  text_of(what.unit).replace(QLatin1String("^2"), QChar(0xb2)));
        }
        if (const auto ttc = event_value<double>(row, "ttc"))
            mark.text += EventSearch::tr(", ttc %1 s").arg(rounded_text(*ttc, 3));
        const auto begin = event_value<double>(row, "begin").value_or(0);
        const auto end = event_value<double>(row, "end").value_or(begin);
        mark.time = times_.of(begin);
        if (end > begin) mark.until = times_.of(end);
        if (const auto peak = event_value<double>(row, "value_time"); peak && has_peak(kind))
            mark.peak = times_.of(*peak);
        marks_.push_back(std::move(mark));
    }
    [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

private:
    static QString text_of(std::string_view text) { return visible_text(text, shown_characters); }

    /// The other one does it, right before the object.
    static bool is_by_other(std::string_view kind) { return kind == "cut_in" || kind == "cut_out"; }

    /// Is the value the greatest one of a stretch of time?
    static bool has_peak(std::string_view kind)
    {
        return kind == "hard_braking" || kind == "hard_acceleration" || kind == "lane_departure";
    }

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

    std::vector<TimelineMark>& marks_;
    const TimesRead& times_;
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
    TimesRead times;
    EventMarks rows(found.marks, times);
    const auto table = events_row().create(options);
    HighlightFinder highlights(*channel.channel);
    try {
        for (auto number = channel.trace->first_frame(channel.in_trace); !stop.stop_requested(); ++number) {
            const auto frame = message_of(channel, number);
            if (!frame) break;
            try {
                table->add(*frame, *channel.channel, rows);
                highlights.add(*frame, *channel.channel);
            } catch (const Error& error) {
                throw within_frame(error, *frame, channel.trace->info().file);
            }
            times.add(frame->known_time());
            if (report) report(number + 1);
        }
    } catch (const std::exception& error) {
        found.problem = QString::fromUtf8(error.what());
    }
    if (stop.stop_requested()) return found;
    table->finish(rows);
    found.highlights = highlights.finish(times);
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
