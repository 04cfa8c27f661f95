// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/fmu/host/exchange.hpp"
#include "lib/fmu/line_reader.hpp"
#include "lib/fmu/model_runner.hpp"
#include "lib/system/file.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::fmu {

namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto check_interval = 5ms;  ///< of whether the process has ended while a reply is awaited
constexpr auto longest_call_after_stop = 1000ms;
constexpr auto longest_end_after_stop = 10000ms;

constexpr auto host_name = "ositrace-fmu-host";

std::vector<std::filesystem::path> usual_places()
{
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    std::vector<std::filesystem::path> places;
    if (!error) places = {folder / host_name, folder.parent_path() / OSITRACE_LIBEXECDIR / "ositrace" / host_name};
    places.emplace_back(std::filesystem::path(OSITRACE_FULL_LIBEXECDIR) / "ositrace" / host_name);
    return places;
}

std::filesystem::path find_host_program(const std::filesystem::path& requested)
{
    auto places = usual_places();
    if (const char* const named = std::getenv("OSITRACE_FMU_HOST"); named != nullptr && *named != '\0')
        places = {named};
    if (!requested.empty()) places = {requested};
    std::string missing;
    for (const auto& place : places) {
        if (::access(place.c_str(), X_OK) == 0) return place;
        missing += (missing.empty() ? "" : ", ") + place.string();
    }
    throw Error(Cause::io, "needs the program ositrace-fmu-host, which is missing (no such file: " + missing +
                               "). Set OSITRACE_FMU_HOST to its path.");
}

[[noreturn]] void fail_to_start(std::string_view what, int error)
{
    throw Error(Cause::io, "cannot get a process of its own: " + std::string(what) + ": " + std::strerror(error));
}

struct Pipe {
    FileHandle read, write;
};

/// Both ends have numbers above those that the child uses, so that dup2() to those never closes one of them.
Pipe make_pipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_to_start("pipe", errno);
    const FileHandle low_read(ends[0]), low_write(ends[1]);
    Pipe pipe{FileHandle(::fcntl(ends[0], F_DUPFD_CLOEXEC, first_foreign_descriptor)),
              FileHandle(::fcntl(ends[1], F_DUPFD_CLOEXEC, first_foreign_descriptor))};
    if (pipe.read.get() < 0 || pipe.write.get() < 0) fail_to_start("pipe", errno);
    return pipe;
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

    void pass(int descriptor, int as) { ::posix_spawn_file_actions_adddup2(&actions_, descriptor, as); }

    [[nodiscard]] pid_t start(const std::filesystem::path& program) const
    {
        pid_t id = -1;
        auto name = program.string();
        const std::array<char*, 2> arguments{name.data(), nullptr};
        const int error = ::posix_spawn(&id, program.c_str(), &actions_, &attributes_, arguments.data(), environ);
        if (error != 0) fail_to_start(program.string(), error);
        return id;
    }

private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

/// How a process ended.
struct ProcessEnd {
    int status = 0;  ///< of waitpid()

    [[nodiscard]] bool is_success() const noexcept { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
    /// `crashed (SIGSEGV)`
    [[nodiscard]] std::string text() const
    {
        if (WIFEXITED(status)) return "ended its own process (exit code " + std::to_string(WEXITSTATUS(status)) + ")";
        const int signal = WTERMSIG(status);
        const char* const name = ::sigabbrev_np(signal);
        const auto signal_text = name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name);
        return signal == SIGKILL ? "was killed (SIGKILL)" : "crashed (" + signal_text + ")";
    }
};

/// The process of a model. It has a process group of its own, so that Ctrl-C at the terminal does not reach it. Its
/// output is passed on line by line.
class ChildProcess {
public:
    /// `memory`: a descriptor that the process inherits. Throws Error (io).
    ChildProcess(const std::filesystem::path& program, int memory, OnLine on_line)
    {
        auto lifeline = make_pipe();
        auto output = make_pipe();
        const FileHandle shared(::fcntl(memory, F_DUPFD_CLOEXEC, first_foreign_descriptor));
        SpawnPlan plan;
        plan.pass(output.write.get(), STDOUT_FILENO);
        plan.pass(output.write.get(), STDERR_FILENO);
        plan.pass(lifeline.read.get(), lifeline_descriptor);
        plan.pass(shared.get(), memory_descriptor);
        id_ = plan.start(program);
        handle_ = FileHandle(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
        lifeline_ = std::move(lifeline.write);
        output.write.close();
        lines_ = std::make_unique<LineReader>(std::move(output.read), std::move(on_line));
    }
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess() { kill(); }

    /// Empty while it runs. Waits at most so long for the end.
    [[nodiscard]] std::optional<ProcessEnd> ended(std::chrono::milliseconds wait = {})
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
            reap(0);  // another part of the program waited for it
        return ended_;
    }
    /// Ends it with all processes that it started.
    void kill()
    {
        if (ended_) return;
        ::kill(-id_, SIGKILL);
        int status = 0;
        while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
        }
        reap(status);
    }
    /// Of the process itself, without those that it started.
    [[nodiscard]] std::chrono::nanoseconds processor_time() const noexcept
    {
        clockid_t clock{};
        timespec time{};
        if (ended_ || ::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }
    /// The largest memory so far, shared pages included; 0 if the process has ended or the system does not report it.
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
        ended_ = ProcessEnd{status};
    }

    pid_t id_ = -1;
    FileHandle lifeline_;  ///< closed by the end of this process, however that comes about
    FileHandle handle_;    ///< pidfd
    std::optional<ProcessEnd> ended_;
    std::unique_ptr<LineReader> lines_;
};

