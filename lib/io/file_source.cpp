// SPDX-License-Identifier: MPL-2.0
#include "lib/io/file_source.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/io/random_access.hpp"

namespace ositrace {

namespace {

constexpr std::chrono::milliseconds follow_interval{50};
constexpr int pipe_bytes = 1 << 20;

/// Less than the kernel accepts in one call.
constexpr std::size_t max_read_bytes = std::size_t{1} << 30;

}  // namespace

InterruptibleWait::InterruptibleWait() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (!event_) throw_system_error(errno, {}, "eventfd");
}

bool InterruptibleWait::readable(int descriptor, const std::stop_token& stop) { return wait(descriptor, -1, stop); }

bool InterruptibleWait::pause(std::chrono::milliseconds time, const std::stop_token& stop)
{
    return wait(-1, static_cast<int>(time.count()), stop);
}

bool InterruptibleWait::wait(int descriptor, int timeout_ms, const std::stop_token& stop)
{
    std::uint64_t count = 0;
    // An earlier stop request may have written. Usually there is nothing to read.
    [[maybe_unused]] const auto drained = ::read(event_.get(), &count, sizeof count);
    const std::stop_callback wake(stop, [event = event_.get()] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(event, &one, sizeof one);
    });
    std::array<pollfd, 2> waiting{pollfd{event_.get(), POLLIN, 0}, pollfd{descriptor, POLLIN, 0}};
    while (!stop.stop_requested()) {
        const auto ready = ::poll(waiting.data(), waiting.size(), timeout_ms);
        if (ready < 0 && errno != EINTR) throw_system_error(errno, {}, "poll");
        if (ready == 0 || (ready > 0 && waiting[1].revents != 0)) return !stop.stop_requested();
    }
    return false;
}

FileSource::FileSource(FileHandle file, std::filesystem::path name, FileSourceOptions options)
    : file_(std::move(file)), name_(std::move(name)), follow_(options.follow), position_(options.offset)
{
    const auto status = status_of(file_, name_);
    regular_ = S_ISREG(status.st_mode);
    if (regular_) {
        size_ = static_cast<std::uint64_t>(status.st_size);
        ::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    if (S_ISFIFO(status.st_mode)) ::fcntl(file_.get(), F_SETPIPE_SZ, pipe_bytes);  // a failure only makes it slower
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
    if (size == 0) return std::nullopt;  // the size of a file in /proc is 0
    return size;
}

std::shared_ptr<const RandomAccess> FileSource::random_access() const
{
    if (!end() || name_ == input_name("-")) return nullptr;
    return open_file(name_);
}

std::optional<std::uint64_t> FileSource::bytes_total() const noexcept
{
    if (!regular_ || follow_) return std::nullopt;
    return size_;
}

}  // namespace ositrace
