// SPDX-License-Identifier: MPL-2.0
#include "lib/io/file_handle.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

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
    FileHandle handle(is_standard_input(file) ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                              : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!handle) throw_system_error(errno, name);
    if (S_ISDIR(status_of(handle, name).st_mode)) throw Error(Cause::io, {.file = name}, "is a folder");
    return handle;
}

struct stat status_of(const FileHandle& file, const std::filesystem::path& name)
{
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) throw_system_error(errno, name);
    return status;
}

void throw_system_error(int error, const std::filesystem::path& name, std::string_view doing)
{
    const auto text = std::generic_category().message(error);
    if (!doing.empty()) throw Error(Cause::io, {.file = name}, std::string(doing) + ": " + text);
    throw Error(error == ENOENT ? Cause::missing : Cause::io, {.file = name}, text);
}

void throw_shrunk(const std::filesystem::path& name, std::uint64_t offset, std::uint64_t from, std::uint64_t to)
{
    throw Error(
        Cause::truncated, {.file = name, .offset = offset},
        "the file has shrunk from " + std::to_string(from) + " to " + std::to_string(to) + " bytes while it was read");
}

}  // namespace ositrace
