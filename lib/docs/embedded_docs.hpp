// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Between the four texts of an entry (name, comment, unit, rules), and behind an entry.
inline constexpr char doc_field_end = '\x1f';
inline constexpr char doc_entry_end = '\x1e';

/// All entries, as a zstd frame that states its size; empty when the build had no comments. Generated: see
/// cmake/OsiComments.cmake.
[[nodiscard]] Bytes embedded_docs() noexcept;

}  // namespace ositrace
