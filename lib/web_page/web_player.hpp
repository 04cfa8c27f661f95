// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The files of lib/web_page/player, joined.
[[nodiscard]] Bytes web_player() noexcept;

}  // namespace ositrace
