// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

namespace ositrace {

/// The reason of the error (Cause::ambiguous) where no message is there, or all are empty. Who knows why says it.
inline constexpr std::string_view no_content =
    "no content from which to recognise the message type. Select it with --type.";

}  // namespace ositrace
