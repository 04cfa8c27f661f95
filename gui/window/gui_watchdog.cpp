// SPDX-License-Identifier: MPL-2.0
#include "gui/window/gui_watchdog.hpp"

#include <algorithm>

#include <QCoreApplication>
#include <QMetaObject>

namespace ositrace::gui {

namespace {

constexpr auto ask_every = std::chrono::milliseconds(2);

}  // namespace

GuiWatchdog::GuiWatchdog(QObject* parent) : QObject(parent), asker_([this](const std::stop_token& stop) { run(stop); }) {}

GuiWatchdog::~GuiWatchdog()
{
    asker_.request_stop();
    asker_.join();
}

std::chrono::nanoseconds GuiWatchdog::longest_block() const noexcept { return Clock::duration(longest_.load()); }

void GuiWatchdog::reset() noexcept { longest_ = 0; }

void GuiWatchdog::answer()
{
    const auto asked = asked_.exchange(0);
    if (asked == 0) return;
    const auto took = Clock::now().time_since_epoch().count() - asked;
    longest_ = std::max(longest_.load(), took);
}

void GuiWatchdog::run(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(ask_every);
        if (asked_ != 0) continue;
        asked_ = Clock::now().time_since_epoch().count();
        QMetaObject::invokeMethod(this, &GuiWatchdog::answer, Qt::QueuedConnection);
    }
}

}  // namespace ositrace::gui
