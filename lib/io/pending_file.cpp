// SPDX-License-Identifier: MPL-2.0
#include "lib/io/pending_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

constexpr mode_t mode = 0666;  // the kernel takes the umask off
constexpr int max_links = 40;  // as the kernel

std::filesystem::path follow_links(std::filesystem::path file)
{
    std::error_code none;
    for (int i = 0; i < max_links; ++i) {
        const auto target = std::filesystem::read_symlink(file, none);
        if (none) return file;
        file = file.parent_path() / target;  // an absolute target replaces the whole
    }
    return file;
}

FileHandle open_directory(const std::filesystem::path& directory, const std::filesystem::path& target)
{
    FileHandle opened(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (opened) return opened;
    if (errno == ENOENT)
        throw Error(Cause::io, {.file = target}, "directory " + directory.string() + " does not exist");
    if (errno == ENOTDIR) throw Error(Cause::io, {.file = target}, directory.string() + " is not a directory");
    throw_system_error(errno, target);
}

constexpr std::string_view hidden_front = ".ositrace-", hidden_end = ".tmp";

std::string next_hidden_name()
{
    static std::atomic<unsigned> count{0};
    return std::string(hidden_front) + std::to_string(::getpid()) + '-' + std::to_string(count++) +
           std::string(hidden_end);
}

bool is_hidden_name(std::string_view name)
{
    if (!name.starts_with(hidden_front) || !name.ends_with(hidden_end)) return false;
    return name.find_first_not_of("0123456789-", hidden_front.size()) == name.size() - hidden_end.size();
}

/// Does the name still belong to the open file?
bool is_named(int directory, const std::string& name, int file)
{
    struct stat ours{};
    struct stat named{};
    return ::fstat(file, &ours) == 0 && ::fstatat(directory, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

/// False: somebody else holds it. A file system without locks refuses nobody.
bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

bool is_being_written(int directory, const std::string& name)
{
    const FileHandle there(::openat(directory, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    return there && !lock(there.get());
}

/// Of a writer that was killed: a living one, also on another host, holds the lock. A process id proves nothing, since
/// ids are used again. Without the lock, as where the file system has none, the file stays.
void remove_if_abandoned(int directory, const std::string& name)
{
    const FileHandle there(::openat(directory, name.c_str(), O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    if (!there || ::flock(there.get(), LOCK_EX | LOCK_NB) != 0 || !is_named(directory, name, there.get())) return;
    ::unlinkat(directory, name.c_str(), 0);
}

void remove_abandoned(int directory)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(
        ::fdopendir(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)), ::closedir);
    while (const auto* const entry = entries ? ::readdir(entries.get()) : nullptr)
        if (is_hidden_name(entry->d_name)) remove_if_abandoned(directory, entry->d_name);
}

std::string descriptor_path(int number) { return "/proc/self/fd/" + std::to_string(number); }

}  // namespace

int flush_to_system(int descriptor) noexcept
{
    const int duplicate = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return duplicate < 0 || (::close(duplicate) != 0 && errno != EINTR) ? errno : 0;
}

PendingFile::PendingFile(std::filesystem::path target, bool overwrite, Temporary preferred)
    : target_(std::move(target)), overwrite_(overwrite)
{
    const auto file = follow_links(target_);
    name_ = file.filename().string();
    if (name_.empty()) fail(target_.empty() ? ENOENT : EISDIR);
    directory_ = open_directory(file.has_parent_path() ? file.parent_path() : ".", target_);
    refuse_existing();
    if (preferred == Temporary::part)
        open_part();
    else if (preferred == Temporary::hidden || !open_unnamed())
        open_hidden();
}

PendingFile::~PendingFile()
{
    if (!hidden_name_.empty() && !kept_) ::unlinkat(directory_.get(), hidden_name_.c_str(), 0);
}

void PendingFile::refuse_existing() const
{
    struct stat existing{};
    if (::fstatat(directory_.get(), name_.c_str(), &existing, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (S_ISDIR(existing.st_mode)) fail(EISDIR);
    if (!overwrite_) fail(EEXIST);
}

bool PendingFile::open_unnamed()
{
    // Without /proc there would be no way to name it later.
    if (::access(descriptor_path(directory_.get()).c_str(), F_OK) != 0) return false;
    file_ = FileHandle(::openat(directory_.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
    return static_cast<bool>(file_);
}

void PendingFile::open_hidden()
{
    remove_abandoned(directory_.get());
    do {
        hidden_name_ = next_hidden_name();
        file_ =
            FileHandle(::openat(directory_.get(), hidden_name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode));
        if (file_) ::flock(file_.get(), LOCK_EX);
        // Until it had the lock, another process could take it for abandoned.
    } while (file_ ? !is_named(directory_.get(), hidden_name_, file_.get()) : errno == EEXIST);
    if (file_) return;
    hidden_name_.clear();
    fail(errno);
}

void PendingFile::open_part()
{
    hidden_name_ = name_ + ".part";
    const auto part = target_.string() + ".part";
    const Error in_use(Cause::exists,
                       part + " is being written by another process; choose another name, or wait for its end.");
    if (is_being_written(directory_.get(), hidden_name_)) throw in_use;
    if (overwrite_) ::unlinkat(directory_.get(), hidden_name_.c_str(), 0);
    file_ = FileHandle(::openat(directory_.get(), hidden_name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode));
    if (file_) {
        ::flock(file_.get(), LOCK_EX);  // others hold it for the moment in which they look
        kept_ = true;
        return;
    }
    const auto code = errno;
    hidden_name_.clear();
    if (code == EEXIST)
        throw Error(Cause::exists,
                    part +
                        " exists: a recording that did not end. Save what is in it with 'osiconvert recover', or use "
                        "--overwrite to replace it.");
    throw_system_error(code, part);
}

void PendingFile::publish(bool sync)
{
    if (sync && ::fsync(file_.get()) != 0) fail(errno);
    if (const auto failed = flush_to_system(file_.get()); failed != 0) fail(failed);
    if (!hidden_name_.empty()) check_is_ours();
    auto failed = hidden_name_.empty() ? link_unnamed(name_) : overwrite_ ? EEXIST : move_hidden();
    if (failed == EEXIST && overwrite_) failed = replace();
    if (failed != 0) fail(failed);
    hidden_name_.clear();
    if (sync) sync_directory();
}

void PendingFile::sync_directory() const
{
    const FileHandle directory(::openat(directory_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // A directory that may not be read, or a file system that syncs no directories, is no reason to fail.
    if (directory && ::fsync(directory.get()) != 0 && errno == EIO) fail(errno);
}

int PendingFile::link_unnamed(const std::string& name) const
{
    const auto from = descriptor_path(file_.get());
    return ::linkat(AT_FDCWD, from.c_str(), directory_.get(), name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int PendingFile::move_hidden() const
{
    const auto directory = directory_.get();
    if (::renameat2(directory, hidden_name_.c_str(), directory, name_.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (::linkat(directory, hidden_name_.c_str(), directory, name_.c_str(), 0) != 0) return errno;
    ::unlinkat(directory, hidden_name_.c_str(), 0);
    return 0;
}

/// Where somebody removed the temporary file, the name may be another's by now.
void PendingFile::check_is_ours() const
{
    if (!is_named(directory_.get(), hidden_name_, file_.get()))
        throw Error(Cause::io, {.file = target_},
                    "cannot be finished: its " + hidden_name_ + " was removed or replaced meanwhile");
}

int PendingFile::replace()
{
    while (hidden_name_.empty()) {  // a name is what can be moved over another
        auto name = next_hidden_name();
        const auto failed = link_unnamed(name);
        if (failed == 0)
            hidden_name_ = std::move(name);
        else if (failed != EEXIST)
            return failed;
    }
    const auto directory = directory_.get();
    return ::renameat(directory, hidden_name_.c_str(), directory, name_.c_str()) == 0 ? 0 : errno;
}

void PendingFile::fail(int code) const
{
    if (code == EEXIST) throw Error(Cause::exists, target_.string() + " exists. Use --overwrite to replace it.");
    throw_system_error(code, target_);
}

}  // namespace ositrace
