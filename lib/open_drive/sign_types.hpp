// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

namespace ositrace::open_drive {

/// The type of osi3.TrafficSign.MainSign of a German sign (also where no country is stated): `274`, `274-55`, or `274`
/// with the subtype `55`. TYPE_OTHER of other signs: OSI names them by country, code and sub_code.
[[nodiscard]] std::string_view sign_type(std::string_view country, std::string_view type, std::string_view subtype);

}  // namespace ositrace::open_drive
