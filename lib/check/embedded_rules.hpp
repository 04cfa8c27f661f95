// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The rules of the OSI release that is built in, as RuleSet::from_text() reads them, a text; empty when the build had
/// no comments. Generated: see cmake/OsiComments.cmake.
[[nodiscard]] Bytes embedded_rules() noexcept;

}  // namespace ositrace
