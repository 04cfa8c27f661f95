// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <optional>

#include <QLineF>

namespace ositrace::gui {

/// The part of a line within the square from -limit to limit; empty where there is none, and for what is no number.
[[nodiscard]] inline std::optional<QLineF> clipped(QPointF from, QPointF to, double limit)
{
    const auto way = to - from;
    double begin = 0, end = 1;
    const auto cut = [&](double at, double along) {  // at + t * along <= limit
        if (along > 0) end = std::min(end, (limit - at) / along);
        if (along < 0) begin = std::max(begin, (limit - at) / along);
        return at <= limit || along < 0;
    };
    const bool inside = cut(from.x(), way.x()) && cut(-from.x(), -way.x()) && cut(from.y(), way.y()) && cut(-from.y(), -way.y());
    if (!inside || !(begin <= end)) return std::nullopt;
    return QLineF(from + begin * way, from + end * way);
}

}  // namespace ositrace::gui
