// SPDX-License-Identifier: MPL-2.0
#include "lib/system/locked_folder.hpp"

#include <atomic>
#include <string>

#include "lib/system/system_error.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

bool allows_programs(const std::filesystem::path&) noexcept { return true; }

namespace locked_folder {

std::filesystem::path create(const std::filesystem::path& parent, std::string_view prefix)
{
    static std::atomic<unsigned> count{0};
    for (;;) {
        const auto folder = parent / (std::string(prefix) + std::to_string(::GetCurrentProcessId()) + '-' +
                                      std::to_string(::GetTickCount64()) + '-' + std::to_string(count++));
        if (::CreateDirectoryW(native_name(folder).c_str(), nullptr) != 0) return folder;
        if (::GetLastError() != ERROR_ALREADY_EXISTS)
            throw_system_error(last_error(), parent, "cannot create a temporary folder");
    }
}

// A file beside the folder, which is removed with the handle: a folder that is open itself cannot be removed.
FileHandle lock(const std::filesystem::path& folder)
{
    auto file = folder;
    file += ".lock";
    return own(::CreateFileW(native_name(file).c_str(), GENERIC_WRITE | DELETE, 0, nullptr, OPEN_ALWAYS,
                             FILE_FLAG_DELETE_ON_CLOSE, nullptr));
}

bool is_own_and_old(const std::filesystem::path& folder, int seconds)
{
    const auto status = status_of(folder);
    FILETIME now{};
    ::GetSystemTimeAsFileTime(&now);
    return status && status->kind == FileKind::folder && time_of(now).seconds - status->changed.seconds > seconds;
}

}  // namespace locked_folder

}  // namespace ositrace
