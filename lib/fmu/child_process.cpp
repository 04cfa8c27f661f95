// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/fmu/host/descriptors.hpp"

namespace ositrace::fmu {

namespace {

[[noreturn]] void fail(std::string_view what, int error)
{
    throw Error(Cause::io, "cannot get a process of its own: " + std::string(what) + ": " + std::strerror(error));
}

struct Pipe {
    FileHandle read, write;
};

/// Both ends above those that the child gets, so that putting one in its place never hits another.
Pipe make_pipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe", errno);
    const FileHandle low_read(ends[0]), low_write(ends[1]);
    Pipe pipe{FileHandle(::fcntl(ends[0], F_DUPFD_CLOEXEC, first_foreign_descriptor)),
              FileHandle(::fcntl(ends[1], F_DUPFD_CLOEXEC, first_foreign_descriptor))};
    if (pipe.read.get() < 0 || pipe.write.get() < 0) fail("pipe", errno);
    return pipe;
}

/// What posix_spawn() wants to know, released with it.
class SpawnPlan {
public:
    SpawnPlan()
    {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
        sigset_t none, all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &all);
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        ::posix_spawnattr_setflags(&attributes_,
                                   POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan()
    {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    void give(int descriptor, int as) { ::posix_spawn_file_actions_adddup2(&actions_, descriptor, as); }

    [[nodiscard]] pid_t start(const std::filesystem::path& program) const
    {
        pid_t id = -1;
        auto name = program.string();
        const std::array<char*, 2> arguments{name.data(), nullptr};
        const int error = ::posix_spawn(&id, program.c_str(), &actions_, &attributes_, arguments.data(), environ);
        if (error != 0) fail(program.string(), error);
        return id;
    }

private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

std::string describe_end(int status)
{
    if (WIFEXITED(status)) return "ended its own process (exit code " + std::to_string(WEXITSTATUS(status)) + ")";
    const int signal = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(signal);
    const auto text = name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name);
    return signal == SIGKILL ? "was killed (SIGKILL)" : "crashed (" + text + ")";
}

}  // namespace

ChildProcess::ChildProcess(const std::filesystem::path& program, int memory,
                           std::function<void(std::string_view line)> take_line)
{
    auto lifeline = make_pipe();
    auto output = make_pipe();
    const FileHandle shared(::fcntl(memory, F_DUPFD_CLOEXEC, first_foreign_descriptor));
    SpawnPlan plan;
    plan.give(output.write.get(), STDOUT_FILENO);
    plan.give(output.write.get(), STDERR_FILENO);
    plan.give(lifeline.read.get(), lifeline_descriptor);
    plan.give(shared.get(), memory_descriptor);
    id_ = plan.start(program);
    handle_ = FileHandle(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
    lifeline_ = std::move(lifeline.write);
    output.write.close();
    lines_ = std::make_unique<LineReader>(std::move(output.read), std::move(take_line));
}

ChildProcess::~ChildProcess() { kill(); }

std::optional<std::string> ChildProcess::ended(std::chrono::milliseconds wait)
{
    if (ended_) return ended_;
    if (wait.count() > 0) {
        pollfd event{.fd = handle_.get(), .events = POLLIN, .revents = 0};
        ::poll(&event, 1, static_cast<int>(wait.count()));
    }
    int status = 0;
    const auto id = ::waitpid(id_, &status, WNOHANG);
    if (id == id_)
        reap(status);
    else if (id < 0 && errno == ECHILD)
        reap(0);  // somebody else waited for it
    return ended_;
}

void ChildProcess::kill()
{
    if (ended_) return;
    ::kill(-id_, SIGKILL);
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    reap(status);
}

std::chrono::nanoseconds ChildProcess::processor_time() const noexcept
{
    clockid_t clock{};
    timespec time{};
    if (ended_ || ::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::uint64_t ChildProcess::peak_bytes() const noexcept
{
    if (ended_) return 0;
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "/proc/%d/status", id_);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.data(), "re"), std::fclose);
    unsigned long long kibibytes = 0;
    std::array<char, 256> line{};
    while (file && std::fgets(line.data(), line.size(), file.get()) != nullptr)
        if (std::sscanf(line.data(), "VmHWM: %llu kB", &kibibytes) == 1) break;
    return kibibytes * 1024;
}

void ChildProcess::reap(int status)
{
    ::kill(-id_, SIGKILL);  // what it started itself
    lines_.reset();
    ended_ = describe_end(status);
}

}  // namespace ositrace::fmu
