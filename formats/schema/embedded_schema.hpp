// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The serialized FileDescriptorSet built into the library, as cmake/OsiSchema.cmake found it. Lives for ever.
[[nodiscard]] Bytes embedded_descriptor_set() noexcept;

}  // namespace ositrace
