// SPDX-License-Identifier: MPL-2.0
// The last frames of the channels of a replay: what a picture of now needs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/picture_maker.hpp>

#include "lib/net/map_expander.hpp"

namespace ositrace::web_sink {

/// What a channel shows.
struct ShownChannel {
    std::shared_ptr<const Channel> channel;
    std::optional<Frame> frame, statics;  ///< of the last message, and of the one with the map that it lacks
    bool is_past = false;                 ///< no message for some time
};

/// As PictureMaker reads them; valid as long as `shown`.
[[nodiscard]] std::vector<PictureSource> sources_of(std::span<const ShownChannel> shown);

/// One thread.
class LastFrames {
public:
    /// Channels that `info` has in addition.
    void add_channels(const TraceInfo& info);
    /// Frames have owners. `time`: of their step.
    void add(const Frame& frame, Nanoseconds time);
    [[nodiscard]] std::vector<ShownChannel> shown(Nanoseconds time) const;

private:
    struct Last {
        std::shared_ptr<const Channel> channel;
        std::optional<Frame> frame;
        std::optional<Frame> map;  ///< the last one that had a part of it, with all parts
        bool has_map = false;      ///< the last one
        // Since the time last went backward:
        std::uint64_t times = 0;
        Nanoseconds first{}, last{}, step{};
    };
    net::MapExpander expander_;  ///< of the frames with a part of the map
    std::vector<Last> channels_;
};

}  // namespace ositrace::web_sink
