// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The files of gui/web, joined: see html_page().
[[nodiscard]] Bytes web_player() noexcept;

}  // namespace ositrace
