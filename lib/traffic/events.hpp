// SPDX-License-Identifier: MPL-2.0
// Events: what happens in traffic, from moment to moment. The definitions are those of docs/events.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/traffic/moment.hpp"

namespace ositrace::traffic {

enum class EventKind : std::uint8_t {
    standstill,
    hard_braking,
    hard_acceleration,
    lane_change,
    lane_departure,
    cut_in,
    cut_out,
    overtaking,
    red_light_passed,
    collision,
    appears,
    vanishes,
    gap,
};
inline constexpr std::size_t event_kind_count = 13;

struct EventKindRow {
    std::string_view name;   ///< in tables
    std::string_view value;  ///< what Event::value is; empty: it has none
    std::string_view unit;
};
[[nodiscard]] const EventKindRow& row_of(EventKind kind) noexcept;

/// Thresholds.
struct EventOptions {
    double standstill_speed = 0.1;   ///< m/s
    double standstill_time = 1;      ///< s, at least
    double braking = 5;              ///< m/s^2: harder is hard
    double acceleration = 4;         ///< m/s^2
    double acceleration_time = 0.1;  ///< s, at least, of hard braking and acceleration
    double departure = 0.1;          ///< m beyond the marking, at least
    double intrusion = 0.3;          ///< m beyond the marking: the front wheel of an object that cuts in
    double cut_in_distance = 100;    ///< m: the greatest clearance
    double visible_time = 0.72;      ///< s, at least, of the lateral movement
    double cut_in_deceleration = 6;  ///< m/s^2
    double cut_in_reaction = 0.35;   ///< s
    double overtaking_distance = 4;  ///< m: the greatest lateral distance of the sides
};

struct Event {
    EventKind kind = EventKind::standstill;
    Nanoseconds begin{}, end{};
    std::uint64_t frame = 0;  ///< the first one at or after `begin`
    std::uint64_t object = 0;
    std::optional<std::uint64_t> other;
    std::optional<double> value;
    std::optional<Nanoseconds> value_time;
    std::string_view source;  ///< of the evidence
    // Of cut-in and cut-out.
    std::optional<double> clearance;     ///< m
    std::optional<double> ttc;           ///< s
    std::optional<bool> visible;         ///< for EventOptions::visible_time
    std::optional<bool> ttc_sufficient;  ///< ttc > closing speed / (2 * cut_in_deceleration) + cut_in_reaction

    friend bool operator==(const Event&, const Event&) = default;
};

/// Finds the events of some kinds. One thread at a time.
class EventDetector {
public:
    virtual ~EventDetector() = default;
    /// Appends what has ended. Moments come in the order of time.
    virtual void step(const TrafficMoment& moment, std::vector<Event>& events) = 0;
    /// After the last moment: appends what has not ended.
    virtual void finish(std::vector<Event>& events) = 0;

protected:
    EventDetector() = default;
    EventDetector(const EventDetector&) = default;
    EventDetector& operator=(const EventDetector&) = default;
};

[[nodiscard]] std::unique_ptr<EventDetector> motion_events(const EventOptions& options);
[[nodiscard]] std::unique_ptr<EventDetector> lane_events(const EventOptions& options);
[[nodiscard]] std::unique_ptr<EventDetector> pair_events(const EventOptions& options);
[[nodiscard]] std::unique_ptr<EventDetector> light_events(const EventOptions& options);
[[nodiscard]] std::unique_ptr<EventDetector> presence_events(const EventOptions& options);

/// All events of a trace. Memory: the events, and a second of the motion of every object.
class EventFinder {
public:
    explicit EventFinder(const EventOptions& options);
    void step(const TrafficMoment& moment);
    /// All events, by begin, object, kind and other. Call once, after the last moment.
    [[nodiscard]] std::vector<Event> finish();

private:
    std::vector<std::unique_ptr<EventDetector>> detectors_;
    std::vector<Event> events_;
};

}  // namespace ositrace::traffic
