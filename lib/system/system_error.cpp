// SPDX-License-Identifier: MPL-2.0
#include "lib/system/system_error.hpp"

#include <string>

namespace ositrace {

void throw_system_error(std::error_code error, const std::filesystem::path& name, std::string_view doing)
{
    const auto text = error.message();
    if (!doing.empty()) throw Error(Cause::io, {.file = name}, std::string(doing) + ": " + text);
    const bool missing = error == std::errc::no_such_file_or_directory;
    throw Error(missing ? Cause::missing : Cause::io, {.file = name}, text);
}

Error already_exists(const std::filesystem::path& file)
{
    return {Cause::exists, file.string() + " exists. Use --overwrite to replace it."};
}

}  // namespace ositrace
