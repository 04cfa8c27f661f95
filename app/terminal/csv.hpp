// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>

namespace ositrace::app {

/// Quoted if RFC 4180 requires it.
inline void append_csv_cell(std::string_view text, std::string& out)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    for (const char letter : text) {
        if (letter == '"') out += '"';
        out += letter;
    }
    out += '"';
}

}  // namespace ositrace::app
