// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QPointF>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include "gui/scene/camera_controller.hpp"
#include "gui/scene/camera_flight.hpp"
#include "gui/scene/canvas.hpp"
#include "gui/scene/frame_limit.hpp"

namespace ositrace::gui {

/// Shows pictures in 3D or from above. Mouse: left rotates (pans from above), right and middle pan (right rotates from
/// above), the wheel zooms to the mouse, a click picks, a double click moves the camera to an object and with Alt
/// follows it. GUI thread.
class SceneView : public QWidget {
    Q_OBJECT
public:
    explicit SceneView(QWidget* parent = nullptr);
    ~SceneView() override;

    void set_picture(std::shared_ptr<const Picture> picture);
    /// The results of a comparison of what the picture shows.
    void set_marks(std::vector<SceneMark> marks);
    /// Colours of single things, see RenderOptions::tints; before set_picture() of the same moment.
    void set_tints(std::vector<ThingTint> tints);
    /// The caption at the top, and notes before those of the picture.
    void set_caption(const QString& caption, const QStringList& notes = {});

    [[nodiscard]] const RenderOptions& options() const noexcept { return state_.options; }
    void set_options(const RenderOptions& options);
    void set_shown(Category category, bool shown);
    void set_lane_type_shown(Look type, bool shown);
    void set_theme(Theme theme);
    /// The channels of the picture, in the order of ThingKey::source. A hidden channel stays hidden.
    void set_channels(const QStringList& names);
    [[nodiscard]] const QStringList& channels() const noexcept { return channels_; }
    /// Shows or hides a channel in this view only.
    void set_channel_shown(const QString& name, bool shown);
    [[nodiscard]] QStringList shown_channels() const;
    /// May contain channels that are not open.
    void set_hidden_channels(const QStringList& names);
    [[nodiscard]] const QStringList& hidden_channels() const noexcept { return hidden_channels_; }
    void select(const std::optional<ThingKey>& thing);

    [[nodiscard]] const Camera& camera() const noexcept { return controller_.camera(); }
    /// For a copy that moves on by itself.
    [[nodiscard]] const CameraController& camera_controller() const noexcept { return controller_; }
    void set_camera(const Camera& camera, bool flies = false);
    /// Of a layout: see CameraController::restore().
    void restore_camera(const PlacedCamera& placed);
    /// The camera flies to where a command moves it, instead of being there at once. camera() is where it flies to.
    void set_flying(bool on) noexcept { flies_ = on; }
    [[nodiscard]] bool flies() const noexcept { return flies_; }
    [[nodiscard]] bool is_flying() const noexcept { return flight_.has_value(); }
    /// The camera is there.
    void end_flight();
    [[nodiscard]] View view() const noexcept { return camera().view; }
    /// Only the bird's eye view if has_3d() is false.
    void set_view(View view);
    [[nodiscard]] bool has_3d() const { return canvas_->has_3d(); }
    void look_at(const ThingKey& thing);
    /// Looks at a thing from the same distance and direction as now, unless it is on the screen.
    void bring_into_view(const ThingKey& thing);
    /// From a distance at which an object of this size fills much of the view.
    /// `of`: the thing at this place.
    void look_at_place(const GlobalPoint& place, double metres, const std::optional<ThingKey>& of = {});
    void look_at_host();
    void reset_camera();
    /// The next picture places the camera, whoever has moved it.
    void expect_new_scene();
    /// Along and across the direction of view, as fractions of the distance.
    void walk(double ahead, double left);
    /// Centres and follows a thing, and turns with it if turns(). Empty: the host; without a host, all moving things.
    void follow(const std::optional<ThingKey>& thing);
    void follow_nothing();
    /// Does the camera turn with the heading of the followed thing? In this kind of view.
    void set_turning(bool on);
    void set_turning(const Turning& turning);
    [[nodiscard]] bool turns() const noexcept { return controller_.turns(); }
    [[nodiscard]] bool follows() const noexcept { return controller_.follows(); }
    /// Empty: the host.
    [[nodiscard]] const std::optional<ThingKey>& followed() const noexcept { return controller_.followed(); }

    void set_labels(bool shown);
    [[nodiscard]] bool labels() const noexcept { return state_.labels; }
    void set_legend(bool shown);
    [[nodiscard]] bool legend() const noexcept { return state_.legend; }
    /// While measuring, a click sets one end of a line, the next click its other end; its length is shown.
    void set_measuring(bool on);
    /// Starts measuring with this end; the next click sets the other one.
    void measure_from(const GlobalPoint& place);
    [[nodiscard]] bool measuring() const noexcept { return measuring_; }

    [[nodiscard]] QString renderer_description() const;
    [[nodiscard]] bool is_seen() const { return canvas_->is_seen(); }
    [[nodiscard]] bool is_complete() const { return canvas_->is_complete() && !is_flying(); }
    [[nodiscard]] std::chrono::nanoseconds drawn_in() const { return canvas_->drawn_in(); }
    [[nodiscard]] const SceneState& state() const noexcept { return state_; }

signals:
    /// A click picked an object; empty: nothing.
    void picked(const std::optional<ositrace::gui::Pick>& pick);
    void options_changed();
    /// The camera rotated or moved, the view changed, or another thing is followed.
    void camera_changed();
    void measuring_changed(bool on);
    void follow_changed();
    /// They took too much of the time of each frame and are off.
    void labels_dropped();
    /// OpenGL failed: renderer_description() and has_3d() may have changed.
    void canvas_replaced();
    /// The last state is visible completely; drawn_in() refers to it.
    void drawn();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] PixelSize pixels() const noexcept { return {width(), height()}; }
    [[nodiscard]] bool rotates(Qt::MouseButton button) const noexcept;
    void create_canvas();
    void replace_canvas(const QString& why);
    void show_state();
    void hide_sources();
    void camera_moved();
    template <class Move>
    void fly(Move move);
    void fly_on();
    void drop_labels();
    void click(QPointF at, bool with_alt);
    [[nodiscard]] PickOrder order_of_click(QPointF at, bool with_alt);
    void measure(QPointF at);
    [[nodiscard]] ViewTransform transform() const;
    [[nodiscard]] std::optional<GlobalPoint> ground_at(QPointF at) const;
    bool point_at(QPointF at);
    /// `under_mouse`: its actions come first.
    void show_menu(QPoint at, const std::optional<Pick>& under_mouse);
    void hover();

    SceneState state_;
    QStringList channels_, hidden_channels_;
    CameraController controller_;
    CanvasKinds failed_canvases_;
    QString canvas_reason_;  ///< why no better canvas is used
    std::unique_ptr<Canvas> canvas_;
    QTimer hover_timer_;
    std::optional<QPointF> hover_at_;  ///< empty: the mouse has not moved over the scene yet
    QPointF pressed_at_, dragged_to_;
    std::optional<QPointF> body_clicked_at_;  ///< position of the last click that picked a body
    bool dragging_ = false;
    bool double_clicked_ = false;
    bool measuring_ = false;
    bool flies_ = false;
    FrameLimit label_limit_;
    std::optional<CameraFlight> flight_;
    QTimer flight_timer_;
};

/// The sources of a picture of these channels that a view hides.
[[nodiscard]] std::vector<std::uint32_t> hidden_sources(const QStringList& channels, const QStringList& hidden);

/// The fields that the clouds of a picture can be coloured by.
[[nodiscard]] QStringList cloud_fields(const Picture& picture);

}  // namespace ositrace::gui
