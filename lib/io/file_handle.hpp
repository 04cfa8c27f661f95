// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace ositrace {

/// Owns a file descriptor; -1 = none. All inline, as ositrace_fmu and ositrace_net, libraries of their own, use it,
/// too.
class FileHandle {
public:
    FileHandle() = default;
    explicit FileHandle(int descriptor) noexcept : descriptor_(descriptor) {}
    FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileHandle& operator=(FileHandle&& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~FileHandle() { close(); }

    [[nodiscard]] int get() const noexcept { return descriptor_; }
    [[nodiscard]] explicit operator bool() const noexcept { return descriptor_ >= 0; }
    /// The caller closes it.
    [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }
    void close() noexcept
    {
        if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    }

private:
    int descriptor_ = -1;
};

/// The name is `-`.
[[nodiscard]] bool is_standard_input(const std::filesystem::path& file);
/// The name of a file in errors: its path, or `standard input`.
[[nodiscard]] std::filesystem::path input_name(const std::filesystem::path& file);

/// Opens for reading, without blocking on a pipe that has no writer yet. `-` is (a duplicate of) standard input.
/// Throws Error: missing (`run.osi: No such file or directory`), io (`/tmp: is a folder`).
[[nodiscard]] FileHandle open_for_reading(const std::filesystem::path& file);

/// fstat() that throws. `name` is for the error.
[[nodiscard]] struct stat status_of(const FileHandle& file, const std::filesystem::path& name);

/// Throws Error (io; missing for ENOENT without `doing`) with the text of the system for `error` (an errno value):
/// `run.osi: Permission denied`. `doing` is put before it: `link: `.
[[noreturn]] void throw_system_error(int error, const std::filesystem::path& name, std::string_view doing = {});

/// Throws Error (truncated): `run.osi: byte 9123: the file has shrunk from 20000 to 9000 bytes while it was read`.
[[noreturn]] void throw_shrunk(const std::filesystem::path& name, std::uint64_t offset, std::uint64_t from,
                               std::uint64_t to);

/// $TMPDIR, else /tmp. Inline, and so is the next: ositrace_fmu uses them, too.
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
