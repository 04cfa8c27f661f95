// SPDX-License-Identifier: MPL-2.0
#include "lib/system/locked_folder.hpp"

#include <mutex>
#include <set>
#include <system_error>

namespace ositrace {

namespace {

constexpr int grace_seconds = 60;  // a new folder is not locked at once

void sweep(const std::filesystem::path& parent, std::string_view prefix)
{
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(parent, error)) {
        const auto& folder = entry.path();
        if (!folder.filename().string().starts_with(prefix) || !locked_folder::is_own_and_old(folder, grace_seconds))
            continue;
        if (const auto lock = locked_folder::lock(folder)) {
            std::error_code ignored;
            std::filesystem::remove_all(folder, ignored);
        }
    }
}

/// All folders of this process, for remove_locked_folders().
struct Folders {
    std::mutex mutex;
    std::set<std::filesystem::path> paths;
};
Folders& folders()
{
    static Folders all;
    return all;
}

}  // namespace

LockedFolder::LockedFolder(std::string_view prefix)
{
    const auto parent = temporary_directory();
    sweep(parent, prefix);
    path_ = locked_folder::create(parent, prefix);
    lock_ = locked_folder::lock(path_);
    const std::lock_guard lock(folders().mutex);
    folders().paths.insert(path_);
}

LockedFolder::~LockedFolder()
{
    {
        const std::lock_guard lock(folders().mutex);
        folders().paths.erase(path_);
    }
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void remove_locked_folders() noexcept
{
    const std::lock_guard lock(folders().mutex);
    for (const auto& path : folders().paths) {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
}

}  // namespace ositrace
