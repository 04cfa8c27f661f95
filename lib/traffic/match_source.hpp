// SPDX-License-Identifier: MPL-2.0
// Detections against ground truth, message by message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ositrace/compare_objects.hpp>
#include <ositrace/traffic_table.hpp>

namespace ositrace::traffic {

/// A SensorData against the ground truth nearest to the time of its measurement.
struct MatchedMoment {
    std::uint64_t frame = 0;          ///< Frame::index of the SensorData
    std::optional<Nanoseconds> time;  ///< of the SensorData
    std::optional<Nanoseconds> measured, truth;
    const ObjectComparison& compared;
};

[[nodiscard]] std::span<const TrafficOption> match_options() noexcept;

/// Pairs the messages of a SensorData channel with ground truths: that of its own sensor_view, else the nearest message
/// of the other channels with one. Memory: the messages of both sides between the last one that was compared and now,
/// at most most_waiting of a side.
class MatchSource {
public:
    static constexpr std::size_t most_waiting = 64;

    explicit MatchSource(const TrafficOptions& options);
    ~MatchSource();

    using Visit = std::function<void(const MatchedMoment&)>;
    void add(const Frame& frame, const Channel& channel, const Visit& visit);
    void finish(const Visit& visit);
    [[nodiscard]] std::vector<std::string> notes() const;

private:
    struct Waiting {
        Frame frame;
        std::optional<Nanoseconds> time, measured;
    };
    struct Truth {
        Frame frame;
        std::shared_ptr<const Channel> channel;
        std::optional<Nanoseconds> time;
    };

    void compare_ready(const Visit& visit, bool at_end);
    void compare(const Waiting& detected, const Visit& visit);
    [[nodiscard]] const Truth* nearest_truth(const std::optional<Nanoseconds>& time) const;
    void note(const std::vector<std::string>& notes);

    ObjectCompareOptions options_;
    std::shared_ptr<const Channel> sensor_;
    std::vector<std::shared_ptr<const Channel>> truth_channels_;
    std::deque<Waiting> waiting_;
    std::deque<Truth> truths_;
    std::optional<Frame> statics_;                            ///< the last ground truth with a map
    std::vector<std::unique_ptr<ObjectComparer>> comparers_;  ///< by truth channel
    std::unique_ptr<ObjectComparer> own_comparer_;
    std::vector<std::string> notes_;
    std::uint64_t without_truth_ = 0;
};

}  // namespace ositrace::traffic
