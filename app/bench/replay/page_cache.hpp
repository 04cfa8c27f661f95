// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

namespace ositrace::bench {

/// Asks the system to drop a file from the page cache. Throws Error (io).
void drop_from_page_cache(const std::filesystem::path& file);

/// The fraction of a file in the page cache, 0 to 1. Throws Error (io).
[[nodiscard]] double share_in_page_cache(const std::filesystem::path& file);

}  // namespace ositrace::bench
