// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/interrupt.hpp"

#include <atomic>
#include <utility>

namespace ositrace::app {
namespace {

/// timeout(1) signals its child and then the group of the child: that is one request.
constexpr auto same_request = std::chrono::milliseconds(200);

std::atomic<int> received_signal = 0;

}  // namespace

Interrupt::Interrupt(std::function<void()> clean_up)
    : clean_up_(std::move(clean_up)), watch_([this](int request) { requested(request); })
{
}

void Interrupt::requested(int request)
{
    const auto now = std::chrono::steady_clock::now();
    if (stop_.stop_requested()) {
        if (now - first_ < same_request) return;
        if (clean_up_) clean_up_();
        end_as_interrupted(request);
    }
    first_ = now;
    received_signal = request;
    stop_.request_stop();
}

int Interrupt::received() noexcept { return received_signal; }

}  // namespace ositrace::app
