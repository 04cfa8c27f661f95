// SPDX-License-Identifier: MPL-2.0
// What the server of a page answers to requests. Pure: texts in, values out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lib/net/websocket.hpp"

namespace ositrace::web_sink {

/// Empty: the request opens the WebSocket of the page. A page of another site may neither read this one nor open its
/// WebSocket: the host must be one that only this machine has (a number, `localhost`, the name of the machine, or
/// `named`, the host of the address on the command line), and the origin of a WebSocket must be this page.
[[nodiscard]] std::optional<net::HttpAnswer> answer_to(const net::HttpRequest& request, std::string_view named);

}  // namespace ositrace::web_sink
