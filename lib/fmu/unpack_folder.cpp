// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/unpack_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ositrace/error.hpp>
#include <ositrace/fmu.hpp>

#include "lib/io/temporary_name.hpp"

namespace ositrace::fmu {

namespace {

constexpr std::string_view prefix = "ositrace-fmu-";
constexpr std::time_t grace_seconds = 60;  // between a folder's making and its lock

/// The folder, open and locked; none when it is somebody else's, or in use.
FileHandle lock_folder(const std::filesystem::path& folder)
{
    FileHandle opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened || ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) return {};
    return opened;
}

bool may_be_left_behind(const std::filesystem::path& folder)
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
        if (!may_be_left_behind(entry.path())) continue;
        if (const auto lock = lock_folder(entry.path())) {
            std::error_code ignored;
            std::filesystem::remove_all(entry.path(), ignored);
        }
    }
}

/// The folders there are, for remove_fmu_folders().
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

UnpackFolder::UnpackFolder()
{
    const auto parent = temporary_directory();
    sweep(parent);
    auto name = temporary_name(parent, prefix);
    if (::mkdtemp(name.data()) == nullptr)
        throw Error(Cause::io, {.file = parent},
                    std::string("cannot make a temporary folder: ") + std::strerror(errno));
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
