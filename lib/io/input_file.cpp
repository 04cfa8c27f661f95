// SPDX-License-Identifier: MPL-2.0
#include "lib/io/input_file.hpp"

#include <string>

#include <ositrace/error.hpp>

namespace ositrace {

bool is_standard_input(const std::filesystem::path& file) { return file == "-"; }

std::filesystem::path input_name(const std::filesystem::path& file)
{
    return is_standard_input(file) ? std::filesystem::path("standard input") : file;
}

FileHandle open_for_reading(const std::filesystem::path& file)
{
    const auto name = input_name(file);
    auto handle = is_standard_input(file) ? open_standard_input(name) : open_to_read(file);
    if (status_of(handle, name).kind == FileKind::folder) throw Error(Cause::io, {.file = name}, "is a folder");
    return handle;
}

void throw_shrunk(const std::filesystem::path& name, std::uint64_t offset, std::uint64_t from, std::uint64_t to)
{
    throw Error(
        Cause::truncated, {.file = name, .offset = offset},
        "the file has shrunk from " + std::to_string(from) + " to " + std::to_string(to) + " bytes while it was read");
}

}  // namespace ositrace
