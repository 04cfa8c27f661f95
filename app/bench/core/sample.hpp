// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace::bench {

using FrameBytes = std::vector<std::byte>;

/// The frames of one channel in both encodings, in memory: the input of the variants.
struct Sample {
    std::filesystem::path file;
    Channel channel;  ///< as in the trace
    MessageType type{};
    const MessageTable* table = nullptr;  ///< of the built-in schema, from which the opponents' code was generated
    std::vector<FrameBytes> protobuf, flat;
    std::size_t protobuf_bytes = 0, flat_bytes = 0;
    bool whole = true;                 ///< false: the channel has more frames than fit into the memory limit
    std::uint64_t unknown_fields = 0;  ///< dropped, because they are not in the schema

    /// `drive.osi: 60 frames of osi3.SensorView, 16.6 MB a frame in Protobuf, 23.2 MB in FlatBuffers (1.40x)`
    [[nodiscard]] std::string text() const;
};

struct SampleOptions {
    OpenOptions open;
    FrameRange frames;
    std::optional<TopicPattern> topic;                ///< empty: the first channel of OSI messages
    std::size_t most_bytes = std::size_t{256} << 20;  ///< of Protobuf; one frame is always read
    std::stop_token stop;
};

/// Throws Error: those of open_stream(), mismatch if there is no frame of such a channel.
[[nodiscard]] Sample load_sample(const std::filesystem::path& file, const SampleOptions& options);

/// Writes its frames in an encoding as a length-prefixed file, and returns its name. Throws Error.
std::filesystem::path write_frames(const std::filesystem::path& file, const Sample& sample, const Format& format);

}  // namespace ositrace::bench
