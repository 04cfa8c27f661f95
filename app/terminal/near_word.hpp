// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ositrace/error.hpp>

#include "lib/trace/near_word.hpp"

namespace ositrace::app {

/// `sv, gt` or `sv|gt`
[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view between);

/// `unknown message type 'gz' (known: sv, gt); did you mean 'gt'?`, with Cause::usage.
[[nodiscard]] Error unknown_word(std::string_view what, std::string_view word, const std::vector<std::string>& known);

}  // namespace ositrace::app
