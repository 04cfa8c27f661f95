// SPDX-License-Identifier: MPL-2.0
#include "gui/window/layout_history.hpp"

#include <QDockWidget>
#include <QMainWindow>

namespace ositrace::gui {

namespace {

constexpr auto settles_in = std::chrono::milliseconds(400);
constexpr std::size_t max_states = 50;

}  // namespace

LayoutHistory::LayoutHistory(QMainWindow& window) : QObject(&window), window_(window)
{
    settled_.setSingleShot(true);
    settled_.setInterval(settles_in);
    connect(&settled_, &QTimer::timeout, this, &LayoutHistory::note);
    for (auto* const dock : window.findChildren<QDockWidget*>()) {
        connect(dock, &QDockWidget::visibilityChanged, &settled_, qOverload<>(&QTimer::start));
        connect(dock, &QDockWidget::dockLocationChanged, &settled_, qOverload<>(&QTimer::start));
        connect(dock, &QDockWidget::topLevelChanged, &settled_, qOverload<>(&QTimer::start));
    }
}

void LayoutHistory::note()
{
    auto state = window_.saveState();
    if (!states_.empty() && states_[now_] == state) return;
    states_.resize(states_.empty() ? 0 : now_ + 1);
    states_.push_back(std::move(state));
    if (states_.size() > max_states) states_.erase(states_.begin());
    now_ = states_.size() - 1;
}

void LayoutHistory::go(int direction)
{
    if (settled_.isActive()) {
        settled_.stop();
        note();
    }
    if (direction < 0 ? now_ == 0 : now_ + 1 >= states_.size()) return;
    now_ = direction < 0 ? now_ - 1 : now_ + 1;
    window_.restoreState(states_[now_]);
    settled_.stop();
    states_[now_] = window_.saveState();  // as Qt writes it now: the same arrangement is no change
}

}  // namespace ositrace::gui
