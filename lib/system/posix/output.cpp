// SPDX-License-Identifier: MPL-2.0
#include "lib/system/output.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <csignal>
#include <ctime>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/system/posix/descriptor.hpp"
#include "lib/system/posix/last_error.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

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

// Another process that shares the descriptor may have made it non-blocking.
bool can_go_on(int descriptor)
{
    if (errno == EINTR) return true;
    if (errno != EAGAIN) return false;
    pollfd waiting{descriptor, POLLOUT, 0};
    ::poll(&waiting, 1, -1);
    return true;
}

std::error_code write_all(int descriptor, std::span<iovec> parts)
{
    while (!parts.empty()) {
        if (parts.front().iov_len == 0) {
            parts = parts.subspan(1);
            continue;
        }
        const auto result = ::writev(descriptor, parts.data(), static_cast<int>(parts.size()));
        if (result < 0 && !can_go_on(descriptor)) return last_error();
        for (auto done = static_cast<std::size_t>(result < 0 ? 0 : result); done != 0;) {
            auto& part = parts.front();
            const auto taken = std::min(done, part.iov_len);
            part = {static_cast<std::byte*>(part.iov_base) + taken, part.iov_len - taken};
            done -= taken;
            if (part.iov_len == 0) parts = parts.subspan(1);
        }
    }
    return {};
}

}  // namespace

bool is_written_in_place(const std::filesystem::path& file)
{
    if (own_descriptor(file.native())) return true;
    const auto there = status_of(file);
    return there && there->kind != FileKind::regular && there->kind != FileKind::folder;
}

FileHandle open_in_place(const std::filesystem::path& file, const std::filesystem::path& name)
{
    const auto own = own_descriptor(file.native());
    FileHandle opened(own ? ::fcntl(*own, F_DUPFD_CLOEXEC, 0) : ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!opened) throw_system_error(last_error(), name);
    return opened;
}

bool may_break(const FileHandle& output) noexcept
{
    struct stat found{};
    return ::fstat(descriptor_of(output), &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode));
}

std::error_code write_pieces(const FileHandle& output, std::span<const Bytes> pieces, bool breaks) noexcept
{
    assert(pieces.size() <= most_pieces);
    std::array<iovec, most_pieces> parts;
    std::ranges::transform(pieces, parts.begin(),
                           [](Bytes piece) { return iovec{const_cast<std::byte*>(piece.data()), piece.size()}; });
    std::optional<SigpipeGuard> guard;
    if (breaks) guard.emplace();
    return write_all(descriptor_of(output), std::span(parts).first(pieces.size()));
}

void start_to_disk(const FileHandle& file, std::uint64_t offset, std::uint64_t bytes) noexcept
{
    ::sync_file_range(descriptor_of(file), static_cast<off_t>(offset), static_cast<off_t>(bytes),
                      SYNC_FILE_RANGE_WRITE);
}

std::error_code flush_to_system(const FileHandle& file) noexcept
{
    const int duplicate = ::fcntl(descriptor_of(file), F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0 || (::close(duplicate) != 0 && errno != EINTR)) return last_error();
    return {};
}

}  // namespace ositrace
