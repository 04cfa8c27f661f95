// SPDX-License-Identifier: MPL-2.0
#include "gui/session/snapshot.hpp"

#include <algorithm>

#include "gui/compare/comparison.hpp"

namespace ositrace::gui {

std::size_t Snapshot::bytes() const noexcept
{
    std::size_t total = sizeof(*this) + channels.size() * sizeof(ShownFrame) + (picture ? picture->bytes() : 0);
    for (const auto& each : channels)
        total += each.frame ? std::max(each.frame->bytes.size(), each.frame->owner_bytes) : 0;
    return total + (comparison ? comparison->bytes() : 0);
}

}  // namespace ositrace::gui
