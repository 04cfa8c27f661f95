// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "lib/io/random_access.hpp"
#include "lib/length_prefixed/trace_index.hpp"

namespace ositrace {

/// `$XDG_CACHE_HOME/ositrace`, or `~/.cache/ositrace`; empty when neither is known.
[[nodiscard]] std::filesystem::path index_cache_directory();

/// The index of a file as it was kept for just these contents: path, size, time of change and a hash of head and tail
/// agree, and what is kept is a possible index. Everything else, a broken cache included, is no index.
[[nodiscard]] std::optional<CompleteIndex> load_index(const std::filesystem::path& directory,
                                                      const RandomAccess& file) noexcept;

/// Keeps an index, atomically. A cache that cannot be written is no error: it is a favour.
void store_index(const std::filesystem::path& directory, const RandomAccess& file, const CompleteIndex& index) noexcept;

}  // namespace ositrace
