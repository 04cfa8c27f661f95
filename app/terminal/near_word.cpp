// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/near_word.hpp"

namespace ositrace::app {

std::string joined(const std::vector<std::string>& words, std::string_view between)
{
    std::string text;
    for (const auto& word : words) text.append(text.empty() ? "" : between).append(word);
    return text;
}

Error unknown_word(std::string_view what, std::string_view word, const std::vector<std::string>& known)
{
    const auto near = nearest_word(word, known);
    return {Cause::usage, "unknown " + std::string(what) + " '" + std::string(word) +
                              "' (known: " + joined(known, ", ") + ")" +
                              (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?")};
}

}  // namespace ositrace::app
