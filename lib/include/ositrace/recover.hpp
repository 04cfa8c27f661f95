// SPDX-License-Identifier: MPL-2.0
// Saves all intact frames of a damaged trace.
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

struct RecoverOptions {
    OpenOptions open;  ///< skip_bad_frames, depth and on_skip are set by the recovery
    WriteOptions write;
    std::size_t listed_losses = 1000;                         ///< further ones are only counted
    std::function<void(const TraceWriter&)> on_written = {};  ///< called with the complete output
    std::function<void(std::uint64_t frames, std::uint64_t bytes, std::optional<std::uint64_t> of_bytes)> on_progress =
        {};
};

struct RecoverResult {
    std::uint64_t frames = 0;    ///< written
    std::uint64_t bytes_in = 0;  ///< of the uncompressed input
    std::uint64_t bytes_out = 0;
    std::uint64_t losses = 0;  ///< places
    std::uint64_t lost_bytes = 0;
    LostFrames lost_frames;
    /// Frames from damaged chunks and compressed frames: their content parses, but no checksum confirms it.
    std::uint64_t kept_unproven = 0;
    /// The first RecoverOptions::listed_losses. SkippedBytes::frame is a number of the output.
    std::vector<SkippedBytes> lost;
    ConvertResult copied;   ///< includes what the output format does not support
    std::string type_name;  ///< of the frames; empty where there are several types
    /// Set if the content of the output is ambiguous: a program that opens it must state type, encoding and layout.
    /// Empty for a pipe, where it is not known.
    std::optional<Recognition> to_be_stated;
    std::string why_stated;  ///< `the content fits SensorView (sv) and GroundTruth (gt); ...`
    /// The input is intact. The output holds all of it where `copied` reports no losses, either.
    [[nodiscard]] bool intact() const noexcept { return losses == 0; }
};

/// convert() of open_stream() with skip_bad_frames: copies every intact frame. Its content parses completely, and it
/// begins where a frame may begin. After damage in a length-prefixed file every byte is tried as the begin of the next
/// such frame. An intact file is copied byte for byte. Of a damaged compressed file, the bytes before the damage in a
/// compressed frame and those from the next compressed frame on are saved. Of a damaged MCAP chunk, messages that can
/// be unpacked and parse completely are saved; the report counts them, as no checksum confirms them. The output has the
/// container of output_extension(), in an MCAP the chunk compression of the input unless `write` sets another. Memory:
/// one frame, of an MCAP one chunk. Throws Error: io, exists, usage, cancelled, and an error for which is_damage() is
/// true when no frame is found.
[[nodiscard]] OSITRACE_API RecoverResult recover_trace(const std::filesystem::path& in,
                                                       const std::filesystem::path& out,
                                                       const RecoverOptions& options = {}, std::stop_token stop = {});

}  // namespace ositrace
