// SPDX-License-Identifier: MPL-2.0
// Strings between quotes, as the two text forms escape them.
#pragma once

#include <string_view>

#include <ositrace/bytes.hpp>

#include "formats/text/text_output.hpp"

namespace ositrace::text {

/// `"a\nb\303\237"`: every byte is kept.
void put_c_quoted(std::string_view text, Output& out);
/// Throws Error (malformed) when the text is no UTF-8.
void put_json_quoted(std::string_view text, Output& out);
/// `"AAEC"`
void put_base64_quoted(Bytes bytes, Output& out);

}  // namespace ositrace::text
