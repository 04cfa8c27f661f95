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

/// Where moving objects were, by id: the centres of their boxes, the latest first.
using Trails = std::map<std::uint64_t, std::vector<GlobalPoint>>;

/// Finds where the moving objects of ground truth were in the frames before one. The result depends on the trace alone,
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
