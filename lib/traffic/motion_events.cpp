// SPDX-License-Identifier: MPL-2.0
// Standstill, hard braking, hard acceleration: stretches of time in which a number is beyond a threshold.
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/traffic/events.hpp"

namespace ositrace::traffic {

namespace {

/// A number of an object that holds from `since` to `until`.
struct Measured {
    double value = 0;
    Nanoseconds since{}, until{};
    std::string_view source;
};

constexpr std::array<std::string_view, 3> velocity_sources{"velocity", "velocity", "position"};
constexpr std::array<std::string_view, 3> acceleration_sources{"acceleration", "velocity", "position"};

std::optional<Measured> speed_of(const Actor& actor, const TrafficMoment& moment)
{
    const auto& motion = actor.motion;
    if (!motion.velocity) return std::nullopt;
    return Measured{-motion.speed, moment.time, moment.time,
                    velocity_sources[static_cast<std::size_t>(motion.velocity_source)]};
}

std::optional<Measured> acceleration_of(const Actor& actor, double sign)
{
    const auto& motion = actor.motion;
    if (!motion.acceleration) return std::nullopt;
    return Measured{sign * *motion.acceleration, motion.acceleration_since, motion.acceleration_until,
                    acceleration_sources[static_cast<std::size_t>(motion.acceleration_source)]};
}

/// A kind of stretch: the number, counted so that more is more, is at least the threshold.
struct StretchRow {
    EventKind kind;
    std::optional<Measured> (*measure)(const Actor&, const TrafficMoment&);
    double EventOptions::* threshold;
    double sign;  ///< of the number as the table has it
    double EventOptions::* least_time;
    bool has_value;
};
constexpr std::array stretch_rows{
    StretchRow{EventKind::standstill, speed_of, &EventOptions::standstill_speed, -1, &EventOptions::standstill_time,
               false},
    StretchRow{EventKind::hard_braking,
               [](const Actor& actor, const TrafficMoment&) { return acceleration_of(actor, -1); },
               &EventOptions::braking, -1, &EventOptions::acceleration_time, true},
    StretchRow{EventKind::hard_acceleration,
               [](const Actor& actor, const TrafficMoment&) { return acceleration_of(actor, 1); },
               &EventOptions::acceleration, 1, &EventOptions::acceleration_time, true},
};

/// Times are nanoseconds, thresholds are decimal fractions of seconds.
constexpr double rounding = 1e-6;  // s

class MotionEvents final : public EventDetector {
public:
    explicit MotionEvents(const EventOptions& options) : options_(options) {}

    void step(const TrafficMoment& moment, std::vector<Event>& events) override
    {
        for (const auto& actor : moment.actors) {
            if (runs_.size() <= actor.slot) runs_.resize(actor.slot + 1);
            for (std::size_t i = 0; i != stretch_rows.size(); ++i) {
                auto& run = runs_[actor.slot][i];
                if (run && !actor.continues) close(run, stretch_rows[i], events);
                follow(run, stretch_rows[i], actor, moment, events);
            }
        }
    }

    void finish(std::vector<Event>& events) override
    {
        for (auto& of_object : runs_)
            for (std::size_t i = 0; i != stretch_rows.size(); ++i)
                if (of_object[i]) close(of_object[i], stretch_rows[i], events);
    }

private:
    using Run = std::optional<Event>;

    void follow(Run& run, const StretchRow& row, const Actor& actor, const TrafficMoment& moment,
                std::vector<Event>& events)
    {
        const auto measured = row.measure(actor, moment);
        const double threshold = options_.*row.threshold;
        // Of standstill the threshold is the greatest speed, and the number is the negative speed.
        const bool holds = measured && measured->value >= (row.kind == EventKind::standstill ? -threshold : threshold);
        if (!holds) {
            if (run) close(run, row, events);
            return;
        }
        if (!run)
            run = Event{.kind = row.kind,
                        .begin = measured->since,
                        .end = {},
                        .frame = moment.frame,
                        .object = actor.mover.id,
                        .other = {},
                        .value = {},
                        .value_time = {},
                        .source = measured->source,
                        .clearance = {},
                        .ttc = {},
                        .visible = {},
                        .ttc_sufficient = {}};
        run->end = measured->until;
        const double value = row.sign * measured->value;
        if (row.has_value && (!run->value || row.sign * *run->value < measured->value)) {
            run->value = value;
            run->value_time = measured->until;
        }
    }

    void close(Run& run, const StretchRow& row, std::vector<Event>& events) const
    {
        if (seconds(run->end - run->begin) >= options_.*row.least_time - rounding) events.push_back(*run);
        run.reset();
    }

    EventOptions options_;
    std::vector<std::array<Run, stretch_rows.size()>> runs_;
};

}  // namespace

std::unique_ptr<EventDetector> motion_events(const EventOptions& options)
{
    return std::make_unique<MotionEvents>(options);
}

}  // namespace ositrace::traffic
