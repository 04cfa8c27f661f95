// SPDX-License-Identifier: MPL-2.0
#include "lib/io/file_source.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace ositrace {

namespace {

constexpr std::chrono::milliseconds follow_interval{50};
constexpr int pipe_bytes = 1 << 20;

/// What the kernel accepts in one call, with room to spare.
constexpr std::size_t max_read_bytes = std::size_t{1} << 30;

}  // namespace

FileSource::FileSource(FileHandle file, std::filesystem::path name, FileSourceOptions options)
    : file_(std::move(file)), name_(std::move(name)), follow_(options.follow), position_(options.offset)
{
    const auto status = status_of(file_, name_);
    regular_ = S_ISREG(status.st_mode);
    if (regular_) {
        size_ = static_cast<std::uint64_t>(status.st_size);
        ::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    if (S_ISFIFO(status.st_mode))
        ::fcntl(file_.get(), F_SETPIPE_SZ, pipe_bytes);  // a larger pipe is a favour, not a need
}

std::unique_ptr<FileSource> FileSource::open(const std::filesystem::path& file, FileSourceOptions options)
{
    auto source = std::make_unique<FileSource>(open_for_reading(file), input_name(file), options);
    if (is_standard_input(file) && source->regular_) {
        const auto here = std::max<off_t>(::lseek(source->file_.get(), 0, SEEK_CUR), 0);
        source->start_ = static_cast<std::uint64_t>(here);
        source->size_ = source->size_now();
    }
    return source;
}

std::size_t FileSource::read(std::span<std::byte> into, std::stop_token stop)
{
    into = into.first(std::min(into.size(), max_read_bytes));
    const auto count = regular_ ? read_regular(into, stop) : read_stream(into, stop);
    position_.fetch_add(count, std::memory_order_relaxed);
    return count;
}

std::size_t FileSource::read_regular(std::span<std::byte> into, const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        const auto count =
            ::pread(file_.get(), into.data(), into.size(), static_cast<off_t>(start_ + bytes_consumed()));
        if (count > 0) return static_cast<std::size_t>(count);
        if (count < 0 && errno != EINTR) throw_system_error(errno, name_);
        if (count < 0) continue;
        check_not_shrunk();
        if (!follow_ || !wait_.pause(follow_interval, stop)) return 0;
    }
    return 0;
}

std::size_t FileSource::read_stream(std::span<std::byte> into, const std::stop_token& stop)
{
    while (wait_.readable(file_.get(), stop)) {
        const auto count = ::read(file_.get(), into.data(), into.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR && errno != EAGAIN) throw_system_error(errno, name_);
    }
    return 0;
}

void FileSource::check_not_shrunk()
{
    const auto size = size_now();
    if (size < size_) throw_shrunk(name_, bytes_consumed(), size_, size);
    size_ = size;
}

std::uint64_t FileSource::size_now() const
{
    const auto size = static_cast<std::uint64_t>(status_of(file_, name_).st_size);
    return size - std::min(size, start_);
}

std::optional<std::uint64_t> FileSource::end() const
{
    if (!regular_ || follow_) return std::nullopt;
    const auto size = size_now();
    if (size == 0) return std::nullopt;  // files of /proc have no size and can be read
    return size;
}

std::optional<std::uint64_t> FileSource::bytes_total() const noexcept
{
    if (!regular_ || follow_) return std::nullopt;
    return size_;
}

}  // namespace ositrace
