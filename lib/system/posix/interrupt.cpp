// SPDX-License-Identifier: MPL-2.0
#include "lib/system/interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

#include <unistd.h>

namespace ositrace {

namespace {

constexpr std::array requests{SIGINT, SIGTERM, SIGHUP};

bool is_ignored(int signal)
{
    struct sigaction action{};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Those that are not ignored.
sigset_t heeded_requests()
{
    sigset_t heeded;
    ::sigemptyset(&heeded);
    for (const int signal : requests)
        if (!is_ignored(signal)) ::sigaddset(&heeded, signal);  // nohup
    return heeded;
}

}  // namespace

/// The signals are blocked in all threads, and one thread waits for them, so no code runs in a signal handler.
class InterruptWatch::Implementation {
public:
    explicit Implementation(std::function<void(int)> on_request)
        : on_request_(std::move(on_request)), watched_(heeded_requests())
    {
        ::sigaddset(&watched_, SIGUSR2);  // our own, to end the thread
        ::pthread_sigmask(SIG_BLOCK, &watched_, &before_);
        watcher_ = std::thread([this] { watch(); });
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation()
    {
        ending_ = true;
        ::pthread_kill(watcher_.native_handle(), SIGUSR2);
        watcher_.join();
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    void watch()
    {
        int signal = 0;
        while (::sigwait(&watched_, &signal) == 0 && !ending_)
            if (signal != SIGUSR2) on_request_(signal);
    }

    std::function<void(int)> on_request_;
    sigset_t watched_;
    sigset_t before_{};
    std::atomic<bool> ending_ = false;
    std::thread watcher_;
};

InterruptWatch::InterruptWatch(std::function<void(int)> on_request)
    : implementation_(std::make_unique<Implementation>(std::move(on_request)))
{
}

InterruptWatch::~InterruptWatch() = default;

class HeldInterrupts::Implementation {
public:
    Implementation() : held_(heeded_requests()) { ::pthread_sigmask(SIG_BLOCK, &held_, &before_); }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    [[nodiscard]] bool has_one() const
    {
        sigset_t pending;
        if (::sigpending(&pending) != 0) return false;
        for (const int signal : requests)
            if (::sigismember(&held_, signal) == 1 && ::sigismember(&pending, signal) == 1) return true;
        return false;
    }

private:
    sigset_t held_;
    sigset_t before_{};
};

HeldInterrupts::HeldInterrupts() : implementation_(std::make_unique<Implementation>()) {}
HeldInterrupts::~HeldInterrupts() = default;
bool HeldInterrupts::has_one() const { return implementation_->has_one(); }

void interrupt_this_process() noexcept { ::kill(::getpid(), SIGINT); }

void end_as_interrupted(int request)
{
    std::signal(request, SIG_DFL);
    sigset_t only{};
    ::sigemptyset(&only);
    ::sigaddset(&only, request);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    std::raise(request);
    std::_Exit(128 + request);
}

}  // namespace ositrace
