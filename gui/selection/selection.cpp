// SPDX-License-Identifier: MPL-2.0
#include "gui/selection/selection.hpp"

#include <utility>

#include "gui/selection/thing_path.hpp"

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

void Selection::follow(const Picture& picture)
{
    if (!current_ || !current_->thing) return;
    const auto message_path = path_of(picture, *current_->thing);
    if (message_path.empty() || stands_in(current_->path, message_path)) return;
    select({current_->thing, current_->source, moved_path(current_->path, message_path)});
}

}  // namespace ositrace::gui
