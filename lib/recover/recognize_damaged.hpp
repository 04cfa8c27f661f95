// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include <ositrace/trace.hpp>

#include "lib/io/buffer_pool.hpp"
#include "lib/io/seekable_file.hpp"
#include "lib/recover/frame_verifier.hpp"

namespace ositrace {

/// A whole frame, and the verifier of its channel, which verified it last: a frame of 500 MB is not read twice.
struct IntactFrame {
    std::unique_ptr<FrameVerifier> verifier;
    std::uint64_t offset = 0;  ///< of its length
    std::shared_ptr<Block> payload;
};

/// What the frames of a length-prefixed file are, though its beginning may be broken: told from the first stretch of
/// frames that follow each other, else from a lone frame. Throws Error (malformed, ambiguous) when nothing in the file
/// can be recognised. Memory: one frame, and 1 MB. Time is linear in the size of the file.
[[nodiscard]] IntactFrame recognize_damaged(const SeekableFile& file, const OpenOptions& options,
                                            const std::stop_token& stop);

}  // namespace ositrace
