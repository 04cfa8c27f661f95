// SPDX-License-Identifier: MPL-2.0
#include "lib/io/output_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

constexpr mode_t mode = 0666, folder_mode = 0777;  // less the umask
constexpr int max_links = 40;                      // the limit of the kernel

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
    if (errno == ENOENT) throw Error(Cause::io, {.file = target}, "folder " + directory.string() + " does not exist");
    if (errno == ENOTDIR) throw Error(Cause::io, {.file = target}, directory.string() + " is not a folder");
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

/// False: another process holds the lock. True on a file system without locks.
bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

bool is_being_written(int directory, const std::string& name)
{
    const FileHandle there(::openat(directory, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    return there && !lock(there.get());
}

/// Removes what a writer that was killed left: one that runs, also on another host, holds the lock. Process ids prove
/// nothing, as they are reused. On a file system without locks it remains.
void remove_if_abandoned(int directory, const std::filesystem::path& parent, const std::string& name)
{
    const int to_lock = O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
    FileHandle there(::openat(directory, name.c_str(), O_WRONLY | to_lock));
    if (!there && errno == EISDIR) there = FileHandle(::openat(directory, name.c_str(), O_RDONLY | to_lock));
    if (!there || ::flock(there.get(), LOCK_EX | LOCK_NB) != 0 || !is_named(directory, name, there.get())) return;
    std::error_code ignored;
    if (::unlinkat(directory, name.c_str(), 0) != 0) std::filesystem::remove_all(parent / name, ignored);
}

void remove_abandoned(int directory, const std::filesystem::path& parent)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(
        ::fdopendir(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)), ::closedir);
    while (const auto* const entry = entries ? ::readdir(entries.get()) : nullptr)
        if (is_hidden_name(entry->d_name)) remove_if_abandoned(directory, parent, entry->d_name);
}

std::string descriptor_path(int number) { return "/proc/self/fd/" + std::to_string(number); }

/// The error that closing the descriptor would report (network file systems report a full disk only then): 0 or errno.
int flush_to_system(int descriptor) noexcept
{
    const int duplicate = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return duplicate < 0 || (::close(duplicate) != 0 && errno != EINTR) ? errno : 0;
}

}  // namespace

Error already_exists(const std::filesystem::path& file)
{
    return {Cause::exists, file.string() + " exists. Use --overwrite to replace it."};
}

