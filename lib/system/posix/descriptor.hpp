// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "lib/system/file.hpp"

namespace ositrace {

inline int descriptor_of(FileHandle::Native native) noexcept { return static_cast<int>(native); }
inline int descriptor_of(const FileHandle& file) noexcept { return descriptor_of(file.native()); }

}  // namespace ositrace
