// SPDX-License-Identifier: MPL-2.0
#include "gui/window/gui_watchdog.hpp"

#include <algorithm>

#include <QCoreApplication>
#include <QMetaObject>

namespace ositrace::gui {

namespace {

constexpr auto ask_every = std::chrono::milliseconds(2);

}  // namespace

GuiWatchdog::GuiWatchdog(QObject* parent) : QObject(parent), asker_([this](const std::stop_token& stop) { run(stop); })
{
}

GuiWatchdog::~GuiWatchdog()
{
    asker_.request_stop();
    asker_.join();
}

std::chrono::nanoseconds GuiWatchdog::longest_block() const noexcept
{
    const auto asked = asked_.load();
    const auto waits = asked == 0 ? 0 : now() - asked;
    return Clock::duration(std::max(longest_.load(), waits));
}

void GuiWatchdog::reset() noexcept
{
    longest_ = 0;
    if (asked_ != 0) asked_ = now();  // only this thread answers
}

GuiWatchdog::Clock::rep GuiWatchdog::now() noexcept { return Clock::now().time_since_epoch().count(); }

void GuiWatchdog::answer()
{
    const auto asked = asked_.exchange(0);
    if (asked == 0) return;
    longest_ = std::max(longest_.load(), now() - asked);
}

void GuiWatchdog::run(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(ask_every);
        if (asked_ != 0) continue;
        asked_ = now();
        QMetaObject::invokeMethod(this, &GuiWatchdog::answer, Qt::QueuedConnection);
    }
}

}  // namespace ositrace::gui
