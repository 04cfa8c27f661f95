// SPDX-License-Identifier: MPL-2.0
// Where what goes away again has its place. Stands in a header because ositrace_fmu, a library of its own, needs it
// too.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace ositrace {

/// What TMPDIR says, else /tmp.
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
