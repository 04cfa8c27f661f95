// SPDX-License-Identifier: MPL-2.0
// Everything that can still be read of a damaged trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/export.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace {

/// A stretch of the input that did not come back.
struct LostBytes {
    std::optional<std::uint64_t>
        before_frame;          ///< number (in the output) of the first frame behind it, where that is known
    std::uint64_t offset = 0;  ///< in the uncompressed input (see `compressed`)
    std::uint64_t bytes =
        0;  ///< 0: a length was put right, a checksum is wrong, a record was taken from where none should stand
    std::optional<Nanoseconds> after;   ///< OSI time of the last frame in front of it, where it has one
    std::optional<Nanoseconds> before;  ///< of the first frame behind it
    std::string reason;                 ///< `29 of 40 bytes before the end of the file`
    std::uint64_t kept = 0;             ///< frames of a damaged MCAP chunk or compressed frame that came back
    bool compressed = false;            ///< offset and bytes are those of the compressed file
};

struct RecoverOptions {
    OpenOptions open;  ///< skip_bad_frames and on_skip are set by the recovery
    WriteOptions write;
    std::size_t listed_losses = 1000;  ///< more are counted only
    /// The complete output, for what it has to say of itself.
    std::function<void(const TraceWriter&)> on_written = {};
    std::function<void(std::uint64_t frames, std::uint64_t bytes, std::optional<std::uint64_t> of_bytes)> on_progress =
        {};
};

struct RecoverResult {
    std::uint64_t frames = 0;    ///< written
    std::uint64_t bytes_in = 0;  ///< of the uncompressed input
    std::uint64_t bytes_out = 0;
    std::uint64_t losses = 0;  ///< places
    std::uint64_t lost_bytes = 0;
    std::uint64_t kept_unproven = 0;  ///< frames out of damaged chunks and compressed frames: their content is whole,
                                      ///< no checksum says that it is right
    std::vector<LostBytes> lost;      ///< the first of them
    ConvertResult copied;             ///< what of what can be read has no place in the output
    std::string type_name;            ///< of the frames; empty where there are several types
    /// Where the output's content does not say by itself what it is, and why: whoever opens it must state these. Of a
    /// pipe it is not known.
    std::optional<Recognition> to_be_stated;
    std::string why_stated;  ///< `the content fits SensorView (sv) and GroundTruth (gt); ...`
    /// The input. The output holds all of it where nothing of `copied` was left out, either.
    [[nodiscard]] bool intact() const noexcept { return losses == 0; }
};

/// Copies every frame whose bytes are whole: its content can be read from end to end, and it stands where a frame may
/// begin. A length-prefixed file is resynchronised by content: behind damage the next such frame is looked for at every
/// byte. An intact file comes back byte for byte. Of a damaged compressed file what stands in front of the damage of a
/// compressed frame comes out, and what follows from the next compressed frame on. Of a damaged MCAP chunk those
/// messages come back that can be unpacked and whose content is whole; the report counts them, as no checksum vouches
/// for them. The output has the container of output_extension(), in an MCAP the chunk compression of the input unless
/// `write` says another. Memory: one frame, of an MCAP a chunk. Throws Error: io, exists, usage, cancelled, and
/// malformed when not one frame can be found.
[[nodiscard]] OSITRACE_API RecoverResult recover_trace(const std::filesystem::path& in,
                                                       const std::filesystem::path& out,
                                                       const RecoverOptions& options = {}, std::stop_token stop = {});

}  // namespace ositrace
