// SPDX-License-Identifier: MPL-2.0
#include "lib/system/locked_folder.hpp"

#include <cstdlib>
#include <ctime>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/system/posix/descriptor.hpp"
#include "lib/system/posix/last_error.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

bool allows_programs(const std::filesystem::path& folder) noexcept
{
    struct statvfs mount{};
    return ::statvfs(folder.c_str(), &mount) != 0 || (mount.f_flag & ST_NOEXEC) == 0;
}

namespace locked_folder {

std::filesystem::path create(const std::filesystem::path& parent, std::string_view prefix)
{
    auto name = (parent / prefix).string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw_system_error(last_error(), parent, "cannot create a temporary folder");
    return name;
}

FileHandle lock(const std::filesystem::path& folder)
{
    FileHandle opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened || ::flock(descriptor_of(opened), LOCK_EX | LOCK_NB) != 0) return {};
    return opened;
}

bool is_own_and_old(const std::filesystem::path& folder, int seconds)
{
    struct stat status{};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
           std::time(nullptr) - status.st_mtime > seconds;
}

}  // namespace locked_folder

}  // namespace ositrace
