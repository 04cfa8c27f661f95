// SPDX-License-Identifier: MPL-2.0
// Requests that a program ends: Ctrl-C, SIGTERM and SIGHUP; on Windows the events of the console. For programs alone: a
// library leaves them to the program.
#pragma once

#include <functional>
#include <memory>

namespace ositrace {

/// During its lifetime such a request does not end the program: a thread of its own calls `on_request` for each, with
/// its number. Requests that the program was started to ignore (nohup) are ignored. Create it before other threads,
/// which must not receive the requests. One at a time.
class InterruptWatch {
public:
    explicit InterruptWatch(std::function<void(int request)> on_request);
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    ~InterruptWatch();

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// During its lifetime a request waits. Create it before other threads.
class HeldInterrupts {
public:
    HeldInterrupts();
    HeldInterrupts(const HeldInterrupts&) = delete;
    HeldInterrupts& operator=(const HeldInterrupts&) = delete;
    /// A request that has arrived ends the process here.
    ~HeldInterrupts();

    /// One has arrived.
    [[nodiscard]] bool has_one() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// As Ctrl-C does.
void interrupt_this_process() noexcept;
/// Ends the program by the request, as its sender expects: a shell loop then also ends.
[[noreturn]] void end_as_interrupted(int request);

}  // namespace ositrace
