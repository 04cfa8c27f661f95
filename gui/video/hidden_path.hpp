// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace ositrace::gui {

/// A hidden file or folder that is written and then gets its final name: `.ositrace-<process>-<n>.video` or
/// `.ositrace-<process>-<n>.frames`. Removed when it is destroyed without that. Locked (flock): what a killed process
/// left is removed when the next one is created beside it.
class HiddenPath {
public:
    enum class Kind { file, folder };
    /// Throws Error (io) that names `target`, for which it is created.
    HiddenPath(const std::filesystem::path& folder, Kind kind, const std::filesystem::path& target);
    HiddenPath(const HiddenPath&) = delete;
    HiddenPath& operator=(const HiddenPath&) = delete;
    ~HiddenPath();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Gives it another name. Throws Error (io, exists: without `overwrite`).
    void rename_to(const std::filesystem::path& target, bool overwrite);

private:
    std::filesystem::path path_;
    int lock_ = -1;
    bool renamed_ = false;
};

}  // namespace ositrace::gui
