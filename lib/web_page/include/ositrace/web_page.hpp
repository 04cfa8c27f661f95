// SPDX-License-Identifier: MPL-2.0
// A trace as one HTML file that plays it in any browser, without a network: what the pictures of its frames show,
// rounded and packed, and the player (gui/web/).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/picture.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Positions and sizes are rounded to this; angles to tenths of a degree, speeds to hundredths of m/s.
inline constexpr double page_metres = 0.01;
inline constexpr double page_degrees = 0.1;

/// Red, green, blue, alpha.
using PageColour = std::array<std::uint8_t, 4>;

struct PageTheme {
    PageColour background{}, grid{}, highlight{};
    std::array<PageColour, look_count> looks{};
    std::array<PageColour, category_count> categories{};  ///< of the samples in the legend
};

/// A vertex of a body, as BodyVertex of the renderer: place * sides of the box + offset * its height.
struct PageVertex {
    Point place{}, offset{}, normal{};
    std::uint8_t paint = 0;  ///< 0: colour of the thing, else a fixed one of the player
    bool steers = false;
};

/// How things are drawn; the same as in the window.
struct PageStyle {
    PageTheme dark, light;
    std::array<bool, look_count> lamps{}, shining{};                   ///< lamps, and those that are on
    std::array<std::span<const PageVertex>, body_shape_count> bodies;  ///< three vertices of each triangle
    std::array<bool, category_count> hidden{};                         ///< at first
};

/// Something that happens, on the timeline of the page.
struct PageEvent {
    Nanoseconds from{}, to{};
    std::string kind;  ///< `hard braking`: events of one kind have one colour
    std::string text;
};

struct PageFacts {
    std::string title;                 ///< the names of the files
    std::vector<std::string> sources;  ///< names of the channels, by ThingKey::source
    std::vector<PageEvent> events;
    bool dark = true;  ///< the theme of a browser that states none
};

/// Collects pictures and packs them. Each thing that moves is a track: its poses over time, and its shapes relative to
/// them, which are stored once as long as they do not change by more than the rounding. Maps are stored once. Trails
/// and arrows of velocities are left out: the player draws them from the tracks. Memory: what the page has before it is
/// packed, tens of bytes per thing and frame. One thread.
class PageEncoder {
public:
    /// `points_per_cloud`: of lidar and radar clouds at most so many, evenly chosen; 0: clouds are left out.
    explicit PageEncoder(const PageStyle& style, std::size_t points_per_cloud = 0);
    PageEncoder(const PageEncoder&) = delete;
    PageEncoder& operator=(const PageEncoder&) = delete;
    ~PageEncoder();

    /// The next frame; times increase.
    void add(Nanoseconds time, const Picture& picture);
    [[nodiscard]] std::size_t frames() const noexcept;
    /// The data of the page, packed; call it once, at the end. Throws Error (unsupported) without a frame.
    [[nodiscard]] std::string finish(const PageFacts& facts);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// The HTML file: the player with the data in it. `player`: the joined files of gui/web/, with one `@DATA@` in it.
[[nodiscard]] std::string html_page(std::string_view player, std::string_view data);

}  // namespace ositrace
