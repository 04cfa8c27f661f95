// SPDX-License-Identifier: MPL-2.0
#include "gui/selection/selection.hpp"

#include <utility>

namespace ositrace::gui {

void Selection::select(Selected selected)
{
    if (current_ == selected) return;
    current_ = std::move(selected);
    emit changed();
}

void Selection::clear()
{
    if (!current_) return;
    current_.reset();
    emit changed();
}

}  // namespace ositrace::gui
