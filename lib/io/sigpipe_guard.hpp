// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <pthread.h>

#include <csignal>
#include <ctime>

namespace ositrace {

/// While it lives, a write of this thread to a pipe that nobody reads fails with EPIPE and does not end the process.
/// Works by blocking the signal in the thread and taking back the one that the write left pending: no handler is
/// touched.
class SigpipeGuard {
public:
    SigpipeGuard() noexcept
    {
        sigset_t pending;
        ::sigpending(&pending);
        was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &sigpipe(), &before_);
    }
    SigpipeGuard(const SigpipeGuard&) = delete;
    SigpipeGuard& operator=(const SigpipeGuard&) = delete;
    ~SigpipeGuard()
    {
        const timespec now{};
        if (!was_pending_) ::sigtimedwait(&sigpipe(), nullptr, &now);
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    static const sigset_t& sigpipe() noexcept
    {
        static const sigset_t set = [] {
            sigset_t only;
            ::sigemptyset(&only);
            ::sigaddset(&only, SIGPIPE);
            return only;
        }();
        return set;
    }

    sigset_t before_{};
    bool was_pending_;
};

}  // namespace ositrace
