// SPDX-License-Identifier: MPL-2.0
// Names of temporary files. All inline, as ositrace_fmu, a library of its own, uses them, too.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace ositrace {

/// $TMPDIR, else /tmp.
inline std::filesystem::path temporary_directory()
{
    const char* const chosen = std::getenv("TMPDIR");
    return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

/// A name that mkstemp() and mkdtemp() complete in place.
inline std::string temporary_name(const std::filesystem::path& directory, std::string_view prefix)
{
    return (directory / prefix).string() + "XXXXXX";
}

}  // namespace ositrace
