// SPDX-License-Identifier: MPL-2.0
#include "gui/session/moment.hpp"

namespace ositrace::gui {

std::size_t Moment::bytes() const noexcept
{
    std::size_t total = sizeof(*this) + channels.size() * sizeof(ShownFrame) + (picture ? picture->bytes() : 0);
    for (const auto& each : channels) total += each.frame ? each.frame->bytes.size() : 0;
    return total;
}

}  // namespace ositrace::gui
