// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

namespace ositrace::bench {

/// A new folder that is removed with all that is in it.
class ScratchFolder {
public:
    /// In `parent`. Throws Error (io).
    explicit ScratchFolder(const std::filesystem::path& parent);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace ositrace::bench
