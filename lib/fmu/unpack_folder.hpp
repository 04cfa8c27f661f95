// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include "lib/io/file_handle.hpp"

namespace ositrace::fmu {

/// A temporary folder that only this user may enter, gone with this object. What a killed process left behind is swept
/// up when the next one is made: a folder that nobody holds the lock of is nobody's.
class UnpackFolder {
public:
    /// Throws Error (io).
    UnpackFolder();
    UnpackFolder(const UnpackFolder&) = delete;
    UnpackFolder& operator=(const UnpackFolder&) = delete;
    ~UnpackFolder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
    FileHandle lock_;
};

}  // namespace ositrace::fmu
