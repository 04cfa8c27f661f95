// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <QLineF>
#include <QPolygonF>

namespace ositrace::gui {

/// The part of a line within the square from -limit to limit; empty where there is none, and for what is no finite
/// number.
[[nodiscard]] inline std::optional<QLineF> clipped(QPointF from, QPointF to, double limit)
{
    const auto way = to - from;
    if (!std::isfinite(way.x()) || !std::isfinite(way.y())) return std::nullopt;
    double begin = 0, end = 1;
    const auto cut = [&](double at, double along) {  // at + t * along <= limit
        if (along > 0) end = std::min(end, (limit - at) / along);
        if (along < 0) begin = std::max(begin, (limit - at) / along);
        return at <= limit || along < 0;
    };
    const bool inside =
        cut(from.x(), way.x()) && cut(-from.x(), -way.x()) && cut(from.y(), way.y()) && cut(-from.y(), -way.y());
    if (!inside || !(begin <= end)) return std::nullopt;
    return QLineF(begin > 0 ? from + begin * way : from, end < 1 ? from + end * way : to);
}

/// The part of a polygon of finite corners within that square.
[[nodiscard]] inline QPolygonF clipped(QPolygonF polygon, double limit)
{
    for (const auto& outward : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) {
        QPolygonF inside;
        for (qsizetype i = 0; i < polygon.size(); ++i) {
            const auto &from = polygon[i == 0 ? polygon.size() - 1 : i - 1], &to = polygon[i];
            const double room_before = limit - QPointF::dotProduct(from, outward),
                         room = limit - QPointF::dotProduct(to, outward);
            if ((room_before < 0) != (room < 0)) inside << from + room_before / (room_before - room) * (to - from);
            if (room >= 0) inside << to;
        }
        polygon = std::move(inside);
    }
    return polygon;
}

}  // namespace ositrace::gui
