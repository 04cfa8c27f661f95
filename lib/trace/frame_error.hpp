// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// An error from inside a payload, seen from the file: a place in the payload counts from where the payload begins.
/// Where it does not stand in the file as it is (a compressed chunk, an edited frame) the frame's own place is given.
[[nodiscard]] inline Error within_frame(const Error& error, const Frame& frame, const std::filesystem::path& file)
{
    if (error.where().offset && frame.payload_offset)
        return error.within({.file = file, .frame = frame.index, .offset = *frame.payload_offset, .field = {}});
    auto where = error.where();
    where.offset.reset();
    return Error(error.cause(), where, error.reason())
        .within({.file = file, .frame = frame.index, .offset = frame.offset, .field = {}});
}

}  // namespace ositrace
