// SPDX-License-Identifier: MPL-2.0
#include "gui/video/hidden_path.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>

#include <ositrace/error.hpp>

#include "gui/screenshot/png_file.hpp"

namespace ositrace::gui {

namespace {

constexpr std::string_view front = ".ositrace-", file_end = ".video", folder_end = ".frames";

[[noreturn]] void fail(int code, const std::filesystem::path& target)
{
    throw Error(Cause::io, {.file = target}, std::generic_category().message(code));
}

std::filesystem::path next_name(HiddenPath::Kind kind)
{
    static std::atomic<unsigned> count{0};
    return std::string(front) + std::to_string(::getpid()) + '-' + std::to_string(count++) +
           std::string(kind == HiddenPath::Kind::file ? file_end : folder_end);
}

bool is_hidden_name(std::string_view name)
{
    const auto end = name.ends_with(file_end) ? file_end.size() : name.ends_with(folder_end) ? folder_end.size() : 0;
    if (end == 0 || !name.starts_with(front)) return false;
    return name.find_first_not_of("0123456789-", front.size()) == name.size() - end;
}

/// Opens and locks; -1 if another process holds the lock, or on a file system without locks.
int lock_of(const std::filesystem::path& path)
{
    const int opened = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (opened >= 0 && ::flock(opened, LOCK_EX | LOCK_NB) == 0) return opened;
    if (opened >= 0) ::close(opened);
    return -1;
}

void remove_abandoned(const std::filesystem::path& folder)
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (!is_hidden_name(entry.path().filename().string())) continue;
        const int lock = lock_of(entry.path());
        if (lock < 0) continue;
        std::filesystem::remove_all(entry.path(), ignored);
        ::close(lock);
    }
}

}  // namespace

HiddenPath::HiddenPath(const std::filesystem::path& folder, Kind kind, const std::filesystem::path& target)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
        throw Error(Cause::io, {.file = target},
                    std::filesystem::exists(folder, ignored) ? folder.string() + " is not a directory"
                                                             : "directory " + folder.string() + " does not exist");
    remove_abandoned(folder);
    int made = -1;
    do {
        path_ = folder / next_name(kind);
        if (kind == Kind::folder)
            made = ::mkdir(path_.c_str(), 0777);
        else
            made = ::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    } while (made < 0 && errno == EEXIST);
    if (made < 0) fail(errno, target);
    if (kind == Kind::file) ::close(made);
    lock_ = lock_of(path_);
}

HiddenPath::~HiddenPath()
{
    std::error_code ignored;
    if (!renamed_) std::filesystem::remove_all(path_, ignored);
    if (lock_ >= 0) ::close(lock_);
}

void HiddenPath::rename_to(const std::filesystem::path& target, bool overwrite)
{
    refuse_existing(target, overwrite);
    if (::rename(path_.c_str(), target.c_str()) != 0) fail(errno, target);
    renamed_ = true;
}

}  // namespace ositrace::gui
