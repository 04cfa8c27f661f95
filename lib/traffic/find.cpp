// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/message_text.hpp>
#include <ositrace/query.hpp>
#include <ositrace/query_spans.hpp>

#include "lib/traffic/tables.hpp"

namespace ositrace::traffic {

namespace {

using FindKind = TrafficColumnKind;

constexpr std::array find_columns{
    TrafficColumn{"begin", FindKind::real, "s", "time of the first message in which the expression holds"},
    TrafficColumn{"end", FindKind::real, "s",
                  "time of the message after the last one; at the end of the trace that of the last one"},
    TrafficColumn{"duration", FindKind::real, "s", "end - begin"},
    TrafficColumn{"frame", FindKind::integer, "", "number of the first message in the trace"},
    TrafficColumn{"last_frame", FindKind::integer, "", "number of the last one"},
    TrafficColumn{"messages", FindKind::integer, "", "how many there are"},
    TrafficColumn{"object", FindKind::word, "",
                  "list of the object for which it holds, as moving_object; null: the message itself"},
    TrafficColumn{"id", FindKind::id, "", "of the object; null without one"},
    TrafficColumn{"object_path", FindKind::text, "", "path of the object in the first message"},
    TrafficColumn{
        "values", FindKind::text, "",
        "JSON: of each field that is compared the first value, and of numbers the least and the greatest, each "
        "with the time of its message"},
};
constexpr std::array find_options{
    TrafficOption{"expression", TrafficOption::Kind::text, "EXPRESSION", "",
                  "the expression, as in the window: moving_object.base.velocity.x < -4"},
};
constexpr std::array<std::string_view, 2> find_notes{
    "A row is a stretch of messages in which the expression holds for the same object, as the panel 'Find in time' of",
    "osiview lists them, in the order of their first messages."};
constexpr std::array<std::string_view, 3> find_examples{
    "find 'moving_object.base.velocity.x < -4' drive.osi",
    "find 'traffic_light[id=7].classification.color == COLOR_RED' drive.mcap -o red.csv",
    "find 'not has(host_vehicle_id)' recordings/ --json"};

Value borrowed_value(const QueryValue& value)
{
    return std::visit(
        [](const auto& each) -> Value {
            if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::string>)
                return std::string_view(each);
            else
                return each;
        },
        value);
}

/// When a value of a span was least, and when greatest.
struct ExtremeTimes {
    std::optional<Nanoseconds> least, most;
};

/// `times`: of each value of the span.
std::string json_of(const FoundSpan& span, const Query& query, std::span<const ExtremeTimes> times)
{
    ByteBuffer json;
    const auto put = [&](std::string_view text) { json.append(bytes_of(text)); };
    const auto put_time = [&](std::string_view name, const std::optional<Nanoseconds>& time) {
        static constexpr FieldRow seconds{.name = {}, .kind = FieldKind::double_};
        if (!time) return;
        put(name);
        static_cast<void>(append_json(static_cast<double>(time->count()) / 1e9, seconds, json));
    };
    static constexpr FieldRow text_row{.name = {}, .kind = FieldKind::string};
    put("{");
    for (const auto& value : span.values) {
        const auto& field = query.fields()[value.field];
        const auto& path = field.path;
        const auto* const row = field.row;
        const auto put_value = [&](std::string_view name, const Value& content) {
            put(name);
            if (std::holds_alternative<std::monostate>(content))
                put("null");
            else
                static_cast<void>(append_json(content, *row, json));
        };
        if (&value != &span.values.front()) put(", ");
        static_cast<void>(append_json(std::string_view(path), text_row, json));  // quotes it: it may be an expression
        put_value(": {\"first\": ", borrowed_value(value.first));
        if (value.least && row->kind != FieldKind::enumeration) {
            const auto& at = times[static_cast<std::size_t>(&value - span.values.data())];
            put_value(", \"least\": ", *value.least);
            put_time(", \"least_time\": ", at.least);
            put_value(", \"greatest\": ", *value.most);
            put_time(", \"greatest_time\": ", at.most);
        }
        put("}");
    }
    put("}");
    return std::string(text_of(json.bytes()));
}

/// A message of the channel.
struct Moment {
    std::uint64_t frame = 0;
    std::optional<Nanoseconds> time;
};

std::optional<double> seconds_between(const std::optional<Nanoseconds>& from, const std::optional<Nanoseconds>& to)
{
    return from && to ? std::optional(static_cast<double>((*to - *from).count()) / 1e9) : std::nullopt;
}

class Find final : public TrafficTable {
public:
    explicit Find(const TrafficOptions& options) : expression_(options.text("expression").value_or(""))
    {
        if (expression_.empty()) throw Error(Cause::usage, "find needs an expression");
    }

