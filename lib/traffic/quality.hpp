// SPDX-License-Identifier: MPL-2.0
// How well the objects of a channel are recorded: gaps, duplicates, jumps, changes, fields that are missing.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <ositrace/traffic_frame.hpp>

namespace ositrace::traffic {

struct QualityOptions {
    double jump = 1;      ///< m: a position further from where the velocity leads is a jump
    double size = 0.001;  ///< m: a greater difference is a change of the size
};

struct ObjectQuality {
    std::uint64_t id = 0;
    int type = 0;  ///< the first one that is known
    std::string_view name;
    Nanoseconds first{}, last{};
    std::uint64_t frames = 0;             ///< with the object
    std::uint64_t frames_of_channel = 0;  ///< from the first to the last of them
    std::uint64_t gaps = 0;
    std::uint64_t duplicates = 0;  ///< further objects with the id in one frame
    std::uint64_t jumps = 0;
    std::optional<double> greatest_jump;  ///< m from where the velocity leads
    std::optional<Nanoseconds> greatest_jump_time;
    std::uint64_t type_changes = 0, size_changes = 0;
    std::optional<std::uint64_t> becomes;  ///< the id under which it goes on in the frame after its last one
    std::uint64_t without_type = 0, without_size = 0, without_velocity = 0, without_acceleration = 0, without_lane = 0;
};

/// One channel; frames come in order. Memory: a row for each object.
class QualityCounter {
public:
    explicit QualityCounter(const QualityOptions& options) : options_(options) {}
    void add(const TrafficFrame& frame);
    /// In the order of ids.
    [[nodiscard]] std::vector<ObjectQuality> rows() const;
    [[nodiscard]] std::uint64_t without_position() const noexcept { return without_position_; }

private:
    struct State {
        ObjectQuality quality;
        TrafficObject object;
        std::uint64_t frame = 0;  ///< of the channel, in which it was last
        std::uint64_t first_frame = 0;
    };
    void add(const TrafficObject& object, const TrafficFrame& frame);
    void follow(State& state, const TrafficObject& object, Nanoseconds time) const;
    void find_successors();

    QualityOptions options_;
    std::unordered_map<std::uint64_t, State> states_;
    std::vector<std::uint64_t> present_, appeared_;
    std::uint64_t frame_ = 0;
    std::uint64_t without_position_ = 0;
    Nanoseconds time_{};
};

}  // namespace ositrace::traffic
