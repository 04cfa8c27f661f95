// SPDX-License-Identifier: MPL-2.0
#include "lib/system/line_reader.hpp"

#include <algorithm>

namespace ositrace {

void LineReader::hand_over(bool also_unfinished)
{
    constexpr std::size_t max_line_bytes = 4096;
    std::string_view rest = text_;
    while (!rest.empty()) {
        auto end = rest.substr(0, max_line_bytes).find('\n');
        const bool cut = end == std::string_view::npos;
        if (cut && rest.size() < max_line_bytes && !also_unfinished) break;
        if (cut) end = std::min(rest.size(), max_line_bytes);
        if (take_) take_(rest.substr(0, end));
        rest.remove_prefix(cut ? end : end + 1);
    }
    text_.erase(0, text_.size() - rest.size());
}

}  // namespace ositrace
