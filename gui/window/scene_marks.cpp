// SPDX-License-Identifier: MPL-2.0
#include "gui/window/scene_marks.hpp"

#include <array>
#include <cstddef>

#include "gui/compare/comparison.hpp"

namespace ositrace::gui {

std::vector<SceneMark> marks_of(const Snapshot& snapshot)
{
    const auto* const comparison = snapshot.comparison.get();
    if (comparison == nullptr || !comparison->objects || comparison->is_shown != std::array{true, true}) return {};
    constexpr std::size_t most = 2000;
    const auto& objects = *comparison->objects;
    if (objects.pairs.size() + objects.missed.size() + objects.ghosts.size() > most) return {};
    std::vector<SceneMark> marks;
    for (const auto& pair : objects.pairs) marks.push_back({SceneMark::Kind::pair, pair.a.position, pair.b.position});
    for (const auto& missed : objects.missed) marks.push_back({SceneMark::Kind::missed, missed.position, {}});
    for (const auto& ghost : objects.ghosts) marks.push_back({SceneMark::Kind::ghost, ghost.position, {}});
    return marks;
}

}  // namespace ositrace::gui
