// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include <ositrace/fmu_model.hpp>

#include "lib/system/locked_folder.hpp"

namespace ositrace::fmu {

/// The names of the folders of models begin with it.
inline constexpr std::string_view unpack_prefix = "ositrace-fmu-";

/// What a model needs to run on this machine, unpacked.
class UnpackedModel {
public:
    /// Throws Error as FmuArchive does; (unsupported) if the model has no library for this machine.
    explicit UnpackedModel(const FmuDescription& model);

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_.path(); }
    [[nodiscard]] const std::filesystem::path& library() const noexcept { return library_; }

private:
    LockedFolder folder_;
    std::filesystem::path library_;
};

}  // namespace ositrace::fmu
