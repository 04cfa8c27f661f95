// SPDX-License-Identifier: MPL-2.0
// What the files of this folder share.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include <winsock2.h>

#include "lib/system/file.hpp"

namespace ositrace {

inline HANDLE handle_of(FileHandle::Native native) noexcept { return reinterpret_cast<HANDLE>(native); }
inline HANDLE handle_of(const FileHandle& file) noexcept { return handle_of(file.native()); }

inline FileHandle own(HANDLE handle) noexcept
{
    return handle == nullptr ? FileHandle() : FileHandle(reinterpret_cast<FileHandle::Native>(handle));
}

/// An error of Windows. Those that other systems have, too, have the same text and code as there.
[[nodiscard]] std::error_code error_of(DWORD code) noexcept;
[[nodiscard]] inline std::error_code last_error() noexcept { return error_of(::GetLastError()); }

[[nodiscard]] std::string utf8(std::wstring_view text);
[[nodiscard]] std::wstring wide(std::string_view text);

/// Since 1970; FILETIME counts 100 ns since 1601.
[[nodiscard]] FileStatus::Time time_of(const FILETIME& time) noexcept;
/// Of all threads of a process so far.
[[nodiscard]] std::chrono::nanoseconds processor_time_of(HANDLE process) noexcept;

/// The words as the command line that a program reads them from.
[[nodiscard]] std::wstring command_line(std::span<const std::string> words);

/// The name for a function of Windows: of a long path the absolute one, which may have more than 260 characters.
[[nodiscard]] std::wstring native_name(const std::filesystem::path& file);

}  // namespace ositrace
