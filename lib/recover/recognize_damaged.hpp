// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <stop_token>

#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/seekable_file.hpp"

namespace ositrace {

/// What the frames of a length-prefixed file are, though its beginning may be broken: told from the first stretch of frames that follow
/// each other, else from a lone frame. Throws Error (malformed, ambiguous) when nothing in the file can be recognised.
[[nodiscard]] Channel recognize_damaged(const SeekableFile& file, const OpenOptions& options, const std::stop_token& stop);

}  // namespace ositrace
