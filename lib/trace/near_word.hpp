// SPDX-License-Identifier: MPL-2.0
// Inline, as ositrace_net, a library of its own, uses it, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace ositrace {

/// How many characters must be added, removed or replaced, or exchanged with the next one.
inline std::size_t edits_between(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i != a.size(); ++i) {
        next[0] = i + 1;
        for (std::size_t j = 0; j != b.size(); ++j) {
            next[j + 1] = std::min({next[j] + 1, row[j + 1] + 1, row[j] + (a[i] == b[j] ? 0 : 1)});
            const bool exchanged = i != 0 && j != 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            if (exchanged) next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
        }
        before.swap(row);
        row.swap(next);
    }
    return row[b.size()];
}

/// The nearest word, if at most a third of it is wrong; else empty.
[[nodiscard]] inline std::string_view nearest_word(std::string_view word, const std::vector<std::string>& known)
{
    constexpr std::size_t longest = 64;
    if (word.size() > longest) return {};
    std::string_view best;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const auto& each : known) {
        const auto wrong = edits_between(word, each);
        if (wrong >= least || wrong >= each.size()) continue;
        least = wrong;
        best = each;
    }
    return best;
}

/// ` (did you mean 'gt'?)` if one of the words is near; else empty.
[[nodiscard]] inline std::string did_you_mean(std::string_view word, const std::vector<std::string>& known)
{
    const auto near = nearest_word(word, known);
    return near.empty() ? "" : " (did you mean '" + std::string(near) + "'?)";
}

}  // namespace ositrace
