// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Of a FileDescriptorSet the file of this name with all that it imports, in the order of the set: a set that stands on
/// its own. The file google/protobuf/descriptor.proto, which OSI imports and few sets hold, is added from the built-in
/// one. Other imports that the set lacks stay missing. Throws Error (malformed).
[[nodiscard]] std::vector<std::byte> with_imports(Bytes descriptor_set, std::string_view file);

}  // namespace ositrace