PendingFile::PendingFile(std::filesystem::path target, bool overwrite, Temporary preferred)
    : target_(std::move(target)), is_folder_(preferred == Temporary::folder), overwrite_(overwrite)
{
    const auto file = follow_links(target_);
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

PendingFile::~PendingFile()
{
    if (hidden_name_.empty() || kept_) return;
    std::error_code ignored;
    if (::unlinkat(directory_.get(), hidden_name_.c_str(), 0) != 0 && is_folder_)
        std::filesystem::remove_all(path(), ignored);
}

void PendingFile::refuse_existing() const
{
    struct stat existing{};
    if (::fstatat(directory_.get(), name_.c_str(), &existing, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (S_ISDIR(existing.st_mode) && !is_folder_) fail(EISDIR);
    if (!overwrite_) fail(EEXIST);
}

bool PendingFile::open_unnamed()
{
    // Without /proc it could not get a name later.
    if (::access(descriptor_path(directory_.get()).c_str(), F_OK) != 0) return false;
    file_ = FileHandle(::openat(directory_.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
    return static_cast<bool>(file_);
}

/// A new file or folder of that name, opened; none with errno.
FileHandle PendingFile::made(const std::string& name) const
{
    if (!is_folder_)
        return FileHandle(::openat(directory_.get(), name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode));
    if (::mkdirat(directory_.get(), name.c_str(), folder_mode) != 0) return {};
    return FileHandle(::openat(directory_.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

void PendingFile::open_hidden()
{
    remove_abandoned(directory_.get(), parent_);
    do {
        hidden_name_ = next_hidden_name();
        file_ = made(hidden_name_);
        if (file_) ::flock(file_.get(), LOCK_EX);
        // Before it was locked, another process may have removed it as abandoned.
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
    file_ = made(hidden_name_);
    if (file_) {
        ::flock(file_.get(), LOCK_EX);  // other processes hold it shortly when they check it
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
    // Not an error where the directory is unreadable or the file system cannot sync directories.
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
    if (::linkat(directory, hidden_name_.c_str(), directory, name_.c_str(), 0) == 0) {
        ::unlinkat(directory, hidden_name_.c_str(), 0);
        return 0;
    }
    if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP) return errno;
    // A mounted object store has no hard links either: a file that gets the name just now is replaced.
    refuse_existing();
    return ::renameat(directory, hidden_name_.c_str(), directory, name_.c_str()) == 0 ? 0 : errno;
}

/// After the temporary file was removed, its name may belong to another file.
void PendingFile::check_is_ours() const
{
    if (!is_named(directory_.get(), hidden_name_, file_.get()))
        throw Error(Cause::io, {.file = target_},
                    "cannot be finished: its " + hidden_name_ + " was removed or replaced meanwhile");
}

int PendingFile::replace()
{
    while (hidden_name_.empty()) {  // only a named file can replace another
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
    if (code == EEXIST) throw already_exists(target_);
    throw_system_error(code, target_);
}

namespace {

/// During its lifetime a write of this thread to a pipe without a reader fails with EPIPE and does not end the process.
/// It blocks the signal in the thread and removes the one that the write left pending; handlers stay unchanged.
class SigpipeGuard {
public:
    SigpipeGuard() noexcept
    {
        sigset_t pending;
        ::sigpending(&pending);
        was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &sigpipe(), &before_);
    }
    SigpipeGuard(const SigpipeGuard&) = delete;
    SigpipeGuard& operator=(const SigpipeGuard&) = delete;
    ~SigpipeGuard()
    {
        const timespec now{};
        if (!was_pending_) ::sigtimedwait(&sigpipe(), nullptr, &now);
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    static const sigset_t& sigpipe() noexcept
    {
        static const sigset_t set = [] {
            sigset_t only;
            ::sigemptyset(&only);
            ::sigaddset(&only, SIGPIPE);
            return only;
        }();
        return set;
    }

    sigset_t before_{};
    bool was_pending_;
};

std::optional<int> own_descriptor(std::string_view file)
{
    if (file == "-" || file == "/dev/stdout") return STDOUT_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!file.starts_with(folder)) continue;
        int number = -1;
        const auto [end, failed] = std::from_chars(file.data() + folder.size(), file.data() + file.size(), number);
        if (failed == std::errc() && end == file.data() + file.size()) return number;
    }
    return std::nullopt;
}

bool is_pipe_or_device(const std::filesystem::path& file)
{
    struct stat found{};
    return ::stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

bool is_pipe_or_socket(int descriptor)
{
    struct stat found{};
    return ::fstat(descriptor, &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode));
}

iovec as_iovec(Bytes bytes) { return {const_cast<std::byte*>(bytes.data()), bytes.size()}; }

// Another process that shares the descriptor may have made it non-blocking.
bool can_go_on(int descriptor)
{
    if (errno == EINTR) return true;
    if (errno != EAGAIN) return false;
    pollfd waiting{descriptor, POLLOUT, 0};
    ::poll(&waiting, 1, -1);
    return true;
}

bool write_all(int descriptor, std::span<iovec> parts)
{
    while (!parts.empty()) {
        if (parts.front().iov_len == 0) {
            parts = parts.subspan(1);
            continue;
        }
        const auto result = ::writev(descriptor, parts.data(), static_cast<int>(parts.size()));
        if (result < 0 && !can_go_on(descriptor)) return false;
        for (auto done = static_cast<std::size_t>(result < 0 ? 0 : result); done != 0;) {
            auto& part = parts.front();
            const auto taken = std::min(done, part.iov_len);
            part = {static_cast<std::byte*>(part.iov_base) + taken, part.iov_len - taken};
            done -= taken;
            if (part.iov_len == 0) parts = parts.subspan(1);
        }
    }
    return true;
}

}  // namespace

bool is_written_in_place(const std::filesystem::path& file)
{
    return own_descriptor(file.native()) || is_pipe_or_device(file);
}

OutputFile::OutputFile(const std::filesystem::path& file, OutputOptions options)
    : file_(file == "-" ? "standard output" : file), options_(options)
{
    if (const auto own = own_descriptor(file.native())) {
        open_in_place(::fcntl(*own, F_DUPFD_CLOEXEC, 0));
    } else if (is_pipe_or_device(file)) {
        open_in_place(::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    } else {
        pending_ = std::make_unique<PendingFile>(
            file, options.overwrite,
            options.recording ? PendingFile::Temporary::part : PendingFile::Temporary::unnamed);
        descriptor_ = pending_->descriptor();
    }
    buffer_.clear(buffer_bytes);
}

void OutputFile::open_in_place(int descriptor)
{
    if (descriptor < 0) throw_system_error(errno, file_);
    in_place_ = FileHandle(descriptor);
    descriptor_ = descriptor;
    may_break_ = is_pipe_or_socket(descriptor);
}

void OutputFile::write(Bytes head, Bytes body)
{
    const auto bytes = head.size() + body.size();
    size_ += bytes;
    if (bytes >= large_bytes) return put(head, body);
    if (buffer_.size() + bytes > buffer_bytes) flush();
    buffer_.append(head);
    buffer_.append(body);
}

void OutputFile::flush() { put({}, {}); }

void OutputFile::put(Bytes head, Bytes body)
{
    if (incomplete_) throw Error(Cause::io, {.file = file_}, "a write failed before");
    std::array parts{as_iovec(buffer_.bytes()), as_iovec(head), as_iovec(body)};
    std::optional<SigpipeGuard> guard;
    if (may_break_) guard.emplace();
    incomplete_ = true;
    if (!write_all(descriptor_, parts)) throw_system_error(errno, file_);
    incomplete_ = false;
    buffer_.clear();
    if (pending_ && options_.sync) start_to_disk();
}

// What close() waits for is on its way to the disk while the rest is made. Errors come again when close() waits.
void OutputFile::start_to_disk() noexcept
{
    constexpr std::uint64_t at_once = std::uint64_t{8} << 20;
    if (size_ - to_disk_ < at_once) return;
    ::sync_file_range(descriptor_, static_cast<off_t>(to_disk_), static_cast<off_t>(size_ - to_disk_),
                      SYNC_FILE_RANGE_WRITE);
    to_disk_ = size_;
}

void OutputFile::discard() noexcept
{
    if (pending_) pending_->discard();
}

std::uint64_t OutputFile::close()
{
    if (descriptor_ < 0) return size_;
    put({}, {});
    if (pending_) {
        pending_->publish(options_.sync);
        pending_.reset();
    } else if (const auto failed = flush_to_system(in_place_.get()); failed != 0) {
        throw_system_error(failed, file_);
    }
    in_place_ = {};
    descriptor_ = -1;
    return size_;
}

}  // namespace ositrace
