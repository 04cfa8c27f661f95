// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/unpacked_model.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/fmu/fmu_archive.hpp"
#include "lib/system/file.hpp"

namespace ositrace::fmu {

namespace {

constexpr std::string_view prefix = "ositrace-fmu-";
constexpr std::time_t grace_seconds = 60;  // a new folder is not locked at once

/// The folder, open and locked; empty if it belongs to another user or is in use.
FileHandle lock_folder(const std::filesystem::path& folder)
{
    FileHandle opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened || ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) return {};
    return opened;
}

bool may_be_abandoned(const std::filesystem::path& folder)
{
    struct stat status{};
    return folder.filename().string().starts_with(prefix) && ::lstat(folder.c_str(), &status) == 0 &&
           S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
           std::time(nullptr) - status.st_mtime > grace_seconds;
}

void sweep(const std::filesystem::path& parent)
{
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(parent, error)) {
        if (!may_be_abandoned(entry.path())) continue;
        if (const auto lock = lock_folder(entry.path())) {
            std::error_code ignored;
            std::filesystem::remove_all(entry.path(), ignored);
        }
    }
}

/// All folders of this process, for remove_fmu_folders().
struct Folders {
    std::mutex mutex;
    std::set<std::filesystem::path> paths;
};
Folders& folders()
{
    static Folders all;
    return all;
}

/// Names of this machine in FMI 3.0 (x86_64-linux) and FMI 2.0; some FMUs use the name of the other version.
#if defined(__x86_64__)
constexpr std::array<std::string_view, 2> platforms{"x86_64-linux", "linux64"};
constexpr unsigned this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::array<std::string_view, 2> platforms{"aarch64-linux", "linux-aarch64"};
constexpr unsigned this_machine = EM_AARCH64;
#else
constexpr std::array<std::string_view, 0> platforms{};
constexpr unsigned this_machine = EM_NONE;
#endif

struct MachineRow {
    unsigned number;
    std::string_view name;
};

constexpr std::array machines{
    MachineRow{EM_386, "x86"},         MachineRow{EM_X86_64, "x86-64"}, MachineRow{EM_ARM, "ARM"},
    MachineRow{EM_AARCH64, "AArch64"}, MachineRow{EM_PPC, "PowerPC"},   MachineRow{EM_PPC64, "PowerPC"},
    MachineRow{EM_RISCV, "RISC-V"},    MachineRow{EM_MIPS, "MIPS"},
};

/// `64-bit AArch64`
std::string machine_text(unsigned number, bool is_64_bit)
{
    const auto row = std::ranges::find(machines, number, &MachineRow::number);
    const auto name = row == machines.end() ? "machine " + std::to_string(number) + " of ELF" : std::string(row->name);
    return (is_64_bit ? "64-bit " : "32-bit ") + name;
}

/// The loader only reports such a file as missing. Throws Error (unsupported) naming the machine of the library.
void check_machine(const std::filesystem::path& folder, const std::string& library)
{
    constexpr std::size_t header_bytes = 20;  // up to e_machine, which both widths have at the same place
    std::array<char, header_bytes> header{};
    std::ifstream(folder / library, std::ios::binary).read(header.data(), header.size());
    const auto in = "cannot run on this machine: " + library;
    if (std::string_view(header.data(), SELFMAG) != ELFMAG)
        throw Error(Cause::unsupported,
                    in + " is not a Linux library (ELF)" +
                        (std::string_view(header.data(), 2) == "MZ" ? " but a Windows library" : ""));
    const bool little = header[EI_DATA] == ELFDATA2LSB;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(header[at])); };
    const auto number = little ? byte(18) | byte(19) << 8 : byte(18) << 8 | byte(19);
    const bool is_64_bit = header[EI_CLASS] == ELFCLASS64;
    if (number != this_machine || !is_64_bit || !little)
        throw Error(Cause::unsupported, in + " is built for " + machine_text(number, is_64_bit) + ", this machine is " +
                                            machine_text(this_machine, true));
}

/// `binaries/linux64/DummySensor.so`
std::string library_path(const FmuDescription& model, const std::string& platform)
{
    return "binaries/" + platform + "/" + model.model_identifier + ".so";
}

/// The folder in `binaries/` for this machine. Throws Error (unsupported) listing the folders of the archive.
std::string choose_platform(const FmuArchive& archive, const FmuDescription& model)
{
    for (const auto platform : platforms)
        if (archive.has(library_path(model, std::string(platform)))) return std::string(platform);
    std::string wanted, there;
    for (const auto platform : platforms)
        wanted += (wanted.empty() ? "" : " or ") + library_path(model, std::string(platform));
    for (const auto& platform : archive.platforms()) there += (there.empty() ? "" : ", ") + platform;
    throw Error(Cause::unsupported, "cannot run on this machine: it has no " + wanted +
                                        " (it has binaries for: " + (there.empty() ? "nothing" : there) + ")");
}

}  // namespace

UnpackFolder::UnpackFolder()
{
    const auto parent = temporary_directory();
    struct statvfs mount{};
    if (::statvfs(parent.c_str(), &mount) == 0 && (mount.f_flag & ST_NOEXEC) != 0)
        throw Error(Cause::io, "cannot be loaded: the temporary folder " + parent.string() +
                                   " is on a file system without execution (noexec). Set TMPDIR to another folder");
    sweep(parent);
    auto name = (parent / prefix).string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
        throw Error(Cause::io, {.file = parent},
                    std::string("cannot create a temporary folder: ") + std::strerror(errno));
    path_ = name;
    lock_ = lock_folder(path_);
    const std::lock_guard lock(folders().mutex);
    folders().paths.insert(path_);
}

UnpackFolder::~UnpackFolder()
{
    {
        const std::lock_guard lock(folders().mutex);
        folders().paths.erase(path_);
    }
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

UnpackedModel::UnpackedModel(const FmuDescription& model)
{
    const FmuArchive archive(model.file);
    const auto platform = choose_platform(archive, model);
    const auto library = library_path(model, platform);
    archive.unpack(folder(), platform);
    check_machine(folder(), library);
    library_ = folder() / library;
}

}  // namespace ositrace::fmu

namespace ositrace {

void remove_fmu_folders() noexcept
{
    const std::lock_guard lock(fmu::folders().mutex);
    for (const auto& path : fmu::folders().paths) {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
}

}  // namespace ositrace
