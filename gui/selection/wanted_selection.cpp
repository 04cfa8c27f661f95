// SPDX-License-Identifier: MPL-2.0
#include "gui/selection/wanted_selection.hpp"

#include <utility>

namespace ositrace::gui {

void select_when_shown(std::optional<WantedSelection>& wanted, const Snapshot* snapshot, Selection& selection)
{
    if (!wanted || snapshot == nullptr || wanted->source >= snapshot->channels.size() ||
        snapshot->channels[wanted->source].number != wanted->number)
        return;
    const auto now = *std::exchange(wanted, std::nullopt);
    const auto& picture = *snapshot->picture;
    if (!now.id) return selection.select({thing_at(picture, now.source, now.path), now.source, now.path});
    const bool may_be_host = now.category == Category::moving_object;
    for (const auto category : {now.category, may_be_host ? Category::host : now.category})
        if (const auto* const thing = picture.find(ThingKey{now.source, category, *now.id}))
            return selection.select({thing->key, now.source, thing->path});
}

}  // namespace ositrace::gui
