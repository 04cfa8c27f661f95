// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/session/snapshot.hpp"

class QAbstractItemView;
class QMenu;
class QMimeData;

namespace ositrace::gui {

/// Fields that are dragged from one panel to another, to be plotted.
struct DraggedFields {
    std::uint32_t source = 0;              ///< index of the channel in the session
    std::vector<std::string> expressions;  ///< see CurveExpression
};

[[nodiscard]] std::unique_ptr<QMimeData> mime_of(const DraggedFields& fields);
/// Empty if something else is dragged.
[[nodiscard]] std::optional<DraggedFields> dragged_fields(const QMimeData& data);
/// Runs a drag from a view until it is dropped.
void drag(const DraggedFields& fields, QAbstractItemView& from);

/// Actions of a context menu that plot these fields, and the same of every object.
void add_plot_actions(QMenu& menu, const DraggedFields& fields,
                      const std::function<void(std::uint32_t source, const std::string& expression)>& plot);

/// `path` with ids in the place of indices, as far as the message has them (path_by_id()).
[[nodiscard]] std::string keyed_by_id(const Snapshot& snapshot, std::uint32_t source, const std::string& path);
/// The expression that plots a field: its path keyed by id, of a vector its length; empty if it has no numbers.
[[nodiscard]] std::string plotted_expression(const Snapshot& snapshot, std::uint32_t source, const std::string& path);

}  // namespace ositrace::gui
