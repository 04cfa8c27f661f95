// SPDX-License-Identifier: MPL-2.0
// Open files: what the library needs of them. Each function that is given a `name` throws Error (io) with that name and
// the text of the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Owns an open file, folder, pipe or device.
class FileHandle {
public:
    /// A file descriptor, or a HANDLE of Windows. Only lib/system and tests know which.
    using Native = std::intptr_t;

    FileHandle() = default;
    explicit FileHandle(Native native) noexcept : native_(native) {}
    FileHandle(FileHandle&& other) noexcept : native_(std::exchange(other.native_, none)) {}
    FileHandle& operator=(FileHandle&& other) noexcept
    {
        std::swap(native_, other.native_);
        return *this;
    }
    ~FileHandle() { close(); }

    [[nodiscard]] Native native() const noexcept { return native_; }
    [[nodiscard]] explicit operator bool() const noexcept { return native_ != none; }
    /// The caller closes it.
    [[nodiscard]] Native release() noexcept { return std::exchange(native_, none); }
    void close() noexcept
    {
        if (native_ != none) close_now();
    }

private:
    static constexpr Native none = -1;
    void close_now() noexcept;

    Native native_ = none;
};

enum class FileKind : std::uint8_t { regular, folder, pipe, socket, device };

struct FileStatus {
    /// Since 1970; the nanoseconds are never negative.
    struct Time {
        std::int64_t seconds = 0, nanoseconds = 0;
    };
    /// Equal for the names of one file. A volume of 0 is not known.
    struct Identity {
        std::uint64_t volume = 0, number = 0;
        [[nodiscard]] bool operator==(const Identity& other) const noexcept
        {
            return number == other.number && (volume == other.volume || volume == 0 || other.volume == 0);
        }
    };
    FileKind kind{};
    std::uint64_t bytes = 0;
    Time changed;
    Identity identity;
};

/// Opens for reading, without blocking on a pipe that has no writer yet. Throws Error: missing, io.
[[nodiscard]] FileHandle open_to_read(const std::filesystem::path& file);
/// A handle of its own for the standard input of this process.
[[nodiscard]] FileHandle open_standard_input(const std::filesystem::path& name);

[[nodiscard]] FileStatus status_of(const FileHandle& file, const std::filesystem::path& name);
/// Empty if there is none, or it cannot be known.
[[nodiscard]] std::optional<FileStatus> status_of(const std::filesystem::path& file) noexcept;
/// Of the standard input. Empty if it is closed.
[[nodiscard]] std::optional<FileStatus> status_of_standard_input() noexcept;
/// A symbolic link; a junction.
[[nodiscard]] bool is_link(const std::filesystem::directory_entry& entry) noexcept;

/// Reads at most `into.size()` bytes at an offset, at once less than 2^31 of them; 0 = the end. Any thread.
[[nodiscard]] std::size_t read_at(const FileHandle& file, std::uint64_t offset, std::span<std::byte> into,
                                  const std::filesystem::path& name);
/// Where the hole of a sparse file ends in which `offset` is, at most `size`; `offset` where there is none, or the file
/// system does not know.
[[nodiscard]] std::uint64_t end_of_hole(const FileHandle& file, std::uint64_t offset, std::uint64_t size) noexcept;
/// The position at which the next read of a standard input begins that is a regular file.
[[nodiscard]] std::uint64_t position_of(const FileHandle& file) noexcept;
/// Reads what follows; 0 = the end.
[[nodiscard]] std::size_t read_next(const FileHandle& file, std::span<std::byte> into,
                                    const std::filesystem::path& name);

/// Advice: a regular file is read from its start to its end; a pipe has room for much.
void expect_to_read_all(const FileHandle& file, FileKind kind) noexcept;

/// A new file without a name, or one that is removed when it is closed. `doing` is what fails (see
/// throw_system_error()).
[[nodiscard]] FileHandle create_temporary_file(const std::filesystem::path& folder, const std::filesystem::path& name,
                                               std::string_view doing);
/// Opens a file to write at offsets, and creates it where it is missing. Without `overwrite` one that is there is an
/// Error (exists).
[[nodiscard]] FileHandle open_to_write(const std::filesystem::path& file, bool overwrite);
/// Creates a file that only this user can read; no symbolic link is followed. One that is there is an error.
[[nodiscard]] FileHandle create_private_file(const std::filesystem::path& file, bool executable);
void write_at(const FileHandle& file, std::uint64_t offset, Bytes bytes, const std::filesystem::path& name,
              std::string_view doing = {});
/// Gives a file another name; never that of a file that is there.
[[nodiscard]] std::error_code rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to);
/// What is added to a file is a hole of zeros.
void set_size(const FileHandle& file, std::uint64_t bytes, const std::filesystem::path& name,
              std::string_view doing = {});

/// Of the user, for what can be made again: $XDG_CACHE_HOME, else ~/.cache; %LOCALAPPDATA% on Windows. Empty if there
/// is none.
[[nodiscard]] std::filesystem::path cache_directory();
/// $TMPDIR, else /tmp; on Windows the temporary folder of the user.
[[nodiscard]] std::filesystem::path temporary_directory();

}  // namespace ositrace
