// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The serialized FileDescriptorSet built into the library, as cmake/OsiSchema.cmake found it. Lives for ever.
[[nodiscard]] Bytes embedded_descriptor_set() noexcept;

/// A FileDescriptorSet with google/protobuf/descriptor.proto alone; empty in a build that was given another schema and
/// no network.
[[nodiscard]] Bytes embedded_descriptor_proto() noexcept;

/// A FileDescriptorSet that begins with google/protobuf/descriptor.proto, which OSI imports and few sets contain: it is
/// added from the built-in one if a file imports it and the set lacks it. Throws Error (malformed).
[[nodiscard]] std::vector<std::byte> with_descriptor_proto(Bytes descriptor_set);

/// The file of this name in a FileDescriptorSet with all files that it imports, in the order of the set: a complete
/// set, as above. Other imports that the set lacks stay missing. Throws Error (malformed).
[[nodiscard]] std::vector<std::byte> with_imports(Bytes descriptor_set, std::string_view file);

}  // namespace ositrace
