// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>

#include <ositrace/fmu_model.hpp>

#include "lib/system/file.hpp"

namespace ositrace::fmu {

/// A temporary folder that only this user can enter; removed with this object. The folder of a killed process
/// remains: the next UnpackFolder removes every folder whose lock is free.
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

/// What a model needs to run on this machine, unpacked.
class UnpackedModel {
public:
    /// Throws Error as FmuArchive does; (unsupported) if the model has no library for this machine.
    explicit UnpackedModel(const FmuDescription& model);

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_.path(); }
    [[nodiscard]] const std::filesystem::path& library() const noexcept { return library_; }

private:
    UnpackFolder folder_;
    std::filesystem::path library_;
};

}  // namespace ositrace::fmu
