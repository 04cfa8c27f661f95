// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <ositrace/trace.hpp>

namespace ositrace {

/// A stream of one channel as an indexed trace: its messages are made once and kept in an unnamed temporary file in
/// $TMPDIR (or /tmp). Frames have their offsets there. Throws the errors of reading.
[[nodiscard]] std::shared_ptr<const Trace> spooled_trace(FrameSource& frames, const OpenOptions& options);

}  // namespace ositrace
