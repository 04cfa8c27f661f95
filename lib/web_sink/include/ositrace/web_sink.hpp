// SPDX-License-Identifier: MPL-2.0
// Shows the frames of a replay on a web page.
#pragma once

#include <memory>

#include <ositrace/network_sink.hpp>

namespace ositrace {

/// A server of one page (see live_html_page()) at a Transport::web address. It listens at once. Up to 64 browsers show
/// what is played. A browser that connects late receives the map first, then the current frame. One that reads too
/// slowly misses frames: 8 steps and 64 MiB are queued for it, but always the newest, and the map. Pictures are made by
/// a thread of their own, while a browser is connected; where that takes longer than the replay gives it, the oldest of
/// 16 waiting steps are dropped. The player's thread never waits. NetworkCounts counts messages to all browsers, frames
/// and parts of maps. Throws Error (io, usage) with the address.
[[nodiscard]] std::unique_ptr<NetworkSink> open_web_sink(const NetworkAddress& address,
                                                         NetworkSinkOptions options = {});

}  // namespace ositrace
