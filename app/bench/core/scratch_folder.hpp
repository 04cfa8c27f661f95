// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <ositrace/error.hpp>

namespace ositrace::bench {

/// Creates a folder that a user named, if it does not exist. Throws Error (io).
inline void make_folder(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Error(Cause::io, {.file = folder}, "cannot be created: " + error.message());
}

/// A new folder that is removed with all its content.
class ScratchFolder {
public:
    /// In `parent`. Throws Error (io).
    explicit ScratchFolder(const std::filesystem::path& parent)
    {
        auto name = (parent / "ositrace-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw Error(Cause::io, {.file = parent},
                        "no folder can be created in it: " + std::generic_category().message(errno));
        path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace ositrace::bench
