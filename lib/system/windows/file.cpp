// SPDX-License-Identifier: MPL-2.0
#include "lib/system/file.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "lib/system/pending_file.hpp"
#include "lib/system/system_error.hpp"
#include "lib/system/windows/native.hpp"

#include <winioctl.h>

namespace ositrace {

namespace {

constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
/// Windows counts a read and a write in 32 bits.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

DWORD at_once(std::size_t bytes) { return static_cast<DWORD>(std::min(bytes, most_at_once)); }

OVERLAPPED at(std::uint64_t offset)
{
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    return place;
}

template <class Information>
bool read_information(HANDLE handle, FILE_INFO_BY_HANDLE_CLASS kind, Information& information) noexcept
{
    return ::GetFileInformationByHandleEx(handle, kind, &information, sizeof information) != 0;
}

FileStatus::Identity identity_of(HANDLE handle) noexcept
{
    FILE_ID_INFO found{};
    if (read_information(handle, FileIdInfo, found)) {
        FileStatus::Identity identity{.volume = found.VolumeSerialNumber};
        std::memcpy(&identity.number, &found.FileId, sizeof identity.number);  // the other half is 0, but for ReFS
        return identity;
    }
    BY_HANDLE_FILE_INFORMATION older{};  // of file systems that have no longer numbers
    ::GetFileInformationByHandle(handle, &older);
    return {.volume = older.dwVolumeSerialNumber,
            .number = static_cast<std::uint64_t>(older.nFileIndexHigh) << 32 | older.nFileIndexLow};
}

/// False with an error of Windows.
bool read_status(HANDLE handle, FileStatus& status) noexcept
{
    switch (::GetFileType(handle)) {
    case FILE_TYPE_DISK: break;
    case FILE_TYPE_PIPE: status.kind = FileKind::pipe; return true;
    default: status.kind = FileKind::device; return true;
    }
    FILE_BASIC_INFO basic{};
    FILE_STANDARD_INFO standard{};
    if (!read_information(handle, FileBasicInfo, basic) || !read_information(handle, FileStandardInfo, standard))
        return false;
    status = {.kind = standard.Directory != 0 ? FileKind::folder : FileKind::regular,
              .bytes = static_cast<std::uint64_t>(standard.EndOfFile.QuadPart),
              .changed = time_of({.dwLowDateTime = basic.LastWriteTime.LowPart,
                                  .dwHighDateTime = static_cast<DWORD>(basic.LastWriteTime.HighPart)}),
              .identity = identity_of(handle)};
    return true;
}

FileHandle opened(const std::filesystem::path& file, DWORD access, DWORD share, DWORD how, DWORD flags)
{
    return own(::CreateFileW(native_name(file).c_str(), access, share, nullptr, how, flags, nullptr));
}

/// 0: the end.
std::size_t read_from(const FileHandle& file, std::span<std::byte> into, OVERLAPPED* place,
                      const std::filesystem::path& name)
{
    DWORD count = 0;
    if (::ReadFile(handle_of(file), into.data(), at_once(into.size()), &count, place) != 0) return count;
    const auto error = ::GetLastError();
    if (error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE) return 0;
    throw_system_error(error_of(error), name);
}

}  // namespace

void FileHandle::close_now() noexcept { ::CloseHandle(handle_of(release())); }

FileHandle open_to_read(const std::filesystem::path& file)
{
    // A folder is opened, too, so that the caller can say that it is one.
    auto handle = opened(file, GENERIC_READ, share_all, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (!handle) throw_system_error(last_error(), file);
    return handle;
}

FileHandle open_standard_input(const std::filesystem::path& name)
{
    HANDLE duplicate = nullptr;
    if (::DuplicateHandle(::GetCurrentProcess(), ::GetStdHandle(STD_INPUT_HANDLE), ::GetCurrentProcess(), &duplicate, 0,
                          FALSE, DUPLICATE_SAME_ACCESS) == 0)
        throw_system_error(last_error(), name);
    return own(duplicate);
}

FileStatus status_of(const FileHandle& file, const std::filesystem::path& name)
{
    FileStatus status;
    if (!read_status(handle_of(file), status)) throw_system_error(last_error(), name);
    return status;
}

std::optional<FileStatus> status_of(const std::filesystem::path& file) noexcept
try {
    FileStatus status;
    if (file.native().starts_with(L"\\\\.\\pipe\\")) {  // to open it would connect to it
        status.kind = FileKind::pipe;
        return status;
    }
    const auto handle = opened(file, FILE_READ_ATTRIBUTES, share_all, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (!handle || !read_status(handle_of(handle), status)) return std::nullopt;
    return status;
} catch (const std::exception&) {  // out of memory
    return std::nullopt;
}

std::optional<FileStatus> status_of_standard_input() noexcept
{
    FileStatus status;
    return read_status(::GetStdHandle(STD_INPUT_HANDLE), status) ? std::optional(status) : std::nullopt;
}

bool is_link(const std::filesystem::directory_entry& entry) noexcept
try {
    const auto attributes = ::GetFileAttributesW(native_name(entry.path()).c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
} catch (const std::exception&) {  // out of memory
    return false;
}

std::size_t read_at(const FileHandle& file, std::uint64_t offset, std::span<std::byte> into,
                    const std::filesystem::path& name)
{
    auto place = at(offset);
    return read_from(file, into, &place, name);
}

std::uint64_t end_of_hole(const FileHandle& file, std::uint64_t offset, std::uint64_t size) noexcept
{
    if (offset >= size) return offset;
    FILE_ALLOCATED_RANGE_BUFFER asked{};
    asked.FileOffset.QuadPart = static_cast<LONGLONG>(offset);
    asked.Length.QuadPart = static_cast<LONGLONG>(size - offset);
    FILE_ALLOCATED_RANGE_BUFFER first{};
    DWORD count = 0;
    const bool known = ::DeviceIoControl(handle_of(file), FSCTL_QUERY_ALLOCATED_RANGES, &asked, sizeof asked, &first,
                                         sizeof first, &count, nullptr) != 0;
    if (!known && ::GetLastError() != ERROR_MORE_DATA) return offset;
    if (count < sizeof first) return size;
    return std::clamp(static_cast<std::uint64_t>(first.FileOffset.QuadPart), offset, size);
}

std::uint64_t position_of(const FileHandle& file) noexcept
{
    LARGE_INTEGER position{};
    return ::SetFilePointerEx(handle_of(file), {}, &position, FILE_CURRENT) != 0
               ? static_cast<std::uint64_t>(position.QuadPart)
               : 0;
}

std::size_t read_next(const FileHandle& file, std::span<std::byte> into, const std::filesystem::path& name)
{
    return read_from(file, into, nullptr, name);
}

void expect_to_read_all(const FileHandle&, FileKind) noexcept {}  // Windows takes such advice only when it opens

FileHandle create_temporary_file(const std::filesystem::path& folder, const std::filesystem::path& name,
                                 std::string_view doing)
{
    static std::atomic<unsigned> count{0};
    FileHandle file;
    do {
        const auto unique = "ositrace-" + std::to_string(::GetCurrentProcessId()) + '-' +
                            std::to_string(::GetTickCount64()) + '-' + std::to_string(count++) + ".tmp";
        file = opened(folder / unique, GENERIC_READ | GENERIC_WRITE | DELETE, 0, CREATE_NEW,
                      FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
    } while (!file && ::GetLastError() == ERROR_FILE_EXISTS);
    if (!file) throw_system_error(last_error(), name, doing);
    DWORD none = 0;  // where the file system has no sparse files, holes take disk
    ::DeviceIoControl(handle_of(file), FSCTL_SET_SPARSE, nullptr, 0, nullptr, 0, &none, nullptr);
    return file;
}

FileHandle open_to_write(const std::filesystem::path& file, bool overwrite)
{
    auto handle = opened(file, GENERIC_WRITE, FILE_SHARE_READ, overwrite ? OPEN_ALWAYS : CREATE_NEW, 0);
    if (!handle && ::GetLastError() == ERROR_FILE_EXISTS) throw already_exists(file);
    if (!handle) throw_system_error(last_error(), file);
    return handle;
}

FileHandle create_private_file(const std::filesystem::path& file, bool)
{
    auto handle = opened(file, GENERIC_WRITE, 0, CREATE_NEW, 0);  // in the user's own folder
    if (!handle) throw_system_error(last_error(), file);
    return handle;
}

void write_at(const FileHandle& file, std::uint64_t offset, Bytes bytes, const std::filesystem::path& name,
              std::string_view doing)
{
    while (!bytes.empty()) {
        auto place = at(offset);
        DWORD count = 0;
        if (::WriteFile(handle_of(file), bytes.data(), at_once(bytes.size()), &count, &place) == 0)
            throw_system_error(last_error(), name, doing);
        bytes = bytes.subspan(count);
        offset += count;
    }
}

std::error_code rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to)
{
    if (::MoveFileExW(native_name(from).c_str(), native_name(to).c_str(), MOVEFILE_WRITE_THROUGH) != 0) return {};
    return last_error();
}

void set_size(const FileHandle& file, std::uint64_t bytes, const std::filesystem::path& name, std::string_view doing)
{
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
    if (::SetFileInformationByHandle(handle_of(file), FileEndOfFileInfo, &end, sizeof end) == 0)
        throw_system_error(last_error(), name, doing);
}

std::filesystem::path cache_directory()
{
    const std::filesystem::path chosen(::_wgetenv(L"LOCALAPPDATA") == nullptr ? L"" : ::_wgetenv(L"LOCALAPPDATA"));
    return chosen.is_absolute() ? chosen : std::filesystem::path();
}

std::filesystem::path temporary_directory()
{
    std::wstring folder(MAX_PATH + 1, L'\0');
    folder.resize(::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()));
    return folder;
}

}  // namespace ositrace
