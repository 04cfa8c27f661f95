// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

#include "formats/framing/length_prefix.hpp"

namespace ositrace {

/// An error from inside a payload, seen from the file: a place in the payload counts from behind the length prefix.
[[nodiscard]] inline Error within_frame(const Error& error, const Frame& frame, const std::filesystem::path& file)
{
    const auto inside = error.where().offset ? length_prefix::prefix_bytes : 0;
    return error.within({.file = file, .frame = frame.index, .offset = frame.offset + inside, .field = {}});
}

}  // namespace ositrace
