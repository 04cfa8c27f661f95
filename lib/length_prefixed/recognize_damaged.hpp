// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/random_access.hpp"
#include "lib/io/windowed_input.hpp"
#include "lib/trace/frame_verifier.hpp"

namespace ositrace {

/// Of a failed recognition: could it succeed with other frames?
[[nodiscard]] bool may_change(const Error& error) noexcept;

/// A verifier of the frames that an input begins with; it has learned from a whole one. They stay buffered. Null: none
/// of the first four (or of 1 MB) is whole, or they are ambiguous (`failure` says why). Throws Error (cancelled, io),
/// and as recognize_channel() does where the input is empty.
[[nodiscard]] std::shared_ptr<FrameVerifier> recognize_in_place(WindowedInput& input, const OpenOptions& options,
                                                                std::optional<Error>& failure);

/// The same of the first few frames of a file that follow each other, wherever they are, else of a lone one. Throws
/// Error (malformed, ambiguous, mismatch) when nothing in the file can be recognised. Memory: one frame, and 1 MB. Time
/// is linear in the size of the file.
[[nodiscard]] std::shared_ptr<FrameVerifier> recognize_anywhere(const RandomAccess& file, const OpenOptions& options);

}  // namespace ositrace
