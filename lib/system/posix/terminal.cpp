// SPDX-License-Identifier: MPL-2.0
#include "lib/system/terminal.hpp"

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "lib/system/posix/descriptor.hpp"

namespace ositrace {

namespace {

termios usual{};
std::atomic<bool> changed = false;

int descriptor_of(StandardStream stream) noexcept { return static_cast<int>(stream); }

}  // namespace

static_assert(static_cast<int>(StandardStream::input) == STDIN_FILENO);
static_assert(static_cast<int>(StandardStream::output) == STDOUT_FILENO);
static_assert(static_cast<int>(StandardStream::error) == STDERR_FILENO);

void prepare_standard_streams() noexcept
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) >= 0) continue;
        // Each one is opened so that using it still fails.
        // NOLINTNEXTLINE: open(2) has no other form.
        if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) std::abort();
    }
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

bool is_terminal(StandardStream stream) noexcept { return ::isatty(descriptor_of(stream)) == 1; }

bool is_standard_output(const std::filesystem::path& file) noexcept
{
    if (file == "-") return true;
    struct stat named{};
    struct stat ours{};
    return ::stat(file.c_str(), &named) == 0 && ::fstat(STDOUT_FILENO, &ours) == 0 && named.st_dev == ours.st_dev &&
           named.st_ino == ours.st_ino;
}

bool output_reader_is_gone() noexcept
{
    pollfd state{STDOUT_FILENO, 0, 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0;
}

void drop_buffered_output() noexcept { ::__fpurge(stdout); }

FileHandle inherited_output(const char* variable)
{
    const char* const text = std::getenv(variable);
    if (text == nullptr) return {};
    const std::string_view number(text);
    int descriptor = -1;
    const auto [end, error] = std::from_chars(number.begin(), number.end(), descriptor);
    const bool valid = error == std::errc{} && end == number.end() && descriptor > STDERR_FILENO &&
                       ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
    ::unsetenv(variable);
    return valid ? FileHandle(descriptor) : FileHandle();
}

OutputAside::OutputAside() noexcept : kept_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
{
    if (kept_) ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

OutputAside::~OutputAside()
{
    if (kept_) ::dup2(descriptor_of(kept_), STDOUT_FILENO);
}

bool read_single_keys() noexcept
{
    if (::isatty(STDIN_FILENO) == 0 || ::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return false;
    if (::tcgetattr(STDIN_FILENO, &usual) != 0) return false;
    auto keys = usual;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    changed = ::tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
    return changed;
}

void restore_terminal() noexcept
{
    if (changed.exchange(false)) ::tcsetattr(STDIN_FILENO, TCSANOW, &usual);
}

}  // namespace ositrace
