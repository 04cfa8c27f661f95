// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "gui/objects/object_columns.hpp"
#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"

class QMainWindow;

namespace ositrace::gui {

/// The arrangement of the window, without the open files: stored in a file `*.osiview.json`.
struct Layout {
    QByteArray geometry;  ///< of the window, in Qt's format; empty: unchanged
    QByteArray state;     ///< of its panels
    std::optional<Theme> theme;
    std::optional<Camera> camera;  ///< direction and distance; the position is that of the trace
    bool labels = true;
    bool legend = true;
    bool grid = true;
    std::vector<int> hidden;  ///< categories
    std::string cloud_field;
    double point_size = 2;
    bool turns_along = false;  ///< the camera turns with the heading of the followed object
    bool arrows_by_message = true;
    std::string find;    ///< expression of the panel `Find in time`
    QStringList states;  ///< fields of the panel `States`
    ObjectColumns object_columns;
};

[[nodiscard]] QJsonObject to_json(const Layout& layout);
/// Ignores unknown members and clamps numbers to their ranges. Empty with `why` if it is not a layout.
[[nodiscard]] std::optional<Layout> layout_of(const QByteArray& json, QString& why);

/// Sets hidden categories, grid, colouring and size of points; the theme stays.
void apply_layout(const Layout& layout, RenderOptions& options);

/// Returns an empty text, or the error.
[[nodiscard]] QString write_layout(const QString& file, const Layout& layout);
[[nodiscard]] std::optional<Layout> read_layout(const QString& file, QString& why);

/// Remembers the arrangement of the panels, so that a change can be undone.
class LayoutHistory : public QObject {
    Q_OBJECT
public:
    /// `window`: must contain its panels already.
    explicit LayoutHistory(QMainWindow& window);
    void undo() { go(-1); }
    void redo() { go(1); }

private:
    void note();
    void go(int direction);

    QMainWindow& window_;
    std::vector<QByteArray> states_;
    std::size_t now_ = 0;
    QTimer settled_;
};

}  // namespace ositrace::gui