    void add(const Frame& frame, const Channel& channel, TrafficRowSink& rows) override
    {
        if (!evaluator_) compile(channel);
        const auto time = frame.time ? frame.time : time_in_range_of(frame, channel);
        now_ = {frame.index, time ? time : frame.log_time};
        QueryHit hit{number_, now_.time, {}, false};
        if (evaluator_->find({frame.bytes, *channel.root, channel.format}, hit.matches)) {
            if (evaluator_->has_more()) ++cut_;
            spans_.add(hit);
            take_changed();
        }
        end_before(number_++);
        put_ended(rows);
    }

    void finish(TrafficRowSink& rows) override
    {
        for (auto& each : pending_)
            if (!each.end) each.end = now_;
        put_ended(rows);
    }

    [[nodiscard]] std::vector<std::string> notes() const override
    {
        if (cut_ == 0) return {};
        return {"the expression holds for more than " + std::to_string(QueryEvaluator::max_matches) + " objects in " +
                std::to_string(cut_) + " messages: not all of them are listed"};
    }

private:
    struct Pending {
        FoundSpan span;
        Moment begin, last;
        std::optional<Moment> end;
        std::vector<ExtremeTimes> extremes;  ///< of each value
    };

    void compile(const Channel& channel)
    {
        schema_ = channel.schema;
        try {
            query_ = Query::compile(expression_, *channel.root);
        } catch (const Error& error) {
            // Its offset is a place in the expression.
            throw Error(error.cause(), expression_ + ": " + error.reason());
        }
        evaluator_.emplace(*query_);
    }

    void take_changed()
    {
        for (auto& [place, span] : spans_.take_changed()) {
            const auto at = place - emitted_;
            if (place < emitted_) continue;
            if (at >= pending_.size()) {
                pending_.resize(at + 1);
                pending_[at].begin = now_;
                open_.push_back(place);
            }
            if (span.last == number_) pending_[at].last = now_;
            auto& extremes = pending_[at].extremes;
            extremes.resize(span.values.size());
            for (std::size_t i = 0; i != extremes.size(); ++i) {
                if (span.values[i].least_at == number_) extremes[i].least = now_.time;
                if (span.values[i].most_at == number_) extremes[i].most = now_.time;
            }
            pending_[at].span = std::move(span);
        }
    }

    /// Spans that have no message `number` end there.
    void end_before(std::uint64_t number)
    {
        std::erase_if(open_, [&](std::size_t place) {
            auto& each = pending_[place - emitted_];
            if (each.span.last == number) return false;
            each.end = now_;
            return true;
        });
    }

    void put_ended(TrafficRowSink& rows)
    {
        while (!pending_.empty() && pending_.front().end) {
            put(pending_.front(), rows);
            pending_.pop_front();
            ++emitted_;
        }
    }

    void put(const Pending& row, TrafficRowSink& rows) const
    {
        const auto& span = row.span;
        const auto seconds = [](const Moment& moment) { return cell_of(seconds_between(Nanoseconds(0), moment.time)); };
        const auto text = [](std::string_view of) { return of.empty() ? TrafficCell() : TrafficCell(of); };
        const auto values = json_of(span, *query_, row.extremes);
        rows.add(std::array<TrafficCell, find_columns.size()>{
            seconds(row.begin), seconds(*row.end), cell_of(seconds_between(row.begin.time, row.end->time)),
            static_cast<std::int64_t>(row.begin.frame), static_cast<std::int64_t>(row.last.frame),
            static_cast<std::int64_t>(span.messages()), text(span.list), cell_of(span.id), text(span.path),
            std::string_view(values)});
    }

    std::string expression_;
    std::shared_ptr<const Schema> schema_;
    std::optional<Query> query_;
    std::optional<QueryEvaluator> evaluator_;
    SpanBuilder spans_{SIZE_MAX};
    std::deque<Pending> pending_;    ///< in the order of their first messages: they wait for those before them
    std::vector<std::size_t> open_;  ///< places of those that have not ended
    std::size_t emitted_ = 0;
    std::uint64_t number_ = 0, cut_ = 0;
    Moment now_;
};

}  // namespace

const TrafficTableRow find_table{
    .name = "find",
    .summary = "list when an expression holds, and for which objects",
    .columns = find_columns,
    .options = find_options,
    .operand = "expression",
    .reads = [](const Channel& channel) { return channel.root != nullptr; },
    .create = [](const TrafficOptions& options) -> std::unique_ptr<TrafficTable> {
        return std::make_unique<Find>(options);
    },
    .notes = find_notes,
    .examples = find_examples,
};

}  // namespace ositrace::traffic
