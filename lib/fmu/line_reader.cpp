// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/line_reader.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace ositrace::fmu {

namespace {

constexpr std::size_t max_line_bytes = 4096;

/// As many as a pipe can hold at most, so that what a process wrote last is read; a process that never stops writing is
/// left then.
constexpr int pieces_at_once = 64;

}  // namespace

LineReader::LineReader(FileHandle from, std::function<void(std::string_view line)> take)
    : from_(std::move(from)), stop_(::eventfd(0, EFD_CLOEXEC)), take_(std::move(take))
{
    // A process that the model did not end may keep the other end open forever.
    ::fcntl(from_.get(), F_SETFL, O_NONBLOCK);
    thread_ = std::thread([this] { read_all(); });
}

LineReader::~LineReader()
{
    const std::uint64_t one = 1;
    static_cast<void>(!::write(stop_.get(), &one, sizeof one));
    thread_.join();
}

void LineReader::read_all()
{
    std::array<pollfd, 2> events{
        {{.fd = from_.get(), .events = POLLIN, .revents = 0}, {.fd = stop_.get(), .events = POLLIN, .revents = 0}}};
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
        const auto count = ::read(from_.get(), piece.data(), piece.size());
        if (count == 0) return false;
        if (count < 0) return errno == EAGAIN || errno == EINTR;
        text_.append(piece.data(), static_cast<std::size_t>(count));
        hand_over(false);
    }
    return true;
}

void LineReader::hand_over(bool also_unfinished)
{
    std::string_view rest = text_;
    while (!rest.empty()) {
        auto end = rest.substr(0, max_line_bytes).find('\n');
        const bool cut = end == std::string_view::npos;
        if (cut && rest.size() < max_line_bytes && !also_unfinished) break;
        if (cut) end = std::min(rest.size(), max_line_bytes);
        if (take_) take_(rest.substr(0, end));
        rest.remove_prefix(cut ? end : end + 1);
    }
    text_.erase(0, text_.size() - rest.size());
}

}  // namespace ositrace::fmu
