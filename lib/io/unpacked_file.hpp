// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <stop_token>

#include "lib/io/byte_source.hpp"
#include "lib/io/seekable_file.hpp"

namespace ositrace {

/// Copies what cannot be seeked in into an unnamed temporary in $TMPDIR (or /tmp), which vanishes with its last user.
/// Errors call it by the name of the source. A stop ends with Error (cancelled).
[[nodiscard]] SeekableFile unpacked_file(ByteSource& source, const std::stop_token& stop);

}  // namespace ositrace
