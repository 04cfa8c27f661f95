// SPDX-License-Identifier: MPL-2.0
// The messages of map channels (omega-prime), which a trace has once, in every part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ositrace/frame.hpp>

namespace ositrace {

/// Keeps the first message of each map channel and returns it before a part's first frame, with the times of that
/// frame. Memory: the maps.
class CarriedMaps {
public:
    /// Keeps the frame if it is the first of a map channel: it is no frame of a part then.
    [[nodiscard]] bool take(const Frame& frame, const Channel& channel);
    /// All maps are due again.
    void begin_part();
    /// A map that is due before this frame; its `channel` is that of the source.
    [[nodiscard]] std::optional<Frame> next(const Frame& before);
    [[nodiscard]] bool empty() const noexcept { return maps_.empty(); }
    /// Has the map of this channel of the source come?
    [[nodiscard]] bool has(std::uint32_t channel) const noexcept;

private:
    struct Map {
        Frame frame;
        bool is_due = true;
    };
    std::vector<Map> maps_;
};

}  // namespace ositrace
