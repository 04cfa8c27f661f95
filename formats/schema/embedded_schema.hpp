// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The serialized FileDescriptorSet built into the library, as cmake/OsiSchema.cmake found it. Lives for ever.
[[nodiscard]] Bytes embedded_descriptor_set() noexcept;

/// A FileDescriptorSet with google/protobuf/descriptor.proto alone; empty in a build that was given another schema and
/// no network.
[[nodiscard]] Bytes embedded_descriptor_proto() noexcept;

}  // namespace ositrace
