// SPDX-License-Identifier: MPL-2.0
// Profiles: what a group of tools requires of a trace beyond the standard. See docs/maps.md.
#pragma once

#include <cstdint>
#include <string_view>

#include <ositrace/export.hpp>

namespace ositrace {

enum class Profile : std::uint8_t {
    none,
    omega_prime,  ///< GroundTruth with an OpenDRIVE map in an MCAP file, of ika and SYNERGIES
};

/// `omega-prime`; empty for none.
[[nodiscard]] OSITRACE_API std::string_view name_of(Profile profile) noexcept;

}  // namespace ositrace
