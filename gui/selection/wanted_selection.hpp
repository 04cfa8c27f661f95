// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gui/selection/selection.hpp"
#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// What is selected as soon as its message is shown.
struct WantedSelection {
    std::uint32_t source = 0;                     ///< index of the channel in the session
    std::uint64_t number = 0;                     ///< of the message
    std::optional<std::uint64_t> id;              ///< of the thing
    std::string path;                             ///< in the message; without an id
    Category category = Category::moving_object;  ///< of the thing; it may be the host, too
};

/// Selects it if the snapshot shows its message, and forgets it then. `snapshot` may be null.
void select_when_shown(std::optional<WantedSelection>& wanted, const Snapshot* snapshot, Selection& selection);

}  // namespace ositrace::gui
