// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>

#include <ositrace/schema.hpp>

#include "tests/fuzz/fuzzing.hpp"

namespace fuzzing {

/// The types that payloads are read as: a recursive one of every kind, OSI's top-level types, and small ones that come
/// in thousands. The order is that of the committed corpus: append only.
[[nodiscard]] std::span<const ositrace::MessageTable* const> roots();

inline const ositrace::MessageTable& choose_root(Input& input)
{
    const auto all = roots();
    return *all[input.choose(all.size())];
}

}  // namespace fuzzing
