// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// Adds file and frame to an error in a payload. The offset becomes that in the file, where the file holds the payload
/// verbatim; else (a compressed chunk, an edited frame) that of the frame.
[[nodiscard]] inline Error within_frame(const Error& error, const Frame& frame, const std::filesystem::path& file)
{
    if (error.where().offset && frame.payload_offset)
        return error.within({.file = file, .frame = frame.index, .offset = frame.payload_offset, .field = {}});
    auto where = error.where();
    where.offset.reset();
    return error.moved_to(where).within({.file = file, .frame = frame.index, .offset = frame.offset, .field = {}});
}

}  // namespace ositrace
