// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

namespace ositrace {

/// The `.xodr` file beside a trace with the name that its `map_reference` states; empty where there is none. Only the
/// name counts: a trace of a stranger does not choose what is read elsewhere.
[[nodiscard]] std::filesystem::path map_with_reference(const std::filesystem::path& trace,
                                                       const std::filesystem::path& reference);

}  // namespace ositrace
