// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include "gui/render/camera.hpp"
#include "gui/render/colours.hpp"

namespace ositrace::gui {

/// How a person has arranged the window, without what is open: kept in a file `*.osiview.json`.
struct Layout {
    QByteArray geometry;  ///< of the window, as Qt writes it; empty: as it is
    QByteArray state;     ///< of its panels
    std::optional<Theme> theme;
    std::optional<Camera> camera;  ///< how one looks; the place is that of the trace
    bool labels = true;
    bool legend = true;
    bool grid = true;
    std::vector<int> hidden;  ///< categories
    std::string cloud_field;
    double point_size = 2;
    bool turns_along = false;  ///< the camera, with the heading of what it follows
    bool arrows_by_message = true;
};

[[nodiscard]] QJsonObject to_json(const Layout& layout);
/// Takes what it knows, ignores the rest; numbers are held in their ranges. Empty with `why` when it is no layout.
[[nodiscard]] std::optional<Layout> layout_of(const QByteArray& json, QString& why);

/// Empty, or why it could not be written.
[[nodiscard]] QString write_layout(const QString& file, const Layout& layout);
[[nodiscard]] std::optional<Layout> read_layout(const QString& file, QString& why);

}  // namespace ositrace::gui
