// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/key_control.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <utility>

#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace ositrace::app {
namespace {

constexpr std::array<std::pair<std::string_view, Key>, 10> sequences{{
    {" ", Key::space},
    {"q", Key::q},
    {"\x1b[A", Key::up},
    {"\x1bOA", Key::up},
    {"\x1b[B", Key::down},
    {"\x1bOB", Key::down},
    {"\x1b[C", Key::right},
    {"\x1bOC", Key::right},
    {"\x1b[D", Key::left},
    {"\x1bOD", Key::left},
}};

constexpr auto jump = std::chrono::seconds(1);
/// How often the thread looks whether it is to end.
constexpr int look_every_ms = 50;

termios usual{};
std::atomic<bool> changed = false;

bool read_single_keys()
{
    if (::isatty(STDIN_FILENO) == 0 || ::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return false;
    if (::tcgetattr(STDIN_FILENO, &usual) != 0) return false;
    auto keys = usual;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    changed = ::tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
    return changed;
}

}  // namespace

void restore_terminal() noexcept
{
    if (changed.exchange(false)) ::tcsetattr(STDIN_FILENO, TCSANOW, &usual);
}

std::vector<Key> keys_in(std::string_view typed)
{
    std::vector<Key> keys;
    while (!typed.empty()) {
        const auto found =
            std::ranges::find_if(sequences, [&](const auto& row) { return typed.starts_with(row.first); });
        if (found != sequences.end()) keys.push_back(found->second);
        typed.remove_prefix(found != sequences.end() ? found->first.size() : 1);
    }
    return keys;
}

KeyControl::KeyControl(Player& player, double rate, bool paused, bool seekable, StatusLine* line)
    : player_(player), rate_(rate), paused_(paused), seekable_(seekable), line_(line)
{
    show_pause();
    if (read_single_keys()) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

KeyControl::~KeyControl()
{
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
    restore_terminal();
}

void KeyControl::update(const PlayStatus& status)
{
    const std::lock_guard lock(mutex_);
    position_ = status.position.time;
}

void KeyControl::watch(const std::stop_token& stop)
{
    std::array<char, 256> typed{};
    while (!stop.stop_requested()) {
        pollfd keyboard{STDIN_FILENO, POLLIN, 0};
        if (::poll(&keyboard, 1, look_every_ms) <= 0) continue;
        const auto count = ::read(STDIN_FILENO, typed.data(), typed.size());
        if (count <= 0) return;  // the terminal is gone
        for (const auto key : keys_in({typed.data(), static_cast<std::size_t>(count)})) press(key);
    }
}

void KeyControl::press(Key key)
{
    switch (key) {
    case Key::space:
        paused_ = !paused_;
        paused_ ? player_.pause() : player_.resume();
        show_pause();
        return;
    case Key::right: return paused_ ? player_.step_forward() : seek_by(jump);
    case Key::left:
        if (!seekable_) return;
        return paused_ ? player_.step_back() : seek_by(-jump);
    case Key::up:
    case Key::down:
        rate_ = std::clamp(key == Key::up ? rate_ * 2 : rate_ / 2, Timeline::min_rate, Timeline::max_rate);
        return player_.set_rate(rate_);
    case Key::q: ::kill(::getpid(), SIGINT); return;
    }
}

void KeyControl::seek_by(Nanoseconds distance)
{
    const std::lock_guard lock(mutex_);
    if (seekable_ && position_) player_.seek(*position_ + distance);
}

void KeyControl::show_pause()
{
    if (line_ != nullptr) line_->set_paused(paused_);
}

}  // namespace ositrace::app
