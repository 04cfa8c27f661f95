// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <optional>

#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace::bench {

/// The files that are played: one channel of SensorView in both encodings, length-prefixed.
struct PlayedFiles {
    std::filesystem::path protobuf, flat;
    std::uint64_t frames = 0;
    [[nodiscard]] const std::filesystem::path& of(Encoding encoding) const
    {
        return encoding == Encoding::protobuf ? protobuf : flat;
    }
};

struct PlayedPart {
    FrameRange frames;
    std::optional<TopicPattern> topic;  ///< empty: the first channel of SensorView
};

/// From a trace. Throws Error: those of open_stream() and convert(), mismatch if there is no such channel.
[[nodiscard]] PlayedFiles files_of_trace(const std::filesystem::path& trace, const OpenOptions& open,
                                         const PlayedPart& part, const std::filesystem::path& folder);

/// Like the published study: 668 052 reflections with three doubles, 10 objects, 6 s, about 1 GB; `quick`: a hundredth
/// of it.
[[nodiscard]] PlayedFiles files_of_study(bool quick, const std::filesystem::path& folder, std::stop_token stop);

}  // namespace ositrace::bench
