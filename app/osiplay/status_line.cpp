// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/status_line.hpp"

#include <chrono>

#include "app/osiplay/play_report.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

constexpr auto redraw_every = std::chrono::milliseconds(100);

double seconds_of(Nanoseconds time) { return static_cast<double>(time.count()) * 1e-9; }

}  // namespace

StatusLine::StatusLine(Messages& messages)
    : messages_(messages), thread_([this](const std::stop_token& stop) { draw(stop); })
{
}

StatusLine::~StatusLine()
{
    thread_.request_stop();
    thread_.join();
    messages_.clear_progress();
}

void StatusLine::update(const PlayStatus& status)
{
    const std::lock_guard lock(mutex_);
    latest_ = {status.position.time, status.now, status.lost, status.frame_bytes, status.late};
}

std::string StatusLine::text_of(const Shown& shown)
{
    const auto clock = std::chrono::steady_clock::now();
    if (!first_) {
        first_ = shown.now;
        began_ = clock;
    }
    const auto elapsed = std::chrono::duration<double>(clock - began_).count();
    std::string text = decimal_text(seconds_of(shown.time), 1) + " s";
    if (elapsed > 1) text += ", rate " + decimal_text(seconds_of(shown.now - *first_) / elapsed, 2);
    text += ", late " + short_time_text(shown.late) + ", frame " + bytes_text(shown.frame_bytes);
    if (shown.lost != 0) text += ", " + std::to_string(shown.lost) + " lost";
    return text;
}

void StatusLine::draw(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, stop, redraw_every, [&] { return stop.stop_requested(); })) {
        const auto shown = latest_;
        lock.unlock();
        if (shown) messages_.status(text_of(*shown));
        lock.lock();
    }
}

}  // namespace ositrace::app
