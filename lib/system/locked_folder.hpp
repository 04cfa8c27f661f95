// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "lib/system/file.hpp"

namespace ositrace {

/// A temporary folder that only this user can enter; removed with this object. The folder of a killed process remains:
/// the next LockedFolder of the same prefix removes every such folder whose lock is free.
class LockedFolder {
public:
    /// Throws Error (io).
    explicit LockedFolder(std::string_view prefix);
    LockedFolder(const LockedFolder&) = delete;
    LockedFolder& operator=(const LockedFolder&) = delete;
    ~LockedFolder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
    FileHandle lock_;
};

/// Removes all folders of this process. Any thread.
void remove_locked_folders() noexcept;

/// Libraries in this folder can be loaded.
[[nodiscard]] bool allows_programs(const std::filesystem::path& folder) noexcept;

namespace locked_folder {

/// What differs between systems.

/// A new folder of a name that begins with the prefix. Throws Error (io).
[[nodiscard]] std::filesystem::path create(const std::filesystem::path& parent, std::string_view prefix);
/// Locks it until the handle is closed; empty if it belongs to another user or is in use.
[[nodiscard]] FileHandle lock(const std::filesystem::path& folder);
/// A folder of this user that is older than `seconds`.
[[nodiscard]] bool is_own_and_old(const std::filesystem::path& folder, int seconds);

}  // namespace locked_folder

}  // namespace ositrace
