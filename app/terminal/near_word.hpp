// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ositrace/error.hpp>

namespace ositrace::app {

/// `sv, gt` or `sv|gt`
[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view between);

/// ` (did you mean 'gt'?)` if one of the words is near; else empty.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// `unknown message type 'gz' (known: sv, gt); did you mean 'gt'?`, with Cause::usage.
[[nodiscard]] Error unknown_word(std::string_view what, std::string_view word, const std::vector<std::string>& known);

}  // namespace ositrace::app
