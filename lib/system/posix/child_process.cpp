// SPDX-License-Identifier: MPL-2.0
#include "lib/system/child_process.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/system/line_reader.hpp"
#include "lib/system/posix/descriptor.hpp"
#include "lib/system/posix/inherited.hpp"
#include "lib/system/posix/last_error.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

namespace {

/// With a number above those that the child uses, so that dup2() to those never closes one of them.
FileHandle high(const FileHandle& low)
{
    FileHandle high(::fcntl(descriptor_of(low), F_DUPFD_CLOEXEC, first_foreign_descriptor));
    if (!high) throw_system_error(last_error(), {}, "pipe");
    return high;
}

Pipe make_high_pipe()
{
    const auto low = make_pipe("pipe");
    return {high(low.read), high(low.write)};
}

/// Arguments of posix_spawn().
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

    void pass(const FileHandle& file, int as)
    {
        ::posix_spawn_file_actions_adddup2(&actions_, descriptor_of(file), as);
    }

    [[nodiscard]] pid_t start(const std::filesystem::path& program) const
    {
        pid_t id = -1;
        auto name = program.string();
        const std::array<char*, 2> arguments{name.data(), nullptr};
        const int error = ::posix_spawn(&id, program.c_str(), &actions_, &attributes_, arguments.data(), environ);
        if (error != 0) throw_system_error({error, std::system_category()}, {}, program.string());
        return id;
    }

private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

/// `status`: of waitpid()
ProcessEnd end_of(int status)
{
    if (WIFEXITED(status))
        return {WEXITSTATUS(status) == 0,
                "ended its own process (exit code " + std::to_string(WEXITSTATUS(status)) + ")"};
    const int signal = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(signal);
    const auto signal_text = name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name);
    return {false, signal == SIGKILL ? "was killed (SIGKILL)" : "crashed (" + signal_text + ")"};
}

}  // namespace

/// It has a process group of its own.
class ChildProcess::Implementation {
public:
    Implementation(const std::filesystem::path& program, const SharedMemory& memory,
                   std::function<void(std::string_view line)> on_line)
    {
        auto lifeline = make_high_pipe();
        auto output = make_high_pipe();
        const auto shared = high(memory.handle());
        SpawnPlan plan;
        plan.pass(output.write, STDOUT_FILENO);
        plan.pass(output.write, STDERR_FILENO);
        plan.pass(lifeline.read, lifeline_descriptor);
        plan.pass(shared, memory_descriptor);
        id_ = plan.start(program);
        handle_ = FileHandle(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
        lifeline_ = std::move(lifeline.write);
        output.write.close();
        lines_ = std::make_unique<LineReader>(std::move(output.read), std::move(on_line));
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation() { kill(); }

    [[nodiscard]] std::optional<ProcessEnd> ended(std::chrono::milliseconds wait)
    {
        if (ended_) return ended_;
        if (wait.count() > 0) {
            pollfd event{.fd = descriptor_of(handle_), .events = POLLIN, .revents = 0};
            ::poll(&event, 1, static_cast<int>(wait.count()));
        }
        int status = 0;
        const auto id = ::waitpid(id_, &status, WNOHANG);
        if (id == id_)
            reap(status);
        else if (id < 0 && errno == ECHILD)
            reap(0);  // another part of the program waited for it
        return ended_;
    }
    void kill()
    {
        if (ended_) return;
        ::kill(-id_, SIGKILL);
        int status = 0;
        while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
        }
        reap(status);
    }
    [[nodiscard]] std::chrono::nanoseconds processor_time() const noexcept
    {
        clockid_t clock{};
        timespec time{};
        if (ended_ || ::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }
    [[nodiscard]] std::uint64_t peak_bytes() const noexcept
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

private:
    void reap(int status)
    {
        ::kill(-id_, SIGKILL);  // what it started itself
        lines_.reset();
        ended_ = end_of(status);
    }

    pid_t id_ = -1;
    FileHandle lifeline_;  ///< closed by the end of this process, however that comes about
    FileHandle handle_;    ///< pidfd
    std::optional<ProcessEnd> ended_;
    std::unique_ptr<LineReader> lines_;
};

bool is_program(const std::filesystem::path& file) noexcept { return ::access(file.c_str(), X_OK) == 0; }

ChildProcess::ChildProcess(const std::filesystem::path& program, const SharedMemory& memory,
                           std::function<void(std::string_view line)> on_line)
    : implementation_(std::make_unique<Implementation>(program, memory, std::move(on_line)))
{
}

ChildProcess::~ChildProcess() = default;
std::optional<ProcessEnd> ChildProcess::ended(std::chrono::milliseconds wait) { return implementation_->ended(wait); }
void ChildProcess::kill() { implementation_->kill(); }
std::chrono::nanoseconds ChildProcess::processor_time() const noexcept { return implementation_->processor_time(); }
std::uint64_t ChildProcess::peak_bytes() const noexcept { return implementation_->peak_bytes(); }

}  // namespace ositrace
