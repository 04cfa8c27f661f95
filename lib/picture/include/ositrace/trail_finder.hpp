// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <vector>

#include <ositrace/picture.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Where objects were: the centres of their boxes, the latest first.
struct Trails {
    using ById = std::map<std::uint64_t, std::vector<GlobalPoint>>;
    ById objects;     ///< moving objects of ground truth, by id
    ById detections;  ///< moving objects that a SensorData detects, by tracking id
    friend bool operator==(const Trails&, const Trails&) = default;
};

/// Finds where moving objects were in the frames before one. Detections have trails if their SensorData contains the
/// pose of the host, in its own ground truth or as host_vehicle_location. The result depends on the trace alone,
/// not on earlier calls. Places are kept: playing reads one more frame for each step. Use one TrailFinder per thread.
/// Memory: at most about 100 MB.
class TrailFinder {
public:
    static constexpr std::uint64_t most_frames = 2000;
    static constexpr std::uint64_t most_bytes = 64 << 20;  ///< of frames: a seek must not read many large ones

    explicit TrailFinder(std::shared_ptr<const Trace> trace);
    TrailFinder(TrailFinder&&) noexcept;
    TrailFinder& operator=(TrailFinder&&) noexcept;
    ~TrailFinder();

    /// In the frames from `first` until before `number`, or in the last of them if they are too many. A trail ends
    /// where its object is absent, or the frame cannot be read.
    [[nodiscard]] Trails find(std::uint32_t channel, std::uint64_t first, std::uint64_t number,
                              std::stop_token stop = {});

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
