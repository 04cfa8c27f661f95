// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

namespace ositrace::bench {

/// Asks the system to forget what it keeps of a file in memory. Throws Error (io).
void drop_from_page_cache(const std::filesystem::path& file);

/// The part of a file that the system keeps in memory, 0 to 1. Throws Error (io).
[[nodiscard]] double share_in_page_cache(const std::filesystem::path& file);

}  // namespace ositrace::bench
