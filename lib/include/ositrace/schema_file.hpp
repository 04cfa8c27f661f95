// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>

#include <ositrace/export.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Longer descriptor sets are refused; that of OSI 3.8.0 with comments has 0.4 MB.
inline constexpr std::size_t max_descriptor_set_bytes = std::size_t{64} << 20;

/// Compiles the schema in a file that holds a serialized FileDescriptorSet (`protoc --include_imports
/// --descriptor_set_out`). Throws Error naming the file.
[[nodiscard]] OSITRACE_API std::shared_ptr<const Schema> load_schema(const std::filesystem::path& file);

}  // namespace ositrace
