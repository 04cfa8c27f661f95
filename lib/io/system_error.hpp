// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <ositrace/error.hpp>

namespace ositrace {

/// What the operating system said about a file: `/dev/full: No space left on device`. Takes errno unless told.
[[nodiscard]] inline Error system_error(const std::filesystem::path& file, int code = errno)
{
    return {Cause::io, {.file = file}, std::generic_category().message(code)};
}

}  // namespace ositrace
