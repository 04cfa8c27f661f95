// SPDX-License-Identifier: MPL-2.0
// The things that move: where they are in each frame, and their shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ositrace/picture.hpp>

#include "lib/web_page/page_data.hpp"
#include "lib/web_page/page_shapes.hpp"

namespace ositrace::web_page {

/// A thing in the frames that have it.
class Track {
public:
    explicit Track(const Thing& thing) : first_(thing) {}

    /// `shapes`: relative to its pose.
    void add(std::size_t frame, const Thing& thing, const Pose& pose, float steering, Shapes shapes);
    void write(PageData& to) const;
    [[nodiscard]] const Shapes& last_shapes() const noexcept { return shapes_.back(); }

private:
    void add_shapes(Shapes shapes);

    static constexpr std::size_t most_compared = 12;  ///< of the latest shapes: lamps blink between a few states

    Thing first_;  ///< as it was in its first frame, but for its pose
    Steps frames_;
    std::array<Steps, 3> places_;    ///< relative to the origin of the page
    std::array<Steps, 3> rotation_;  ///< roll, pitch, yaw; without a jump at half a turn
    std::array<Steps, 3> velocity_;  ///< of the frames that have one
    Steps has_velocity_;             ///< 1 or 0
    Steps steering_;
    Steps shape_;                 ///< which of shapes_
    std::vector<Shapes> shapes_;  ///< in the order of their first use
};

/// All tracks, by the keys of their things.
class Tracks {
public:
    /// A layer that is not of the map. `origin`: that of the picture relative to that of the page. `before`: tracks of
    /// the frame before, whose shapes are taken where the new ones resemble them; may be null.
    void add(std::size_t frame, const Layer& layer, const Pose& origin, const Tracks* before = nullptr);
    void write(PageData& to) const;

private:
    [[nodiscard]] const Track* find(const ThingKey& key) const noexcept;

    std::map<ThingKey, std::size_t> by_key_;
    std::vector<Track> tracks_;
};

}  // namespace ositrace::web_page