/// Limits the wait for a call; the limit after a stop is shorter.
class Patience {
public:
    Patience(std::chrono::milliseconds timeout, std::stop_token stop, std::chrono::milliseconds after_stop)
        : timeout_(timeout), stop_(std::move(stop)), after_stop_(after_stop)
    {
    }

    /// Kills the process and throws ModelGone if a limit has passed. `what` (`did not return`) follows the name of the
    /// model.
    void check(ChildProcess& process, const std::string& what)
    {
        const auto now = steady_clock::now();
        if (!stopped_ && stop_.stop_requested()) stopped_ = now;
        const bool stopped = stopped_ && now - *stopped_ > after_stop_;
        if (!stopped && now - began_ <= timeout_) return;
        process.kill();
        if (stopped)
            throw ModelGone(Cause::cancelled, what + " within " + exact_seconds_text(after_stop_) + " after the stop");
        throw ModelGone(Cause::io, what + " within " + exact_seconds_text(timeout_));
    }

private:
    steady_clock::time_point began_ = steady_clock::now();
    std::chrono::milliseconds timeout_;
    std::stop_token stop_;
    std::chrono::milliseconds after_stop_;
    std::optional<steady_clock::time_point> stopped_;
};

class ChildRunner final : public ModelRunner {
public:
    ChildRunner(const HostSetup& setup, const std::filesystem::path& host_program, OnLine on_line, std::stop_token stop)
        : stop_(std::move(stop)),
          binaries_(setup.binaries.size()),
          max_message_bytes_(setup.max_message_bytes),
          memory_(ExchangeMemory::create(binaries_)),
          windows_(binaries_)
    {
        const auto text = serialize(setup);
        if (text.size() > max_setup_bytes)
            throw Error(Cause::limit, "the parameters, " + std::to_string(text.size()) +
                                          " bytes, exceed the limit of " + std::to_string(max_setup_bytes) + " bytes");
        std::memcpy(memory_.setup(), text.data(), text.size());
        memory_.state().setup_bytes = text.size();
        process_.emplace(find_host_program(host_program), memory_.descriptor(), std::move(on_line));
    }

    void set_input(std::size_t binary, Bytes bytes) override
    {
        // Two windows in turn: the input of a step lives until the end of the next one.
        auto& [window, set] = windows_[binary];
        if (!std::exchange(set, true)) window ^= 1;
        if (!bytes.empty()) std::memcpy(memory_.window(binary, window), bytes.data(), bytes.size());
        memory_.state().slots[binary] = {.size = bytes.size(), .window = window};
    }

    void prepare() override { publish_processor(); }

    void run(Command command, StepTime time, std::chrono::milliseconds timeout) override
    {
        auto& state = memory_.state();
        state.command = command;
        state.time = time;
        const auto number = state.request.load() + 1;
        state.request.store(number);
        wake(state.request);
        // A model that finishes may have files to write.
        Patience patience(timeout, stop_,
                          command == Command::finish ? longest_end_after_stop : longest_call_after_stop);
        wait_for(number, patience);
        publish_processor();
        for (auto& window : windows_) window.set = false;
        if (state.failed != 0) fail();
        if (command == Command::finish) await_end(patience);
    }

    Bytes output(std::size_t binary) const override
    {
        const auto size = memory_.state().slots[binary].size;  // unverified: the process of the model writes it
        if (size > max_message_bytes_ || size > window_bytes) return {};
        return {memory_.window(binary, 0), size};
    }
    std::chrono::nanoseconds step_entered() const noexcept override
    {
        return std::chrono::nanoseconds(memory_.state().step_entered);
    }
    std::chrono::nanoseconds other_processor_time() const noexcept override { return process_->processor_time(); }
    std::uint64_t peak_process_bytes() const noexcept override { return process_->peak_bytes(); }

private:
    void publish_processor() { memory_.state().replay_processor.store(::sched_getcpu(), std::memory_order_relaxed); }

    void wait_for(std::uint32_t number, Patience& patience)
    {
        const auto& reply = memory_.state().reply;
        while (reply.load() != number) {
            // Sleeps at once: the model may need this processor.
            wait_while(reply, number - 1, check_interval);
            if (reply.load() == number) return;
            if (const auto end = process_->ended()) {
                if (reply.load() == number) return;  // it replied before it ended
                throw ModelGone(Cause::io, end->text());
            }
            patience.check(*process_, "did not return");
        }
    }

    [[noreturn]] void fail() const
    {
        const auto& state = memory_.state();
        const auto length = ::strnlen(state.reason.data(), state.reason.size());
        const auto cause = state.cause <= static_cast<std::uint32_t>(Cause::usage) ? static_cast<Cause>(state.cause)
                                                                                   : Cause::malformed;
        throw Error(cause, std::string_view(state.reason.data(), length));
    }

    void await_end(Patience& patience)
    {
        std::optional<ProcessEnd> end;
        while (!(end = process_->ended(check_interval))) patience.check(*process_, "did not end");
        if (!end->is_success()) throw ModelGone(Cause::io, end->text());
    }

    std::stop_token stop_;
    std::size_t binaries_;
    std::size_t max_message_bytes_;
    ExchangeMemory memory_;
    struct Window {
        std::uint32_t which = 0;
        bool set = false;  ///< since the last command
    };
    std::vector<Window> windows_;
    std::optional<ChildProcess> process_;
};

}  // namespace

std::unique_ptr<ModelRunner> run_in_child(const HostSetup& setup, const std::filesystem::path& host_program,
                                          OnLine on_line, std::stop_token stop)
{
    return std::make_unique<ChildRunner>(setup, host_program, std::move(on_line), std::move(stop));
}

}  // namespace ositrace::fmu
