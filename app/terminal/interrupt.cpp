// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/interrupt.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

namespace ositrace::app {
namespace {

/// timeout(1) signals its child and then the group of the child: that is one request.
constexpr auto same_request = std::chrono::milliseconds(200);

std::atomic<int> received_signal = 0;

bool is_ignored(int signal)
{
    struct sigaction action{};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

// The signals are blocked in all threads, and one thread waits for them, so no code runs in a signal handler.
Interrupt::Interrupt(std::function<void()> clean_up) : clean_up_(std::move(clean_up))
{
    sigemptyset(&watched_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        if (!is_ignored(signal)) sigaddset(&watched_, signal);  // nohup
    }
    sigaddset(&watched_, SIGUSR2);  // our own, to end the thread
    pthread_sigmask(SIG_BLOCK, &watched_, &before_);
    watcher_ = std::thread([this] { watch(); });
}

Interrupt::~Interrupt()
{
    ending_ = true;
    pthread_kill(watcher_.native_handle(), SIGUSR2);
    watcher_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interrupt::watch()
{
    int signal = 0;
    std::chrono::steady_clock::time_point first;
    while (sigwait(&watched_, &signal) == 0 && !ending_) {
        if (signal == SIGUSR2) continue;
        const auto now = std::chrono::steady_clock::now();
        if (stop_.stop_requested()) {
            if (now - first < same_request) continue;
            if (clean_up_) clean_up_();
            end_by_signal(signal);
        }
        first = now;
        received_signal = signal;
        stop_.request_stop();
    }
}

int Interrupt::received() noexcept { return received_signal; }

void end_by_signal(int signal)
{
    std::signal(signal, SIG_DFL);
    sigset_t only{};
    sigemptyset(&only);
    sigaddset(&only, signal);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    std::raise(signal);
    std::_Exit(128 + signal);
}

}  // namespace ositrace::app
