// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <unordered_map>

#include "lib/traffic/events.hpp"
#include "lib/traffic/moment_builder.hpp"
#include "lib/traffic/subject.hpp"
#include "lib/traffic/tables.hpp"

namespace ositrace::traffic {

namespace {

using Kind = TrafficColumnKind;

constexpr std::array event_columns{
    TrafficColumn{"frame", Kind::integer, "", "number of the first frame at or after `begin`"},
    TrafficColumn{"begin", Kind::real, "s", "OSI time at which it begins"},
    TrafficColumn{"end", Kind::real, "s", "at which it ends"},
    TrafficColumn{"duration", Kind::real, "s", "`end` - `begin`"},
    TrafficColumn{"kind", Kind::word, "", "what happens"},
    TrafficColumn{"object", Kind::id, "", "id of the object that does it; of a cut-in the one that is cut in on"},
    TrafficColumn{"name", Kind::word, "", "its name in the scenario"},
    TrafficColumn{"other", Kind::id, "", "id of the other object, or of the traffic light"},
    TrafficColumn{"other_name", Kind::word, "", "its name in the scenario"},
    TrafficColumn{"value", Kind::real, "", "the extreme value of the kind"},
    TrafficColumn{"value_time", Kind::real, "s", "when it has this value"},
    TrafficColumn{"source", Kind::word, "", "what shows it"},
    TrafficColumn{"clearance", Kind::real, "m",
                  "cut-in, cut-out: from the front of the object to the rear of the other"},
    TrafficColumn{"ttc", Kind::real, "s", "cut-in, cut-out: clearance / closing speed; null if it does not close"},
    TrafficColumn{"visible", Kind::flag, "", "cut-in: the lateral movement was visible long enough before"},
    TrafficColumn{"ttc_sufficient", Kind::flag, "",
                  "cut-in: ttc > closing speed / (2 * deceleration) + reaction time; null without ttc"},
};

/// A threshold: its option and where it is.
struct ThresholdRow {
    TrafficOption option;
    double EventOptions::* threshold;
};
constexpr auto number = TrafficOption::Kind::number;
constexpr std::array threshold_rows{
    ThresholdRow{{"standstill-speed", number, "M/S", "0.1", "standstill: this speed or less"},
                 &EventOptions::standstill_speed},
    ThresholdRow{{"standstill-time", number, "S", "1", "standstill: for at least this time"},
                 &EventOptions::standstill_time},
    ThresholdRow{{"braking", number, "M/S2", "5", "hard braking: this deceleration or more"}, &EventOptions::braking},
    ThresholdRow{{"acceleration", number, "M/S2", "4", "hard acceleration: this acceleration or more"},
                 &EventOptions::acceleration},
    ThresholdRow{{"acceleration-time", number, "S", "0.1", "hard braking and acceleration: for at least this time"},
                 &EventOptions::acceleration_time},
    ThresholdRow{{"departure", number, "M", "0.1", "lane departure: a wheel so far beyond the marking"},
                 &EventOptions::departure},
    ThresholdRow{{"intrusion", number, "M", "0.3", "cut-in: the front wheel so far beyond the marking"},
                 &EventOptions::intrusion},
    ThresholdRow{{"cut-in-distance", number, "M", "100", "cut-in and cut-out: this clearance or less"},
                 &EventOptions::cut_in_distance},
    ThresholdRow{{"visible-time", number, "S", "0.72", "cut-in: lateral movement visible for this time"},
                 &EventOptions::visible_time},
    ThresholdRow{{"cut-in-deceleration", number, "M/S2", "6", "cut-in: deceleration that answers it"},
                 &EventOptions::cut_in_deceleration},
    ThresholdRow{{"cut-in-reaction", number, "S", "0.35", "cut-in: time until the deceleration"},
                 &EventOptions::cut_in_reaction},
    ThresholdRow{{"overtaking-distance", number, "M", "4", "overtaking: sides within this lateral distance"},
                 &EventOptions::overtaking_distance},
};
constexpr TrafficOption host_option{"host", TrafficOption::Kind::text, "ID|NAME", "",
                                    "whom cut-in, cut-out and overtaking are about; default: the host vehicle, or all"};
constexpr auto event_options = [] {
    std::array<TrafficOption, threshold_rows.size() + 1> options{};
    options[0] = host_option;
    for (std::size_t i = 0; i != threshold_rows.size(); ++i) options[i + 1] = threshold_rows[i].option;
    return options;
}();
constexpr std::array<std::string_view, 3> event_examples{
    "osiconvert events trace.osi",
    "osiconvert events --braking 3.5 --host Ego traces/*.mcap -o events.csv",
    "osiconvert events --json trace.osi",
};

EventOptions thresholds_of(const TrafficOptions& options)
{
    EventOptions thresholds;
    for (const auto& row : threshold_rows) thresholds.*row.threshold = options.number(row.option.name);
    return thresholds;
}

class EventsTable final : public TrafficMotionTable {
public:
    explicit EventsTable(const TrafficOptions& options)
        : TrafficMotionTable(MomentBuilder::needs), subject_(options.text("host")), finder_(thresholds_of(options))
    {
    }

    void finish(TrafficRowSink& rows) override
    {
        subject_.check_found();
        for (const auto& event : finder_.finish()) {
            const bool other_is_object = event.kind != EventKind::red_light_passed;
            rows.add(std::array<TrafficCell, event_columns.size()>{
                static_cast<std::int64_t>(event.frame), seconds(event.begin), seconds(event.end),
                seconds(event.end - event.begin), row_of(event.kind).name, event.object, name_of(event.object),
                cell_of(event.other), event.other && other_is_object ? name_of(*event.other) : TrafficCell(),
                cell_of(event.value), event.value_time ? TrafficCell(seconds(*event.value_time)) : TrafficCell(),
                event.source, cell_of(event.clearance), cell_of(event.ttc), cell_of(event.visible),
                cell_of(event.ttc_sufficient)});
        }
    }

    [[nodiscard]] std::vector<std::string> notes() const override
    {
        std::vector<std::string> notes;
        if (skipped_ != 0)
            notes.push_back(std::to_string(skipped_) + " frames without a time after that before are left out");
        return notes;
    }

protected:
    void add_rows(const TrafficFrame& frame, TrafficRowSink& /*rows*/) override
    {
        for (const auto& object : frame.objects)
            if (!object.name.empty()) names_.try_emplace(object.id, object.name);
        const auto place = subject_.in(frame);
        const auto subject = place ? std::optional(frame.objects[*place].id) : std::nullopt;
        const auto* const moment = moments_.next(frame, subject, !subject && subject_.is_wanted(frame));
        if (moment == nullptr) {
            ++skipped_;
            return;
        }
        finder_.step(*moment);
    }

private:
    [[nodiscard]] TrafficCell name_of(std::uint64_t id) const
    {
        const auto found = names_.find(id);
        return found == names_.end() ? TrafficCell() : TrafficCell(found->second);
    }

    Subject subject_;
    MomentBuilder moments_;
    EventFinder finder_;
    std::unordered_map<std::uint64_t, std::string_view> names_;
    std::size_t skipped_ = 0;
};

}  // namespace

const TrafficTableRow events_table{
    .name = "events",
    .summary = "lane changes, cut-ins, hard braking, collisions and other events, as a table",
    .columns = event_columns,
    .options = event_options,
    .reads = TrafficReader::reads,
    .create = [](const TrafficOptions& options) -> std::unique_ptr<TrafficTable> {
        return std::make_unique<EventsTable>(options);
    },
    .examples = event_examples,
};

}  // namespace ositrace::traffic
