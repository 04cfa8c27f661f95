// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string_view>

#include <ositrace/schema.hpp>

namespace ositrace {

/// `3.8.0`: three numbers, nothing else, as the versions in OSI-MCAP are.
[[nodiscard]] bool is_release(std::string_view text) noexcept;
/// nullopt: another form, or a number of more than 32 bits.
[[nodiscard]] std::optional<OsiVersion> release_in(std::string_view text) noexcept;

}  // namespace ositrace
