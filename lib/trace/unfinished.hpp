// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// What a stop leaves of a file that grows: `bytes` after the `frames` that were read, which end at `offset`.
[[nodiscard]] inline SkippedBytes unfinished(const std::filesystem::path& file, std::uint64_t frames,
                                             std::uint64_t offset, std::uint64_t bytes)
{
    return {frames, offset, bytes,
            Error(Cause::truncated, {.file = file, .frame = frames, .offset = offset},
                  "stopped before the frame that begins here was complete")};
}

}  // namespace ositrace
