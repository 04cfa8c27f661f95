// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>

#include <ositrace/schema.hpp>

namespace by_hand {

/// `test.EveryKind`, field by field what a schema may hold: number 1 to 18 = the kind (10 is an enum, 11 a
/// `test.Leaf`), 20 + kind the same repeated, 40 + kind packed, 19 and 39 itself, singular and repeated, 300 a field
/// with a tag of two bytes. Declared out of order.
[[nodiscard]] std::string every_kind_descriptors();
[[nodiscard]] const ositrace::Schema& every_kind_schema();
[[nodiscard]] const ositrace::MessageTable& every_kind();

}  // namespace by_hand
