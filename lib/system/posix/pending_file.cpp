// SPDX-License-Identifier: MPL-2.0
#include "lib/system/pending_file.hpp"

#include <cstdio>
#include <string>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/system/output.hpp"
#include "lib/system/posix/descriptor.hpp"
#include "lib/system/posix/last_error.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

namespace {

constexpr mode_t file_mode = 0666, folder_mode = 0777;  // less the umask

FileHandle open_directory(const std::filesystem::path& directory, const std::filesystem::path& target)
{
    FileHandle opened(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (opened) return opened;
    if (errno == ENOENT) throw Error(Cause::io, {.file = target}, "folder " + directory.string() + " does not exist");
    if (errno == ENOTDIR) throw Error(Cause::io, {.file = target}, directory.string() + " is not a folder");
    throw_system_error(last_error(), target);
}

std::string new_hidden_name() { return pending::next_hidden_name(static_cast<std::uint64_t>(::getpid())); }

/// Does the name still belong to the open file?
bool is_named(int directory, const std::string& name, int file)
{
    struct stat ours{};
    struct stat named{};
    return ::fstat(file, &ours) == 0 && ::fstatat(directory, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

/// False: another process holds the lock. True on a file system without locks.
bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

bool is_being_written(int directory, const std::string& name)
{
    const FileHandle there(::openat(directory, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    return there && !lock(descriptor_of(there));
}

/// Removes what a writer that was killed left: one that runs, also on another host, holds the lock. Process ids prove
/// nothing, as they are reused. On a file system without locks it remains.
void remove_if_abandoned(int directory, const std::filesystem::path& parent, const std::string& name)
{
    const int to_lock = O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
    FileHandle there(::openat(directory, name.c_str(), O_WRONLY | to_lock));
    if (!there && errno == EISDIR) there = FileHandle(::openat(directory, name.c_str(), O_RDONLY | to_lock));
    if (!there || ::flock(descriptor_of(there), LOCK_EX | LOCK_NB) != 0 ||
        !is_named(directory, name, descriptor_of(there)))
        return;
    std::error_code ignored;
    if (::unlinkat(directory, name.c_str(), 0) != 0) std::filesystem::remove_all(parent / name, ignored);
}

void remove_abandoned(int directory, const std::filesystem::path& parent)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(
        ::fdopendir(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)), ::closedir);
    while (const auto* const entry = entries ? ::readdir(entries.get()) : nullptr)
        if (pending::is_hidden_name(entry->d_name)) remove_if_abandoned(directory, parent, entry->d_name);
}

std::string descriptor_path(const FileHandle& file) { return "/proc/self/fd/" + std::to_string(file.native()); }

}  // namespace

class PendingFile::Implementation {
public:
    Implementation(std::filesystem::path target, bool overwrite, Temporary preferred)
        : target_(std::move(target)), is_folder_(preferred == Temporary::folder), overwrite_(overwrite)
    {
        const auto file = pending::follow_links(target_);
        name_ = file.filename().string();
        if (name_.empty()) fail(target_.empty() ? ENOENT : EISDIR);
        parent_ = file.has_parent_path() ? file.parent_path() : ".";
        directory_ = open_directory(parent_, target_);
        refuse_existing();
        if (preferred == Temporary::part)
            open_part();
        else if (preferred != Temporary::unnamed || !open_unnamed())
            open_hidden();
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation()
    {
        if (hidden_name_.empty() || kept_) return;
        std::error_code ignored;
        if (::unlinkat(directory(), hidden_name_.c_str(), 0) != 0 && is_folder_)
            std::filesystem::remove_all(path(), ignored);
    }

    [[nodiscard]] const FileHandle& file() const noexcept { return file_; }
    [[nodiscard]] std::filesystem::path path() const { return parent_ / hidden_name_; }
    void discard() noexcept { kept_ = false; }
    void publish(bool sync);

private:
    [[nodiscard]] int directory() const noexcept { return descriptor_of(directory_); }
    void refuse_existing() const;
    bool open_unnamed();
    [[nodiscard]] FileHandle made(const std::string& name) const;
    void open_hidden();
    void open_part();
    void sync_directory() const;
    /// 0 or errno; the first two do not replace an existing target.
    int link_unnamed(const std::string& name) const;
    int move_hidden() const;
    int replace();
    void check_is_ours() const;
    [[noreturn]] void fail(int code) const;

    std::filesystem::path target_;  ///< as the caller names it: for messages
    std::filesystem::path parent_;  ///< of name_
    std::string name_;              ///< in directory_, links followed
    FileHandle directory_;
    FileHandle file_;
    std::string hidden_name_;  ///< in directory_; empty while the file has no name
    bool kept_ = false;        ///< unpublished, too
    bool is_folder_;
    bool overwrite_;
};

void PendingFile::Implementation::refuse_existing() const
{
    struct stat existing{};
    if (::fstatat(directory(), name_.c_str(), &existing, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (S_ISDIR(existing.st_mode) && !is_folder_) fail(EISDIR);
    if (!overwrite_) fail(EEXIST);
}

bool PendingFile::Implementation::open_unnamed()
{
    // Without /proc it could not get a name later.
    if (::access(descriptor_path(directory_).c_str(), F_OK) != 0) return false;
    file_ = FileHandle(::openat(directory(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, file_mode));
    return static_cast<bool>(file_);
}

/// A new file or folder of that name, opened; none with errno.
FileHandle PendingFile::Implementation::made(const std::string& name) const
{
    if (!is_folder_)
        return FileHandle(::openat(directory(), name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, file_mode));
    if (::mkdirat(directory(), name.c_str(), folder_mode) != 0) return {};
    return FileHandle(::openat(directory(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

void PendingFile::Implementation::open_hidden()
{
    remove_abandoned(directory(), parent_);
    do {
        hidden_name_ = new_hidden_name();
        file_ = made(hidden_name_);
        if (file_) ::flock(descriptor_of(file_), LOCK_EX);
        // Before it was locked, another process may have removed it as abandoned.
    } while (file_ ? !is_named(directory(), hidden_name_, descriptor_of(file_)) : errno == EEXIST);
    if (file_) return;
    hidden_name_.clear();
    fail(errno);
}

void PendingFile::Implementation::open_part()
{
    hidden_name_ = name_ + ".part";
    const auto part = target_.string() + ".part";
    if (is_being_written(directory(), hidden_name_)) throw pending::part_in_use(part);
    if (overwrite_) ::unlinkat(directory(), hidden_name_.c_str(), 0);
    file_ = made(hidden_name_);
    if (file_) {
        ::flock(descriptor_of(file_), LOCK_EX);  // other processes hold it shortly when they check it
        kept_ = true;
        return;
    }
    const auto error = last_error();
    hidden_name_.clear();
    if (error == std::errc::file_exists) throw pending::part_exists(part);
    throw_system_error(error, part);
}

void PendingFile::Implementation::publish(bool sync)
{
    if (sync && ::fsync(descriptor_of(file_)) != 0) fail(errno);
    if (const auto error = flush_to_system(file_)) fail(error.value());
    if (!hidden_name_.empty()) check_is_ours();
    auto failed = hidden_name_.empty() ? link_unnamed(name_) : overwrite_ ? EEXIST : move_hidden();
    if (failed == EEXIST && overwrite_) failed = replace();
    if (failed != 0) fail(failed);
    hidden_name_.clear();
    if (sync) sync_directory();
}

void PendingFile::Implementation::sync_directory() const
{
    const FileHandle opened(::openat(directory(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Not an error where the directory is unreadable or the file system cannot sync directories.
    if (opened && ::fsync(descriptor_of(opened)) != 0 && errno == EIO) fail(errno);
}

int PendingFile::Implementation::link_unnamed(const std::string& name) const
{
    const auto from = descriptor_path(file_);
    return ::linkat(AT_FDCWD, from.c_str(), directory(), name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int PendingFile::Implementation::move_hidden() const
{
    if (::renameat2(directory(), hidden_name_.c_str(), directory(), name_.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (::linkat(directory(), hidden_name_.c_str(), directory(), name_.c_str(), 0) == 0) {
        ::unlinkat(directory(), hidden_name_.c_str(), 0);
        return 0;
    }
    if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP) return errno;
    // A mounted object store has no hard links either: a file that gets the name just now is replaced.
    refuse_existing();
    return ::renameat(directory(), hidden_name_.c_str(), directory(), name_.c_str()) == 0 ? 0 : errno;
}

/// After the temporary file was removed, its name may belong to another file.
void PendingFile::Implementation::check_is_ours() const
{
    if (!is_named(directory(), hidden_name_, descriptor_of(file_)))
        throw pending::temporary_is_gone(target_, hidden_name_);
}

int PendingFile::Implementation::replace()
{
    while (hidden_name_.empty()) {  // only a named file can replace another
        auto name = new_hidden_name();
        const auto failed = link_unnamed(name);
        if (failed == 0)
            hidden_name_ = std::move(name);
        else if (failed != EEXIST)
            return failed;
    }
    return ::renameat(directory(), hidden_name_.c_str(), directory(), name_.c_str()) == 0 ? 0 : errno;
}

void PendingFile::Implementation::fail(int code) const
{
    if (code == EEXIST) throw already_exists(target_);
    throw_system_error({code, std::system_category()}, target_);
}

PendingFile::PendingFile(std::filesystem::path target, bool overwrite, Temporary preferred)
    : implementation_(std::make_unique<Implementation>(std::move(target), overwrite, preferred))
{
}

PendingFile::~PendingFile() = default;
const FileHandle& PendingFile::file() const noexcept { return implementation_->file(); }
std::filesystem::path PendingFile::path() const { return implementation_->path(); }
void PendingFile::publish(bool sync) { implementation_->publish(sync); }
void PendingFile::discard() noexcept { implementation_->discard(); }

}  // namespace ositrace
