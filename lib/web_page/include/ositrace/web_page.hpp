// SPDX-License-Identifier: MPL-2.0
// A trace as one HTML file that plays it in any browser, without a network: what the pictures of its frames show,
// rounded and packed, and the player (lib/web_page/player/). Or as a page that a server sends, and what it shows then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

/// Something that happens, on the timeline of the page.
struct PageEvent {
    Nanoseconds from{}, to{};
    std::string kind;                          ///< `hard braking`: events of one kind have one colour
    std::string text;                          ///< names who takes part, too
    std::optional<std::uint64_t> object = {};  ///< the id of the one that does it
};

struct PageFacts {
    std::string title;                 ///< the names of the files
    std::vector<std::string> sources;  ///< names of the channels, by ThingKey::source
    std::vector<PageEvent> events;     ///< in the order of their times
    std::vector<std::string> notes;    ///< beside those of the pictures
    bool dark = true;                  ///< the theme of a browser that states none
};

/// Collects pictures and packs them. Each thing that moves is a track: its poses over time, and its shapes relative to
/// them, which are stored once as long as they do not change by more than the rounding. Maps are stored once. Trails
/// and arrows of velocities are left out: the player draws them from the tracks. Memory: what the page has before it is
/// packed, tens of bytes per thing and frame. One thread.
class PageEncoder {
public:
    /// `points_per_cloud`: of lidar and radar clouds at most so many, evenly chosen; 0: clouds are left out.
    explicit PageEncoder(std::size_t points_per_cloud = 0);
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

/// A message of PageStream.
using PageMessage = std::shared_ptr<const std::string>;

/// A part of a map. It is sent before the first frame that shows it.
struct PageLayer {
    std::uint64_t number = 0;  ///< frames refer to it
    PageMessage message;
};

/// A picture as messages.
struct PageMoment {
    std::vector<PageLayer> layers;  ///< all that the frame shows
    PageMessage frame;
};

/// Packs each picture on its own, for pages that show a trace while it is played. A page needs start(), then the layers
/// of a moment that it does not have, then the frame. Memory: the messages of the last picture. One thread.
class PageStream {
public:
    /// `points_per_cloud`: as PageEncoder. Events are not sent.
    PageStream(const PageFacts& facts, std::size_t points_per_cloud);
    PageStream(const PageStream&) = delete;
    PageStream& operator=(const PageStream&) = delete;
    ~PageStream();

    [[nodiscard]] PageMoment add(Nanoseconds time, const Picture& picture);
    /// The first message: it tells a page to begin anew. After the first add().
    [[nodiscard]] PageMessage start() const noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// A message that shows a text on the page until another one of this id comes; empty: none.
[[nodiscard]] std::string page_notice(std::string_view id, std::string_view text);

/// The HTML file: the player with the data in it.
[[nodiscard]] std::string html_page(std::string_view data);
/// The HTML file of a server: the player, which receives its data as binary messages of a WebSocket at `/frames` of
/// that server. `host`: as the browser names it, `127.0.0.1:8080`; its policy allows no other connection.
[[nodiscard]] std::string live_html_page(std::string_view host);
/// The subprotocol of that WebSocket.
inline constexpr std::string_view page_subprotocol = "ositrace.page.v1";

}  // namespace ositrace
