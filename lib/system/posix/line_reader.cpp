// SPDX-License-Identifier: MPL-2.0
#include "lib/system/line_reader.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/system/posix/descriptor.hpp"
#include "lib/system/posix/last_error.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

namespace {

/// As many as a pipe can hold at most, so that what a process wrote last is read; a process that never stops writing is
/// left then.
constexpr int pieces_at_once = 64;

}  // namespace

Pipe make_pipe(std::string_view doing)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_system_error(last_error(), {}, doing);
    return {FileHandle(ends[0]), FileHandle(ends[1])};
}

LineReader::LineReader(FileHandle from, std::function<void(std::string_view line)> take)
    : from_(std::move(from)), stop_(::eventfd(0, EFD_CLOEXEC)), take_(std::move(take))
{
    // A process that the model did not end may keep the other end open forever.
    ::fcntl(descriptor_of(from_), F_SETFL, O_NONBLOCK);
    thread_ = std::thread([this] { read_all(); });
}

LineReader::~LineReader()
{
    const std::uint64_t one = 1;
    static_cast<void>(!::write(descriptor_of(stop_), &one, sizeof one));
    thread_.join();
}

void LineReader::read_all()
{
    std::array<pollfd, 2> events{{{.fd = descriptor_of(from_), .events = POLLIN, .revents = 0},
                                  {.fd = descriptor_of(stop_), .events = POLLIN, .revents = 0}}};
    bool open = true;
    while (open && events[1].revents == 0) {
        if (::poll(events.data(), events.size(), -1) < 0 && errno != EINTR) break;
        open = read_some();
    }
    hand_over(true);
}

bool LineReader::read_some()
{
    std::array<char, 16384> piece;
    for (int i = 0; i < pieces_at_once; ++i) {
        const auto count = ::read(descriptor_of(from_), piece.data(), piece.size());
        if (count == 0) return false;
        if (count < 0) return errno == EAGAIN || errno == EINTR;
        text_.append(piece.data(), static_cast<std::size_t>(count));
        hand_over(false);
    }
    return true;
}

}  // namespace ositrace
