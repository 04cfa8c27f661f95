// SPDX-License-Identifier: MPL-2.0
#include "lib/io/output_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>

#include <ositrace/error.hpp>

#include "lib/io/sigpipe_guard.hpp"

namespace ositrace {

namespace {

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

// A descriptor may have been made non-blocking by whoever shares it with us.
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
    if (incomplete_) throw Error(Cause::io, {.file = file_}, "given up, because a write failed before");
    std::array parts{as_iovec(buffer_.bytes()), as_iovec(head), as_iovec(body)};
    std::optional<SigpipeGuard> guard;
    if (may_break_) guard.emplace();
    incomplete_ = true;
    if (!write_all(descriptor_, parts)) throw_system_error(errno, file_);
    incomplete_ = false;
    buffer_.clear();
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
