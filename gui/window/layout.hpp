// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "gui/render/options.hpp"
#include "gui/scene/camera_controller.hpp"

class QMainWindow;

namespace ositrace::gui {

class DockPanel;

/// A view of the scene.
struct ViewLayout {
    std::optional<PlacedCamera> camera;
    bool labels = true;
    bool legend = true;
    bool grid = true;
    bool axes = false;
    bool directions = false;
    std::vector<int> hidden;        ///< categories
    QStringList hidden_lane_types;  ///< names of them: `cycle lane`
    std::string cloud_field;
    double point_size = 2;
    bool follows = true;  ///< the host; without one, all
    Turning turning;
    QStringList hidden_channels;
};

/// The arrangement of the window, without the open files: stored in a file `*.osiview.json`. The first view is its
/// base.
struct Layout : ViewLayout {
    QByteArray geometry;  ///< of the window, in Qt's format; empty: unchanged
    QByteArray state;     ///< of its panels
    std::optional<Theme> theme;
    std::optional<ViewLayout> second;  ///< the view on the right
    double first_share = 0.5;          ///< of the width, with a second view
    bool arrows_by_message = true;
    bool interpolates = false;
    QJsonObject shown;  ///< by the panels, see DockPanel::save(); of a file all its members
    double trail = 0;   ///< seconds; 0: none
    [[nodiscard]] Nanoseconds trail_time() const
    {
        return std::chrono::round<Nanoseconds>(std::chrono::duration<double>(trail));
    }
};

[[nodiscard]] QJsonObject to_json(const Layout& layout);
/// Ignores unknown members and clamps numbers to their ranges. Empty with `why` if it is not a layout.
[[nodiscard]] std::optional<Layout> layout_of(const QByteArray& json, QString& why);

/// `cycle lane`
[[nodiscard]] QString lane_type_name(Look type);
/// Sets hidden categories, grid, colouring and size of points; the theme stays.
void apply_layout(const ViewLayout& layout, RenderOptions& options);

/// Returns an empty text, or the error.
[[nodiscard]] QString write_layout(const QString& file, const Layout& layout);
[[nodiscard]] std::optional<Layout> read_layout(const QString& file, QString& why);

/// Remembers the arrangement of the panels and what one of them shows, so that a change can be undone.
class LayoutHistory : public QObject {
    Q_OBJECT
public:
    /// `window`: must contain its panels already.
    LayoutHistory(QMainWindow& window, DockPanel& panel);
    /// Something that can be undone has changed.
    void changed() { settled_.start(); }
    void undo() { go(-1); }
    void redo() { go(1); }

private:
    struct State {
        QByteArray panels;
        QJsonObject shown;
        friend bool operator==(const State&, const State&) = default;
    };
    [[nodiscard]] State state_now() const;
    void note();
    void go(int direction);

    QMainWindow& window_;
    DockPanel& panel_;
    std::vector<State> states_;
    std::size_t now_ = 0;
    QTimer settled_;
};

}  // namespace ositrace::gui
