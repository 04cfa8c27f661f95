// SPDX-License-Identifier: MPL-2.0
// Videos that the command line requests: of the scene, and of the whole window.
#pragma once

#include <csignal>

#include <ositrace/error.hpp>

#include "gui/window/view_options.hpp"

namespace ositrace::gui {

class ViewerWindow;

/// During its lifetime Ctrl+C, SIGTERM and SIGHUP wait, so that what was written can be removed first. Create it before
/// any thread.
class HeldSignals {
public:
    HeldSignals()
    {
        sigemptyset(&held_);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction action{};
            const bool is_ignored = sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;  // nohup
            if (!is_ignored) sigaddset(&held_, signal);
        }
        pthread_sigmask(SIG_BLOCK, &held_, &before_);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    /// A signal that has arrived ends the process here.
    ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    [[nodiscard]] bool has_one() const
    {
        sigset_t pending;
        if (sigpending(&pending) != 0) return false;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
            if (sigismember(&held_, signal) == 1 && sigismember(&pending, signal) == 1) return true;
        return false;
    }
    /// Throws Error (cancelled) if one has arrived.
    void refuse_any() const
    {
        if (has_one()) throw Error(Cause::cancelled, "stopped: nothing was written");
    }

private:
    sigset_t held_{};
    sigset_t before_{};
};

/// Writes a video of the scene, without a display. Call it before any QApplication exists: it creates its own. Prints a
/// summary to standard output. A held signal stops it; what was written is removed. Throws Error: usage for options
/// that do not fit the trace.
void take_video(const ViewOptions& options, const HeldSignals& held);

/// The same of the whole window, which is arranged and visible.
void take_window_video(ViewerWindow& window, const ViewOptions& options, const HeldSignals& held);

}  // namespace ositrace::gui
