// SPDX-License-Identifier: MPL-2.0
#include "lib/system/file.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/system/posix/descriptor.hpp"
#include "lib/system/posix/last_error.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

namespace {

constexpr int pipe_bytes = 1 << 20;

FileKind kind_in(const struct stat& status)
{
    if (S_ISREG(status.st_mode)) return FileKind::regular;
    if (S_ISDIR(status.st_mode)) return FileKind::folder;
    if (S_ISFIFO(status.st_mode)) return FileKind::pipe;
    return S_ISSOCK(status.st_mode) ? FileKind::socket : FileKind::device;
}

FileStatus as_file_status(const struct stat& status)
{
    return {.kind = kind_in(status),
            .bytes = static_cast<std::uint64_t>(status.st_size),
            .changed = {.seconds = status.st_mtim.tv_sec, .nanoseconds = status.st_mtim.tv_nsec},
            .identity = {.volume = status.st_dev, .number = status.st_ino}};
}

}  // namespace

void FileHandle::close_now() noexcept { ::close(descriptor_of(release())); }

FileHandle open_to_read(const std::filesystem::path& file)
{
    FileHandle handle(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!handle) throw_system_error(last_error(), file);
    return handle;
}

FileHandle open_standard_input(const std::filesystem::path& name)
{
    FileHandle handle(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!handle) throw_system_error(last_error(), name);
    return handle;
}

FileStatus status_of(const FileHandle& file, const std::filesystem::path& name)
{
    struct stat status{};
    if (::fstat(descriptor_of(file), &status) != 0) throw_system_error(last_error(), name);
    return as_file_status(status);
}

std::optional<FileStatus> status_of(const std::filesystem::path& file) noexcept
{
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0) return std::nullopt;
    return as_file_status(status);
}

std::optional<FileStatus> status_of_standard_input() noexcept
{
    struct stat status{};
    if (::fstat(STDIN_FILENO, &status) != 0) return std::nullopt;
    return as_file_status(status);
}

bool is_link(const std::filesystem::directory_entry& entry) noexcept
{
    std::error_code failed;
    return entry.is_symlink(failed);
}

std::size_t read_at(const FileHandle& file, std::uint64_t offset, std::span<std::byte> into,
                    const std::filesystem::path& name)
{
    for (;;) {
        const auto count = ::pread(descriptor_of(file), into.data(), into.size(), static_cast<off_t>(offset));
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) throw_system_error(last_error(), name);
    }
}

std::uint64_t end_of_hole(const FileHandle& file, std::uint64_t offset, std::uint64_t size) noexcept
{
    const auto data = ::lseek(descriptor_of(file), static_cast<off_t>(offset), SEEK_DATA);
    if (data < 0) return errno == ENXIO ? std::max(offset, size) : offset;
    return std::clamp(static_cast<std::uint64_t>(data), offset, std::max(offset, size));
}

std::uint64_t position_of(const FileHandle& file) noexcept
{
    return static_cast<std::uint64_t>(std::max<off_t>(::lseek(descriptor_of(file), 0, SEEK_CUR), 0));
}

std::size_t read_next(const FileHandle& file, std::span<std::byte> into, const std::filesystem::path& name)
{
    for (;;) {
        const auto count = ::read(descriptor_of(file), into.data(), into.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) throw_system_error(last_error(), name);
    }
}

void expect_to_read_all(const FileHandle& file, FileKind kind) noexcept
{
    if (kind == FileKind::regular) ::posix_fadvise(descriptor_of(file), 0, 0, POSIX_FADV_SEQUENTIAL);
    if (kind == FileKind::pipe) ::fcntl(descriptor_of(file), F_SETPIPE_SZ, pipe_bytes);  // else it is only slower
}

FileHandle create_temporary_file(const std::filesystem::path& folder, const std::filesystem::path& name,
                                 std::string_view doing)
{
    FileHandle file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT)) {
        auto named = (folder / "ositrace-XXXXXX").string();
        file = FileHandle(::mkostemp(named.data(), O_CLOEXEC));
        if (file) ::unlink(named.c_str());
    }
    if (!file) throw_system_error(last_error(), name, doing);
    return file;
}

FileHandle open_to_write(const std::filesystem::path& file, bool overwrite)
{
    constexpr mode_t file_mode = 0666;  // less the umask
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    FileHandle handle(::open(file.c_str(), flags | (overwrite ? 0 : O_EXCL), file_mode));
    if (!handle && errno == EEXIST) throw already_exists(file);
    if (!handle) throw_system_error(last_error(), file);
    return handle;
}

FileHandle create_private_file(const std::filesystem::path& file, bool executable)
{
    FileHandle handle(
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, executable ? 0700 : 0600));
    if (!handle) throw_system_error(last_error(), file);
    return handle;
}

void write_at(const FileHandle& file, std::uint64_t offset, Bytes bytes, const std::filesystem::path& name,
              std::string_view doing)
{
    while (!bytes.empty()) {
        const auto count = ::pwrite(descriptor_of(file), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw_system_error(last_error(), name, doing);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
}

std::error_code rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to)
{
    // A second name fails if the file exists, without a race; rename() would replace the file.
    std::error_code failed;
    std::filesystem::create_hard_link(from, to, failed);
    if (!failed) {
        std::filesystem::remove(from, failed);
        return {};
    }
    if (failed != std::errc::operation_not_permitted && failed != std::errc::operation_not_supported &&
        failed != std::errc::function_not_supported)
        return failed;
    std::error_code none;  // of a file system without links
    if (std::filesystem::exists(to, none)) return std::make_error_code(std::errc::file_exists);
    std::filesystem::rename(from, to, failed);
    return failed;
}

void set_size(const FileHandle& file, std::uint64_t bytes, const std::filesystem::path& name, std::string_view doing)
{
    if (::ftruncate(descriptor_of(file), static_cast<off_t>(bytes)) != 0) throw_system_error(last_error(), name, doing);
}

std::filesystem::path cache_directory()
{
    // getenv() races only with a program that changes its environment meanwhile.
    if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') return cache;
    if (const char* const home = std::getenv("HOME"); home != nullptr && *home == '/')
        return std::filesystem::path(home) / ".cache";
    return {};
}

std::filesystem::path temporary_directory()
{
    const char* const chosen = std::getenv("TMPDIR");
    return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

}  // namespace ositrace
