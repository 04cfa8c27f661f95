// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/unpacked_model.hpp"

#include <string>

#include <ositrace/error.hpp>

#include "lib/fmu/fmu_archive.hpp"
#include "lib/system/model_binary.hpp"

namespace ositrace::fmu {

namespace {

/// For the models of this program. Throws Error (io).
std::string_view checked_prefix()
{
    const auto parent = temporary_directory();
    if (!allows_programs(parent))
        throw Error(Cause::io, "cannot be loaded: the temporary folder " + parent.string() +
                                   " is on a file system without execution (noexec). Set TMPDIR to another folder");
    return unpack_prefix;
}

/// `binaries/linux64/DummySensor.so`
std::string library_path(const FmuDescription& model, std::string_view platform)
{
    return "binaries/" + std::string(platform) + "/" + model.model_identifier + std::string(library_extension());
}

/// The folder in `binaries/` for this machine. Throws Error (unsupported) listing the folders of the archive.
std::string choose_platform(const FmuArchive& archive, const FmuDescription& model)
{
    for (const auto platform : model_platforms())
        if (archive.has(library_path(model, platform))) return std::string(platform);
    std::string wanted, there;
    for (const auto platform : model_platforms())
        wanted += (wanted.empty() ? "" : " or ") + library_path(model, platform);
    for (const auto& platform : archive.platforms()) there += (there.empty() ? "" : ", ") + platform;
    throw Error(Cause::unsupported, "cannot run on this machine: it has no " + wanted +
                                        " (it has binaries for: " + (there.empty() ? "nothing" : there) + ")");
}

}  // namespace

UnpackedModel::UnpackedModel(const FmuDescription& model) : folder_(checked_prefix())
{
    const FmuArchive archive(model.file);
    const auto platform = choose_platform(archive, model);
    const auto library = library_path(model, platform);
    archive.unpack(folder(), platform);
    library_ = folder() / library;
    if (const auto why = why_not_loadable(library_); !why.empty())
        throw Error(Cause::unsupported, "cannot run on this machine: " + library + ' ' + why);
}

}  // namespace ositrace::fmu

namespace ositrace {

void remove_fmu_folders() noexcept { remove_locked_folders(); }

}  // namespace ositrace
