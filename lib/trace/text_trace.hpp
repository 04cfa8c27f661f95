// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "lib/trace/text_stream.hpp"

namespace ositrace {

/// A text that can be addressed: its messages are parsed once into an unnamed temporary in $TMPDIR (or /tmp). Frames
/// have their offsets there. Throws what reading throws.
[[nodiscard]] std::shared_ptr<const Trace> spooled_trace(TextStream& text, const OpenOptions& options);

}  // namespace ositrace
