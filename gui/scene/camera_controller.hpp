// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <ositrace/picture.hpp>

#include "gui/render/camera.hpp"

namespace ositrace::gui {

/// Does the camera turn with the heading of what it follows? If not, it keeps its direction; from above north is up.
struct Turning {
    bool in_3d = true;
    bool from_above = false;
    friend bool operator==(const Turning&, const Turning&) = default;
};

/// A camera of a layout, placed beside what it followed.
struct PlacedCamera : Camera {
    bool has_target = false;  ///< else only direction and distance are known
    struct Beside {
        GlobalPoint place{};
        std::optional<double> heading;  ///< empty: of several things
    };
    std::optional<Beside> beside;  ///< what it followed, at that time
};

/// An axis-aligned box, in metres.
struct Extent {
    GlobalPoint least{};
    GlobalPoint most{};
    friend bool operator==(const Extent&, const Extent&) = default;
};

/// Moves the camera by user input and by pictures. Independent of widgets.
class CameraController {
public:
    static constexpr double nearest = 0.5;  ///< metres to the target
    static constexpr double farthest = 20000;

    /// `size`: that of the view, if it is known.
    explicit CameraController(PixelSize size = {}) noexcept : size_(size) {}

    [[nodiscard]] const Camera& camera() const noexcept { return camera_; }
    /// The camera that a picture is seen from. While a building stands between what is followed and the 3D camera, or
    /// the camera would be inside of it, it is closer: in front of the building.
    [[nodiscard]] Camera camera_for(const Picture& picture) const;
    /// The next picture does not place it.
    void set_camera(const Camera& camera) noexcept;
    /// For a layout.
    [[nodiscard]] PlacedCamera placed_camera() const;
    /// Places the camera of a layout beside what is followed now, as it was beside what was followed then. If nothing
    /// is followed, at the same place, unless that is far away from the scene. Without a picture, the next one places
    /// it.
    void restore(const PlacedCamera& placed);
    /// Keeps the target and the visible area. Without a host, a camera that the user has not moved shows all again.
    void set_view(View view);

    /// The view has this size, which pixels refer to. A camera that the last picture has placed, or that keeps all
    /// moving things in view, is placed for the new size, unless the user has moved it. An empty size is none.
    void set_size(PixelSize size) noexcept;

    /// Moves the camera with what it follows. Places it for the first picture that shows anything, and again for a
    /// later picture that has more to follow (moving things, a host) unless the user has moved the camera meanwhile.
    void set_picture(const Picture& picture);
    /// No picture is shown: the next one places the camera again unless the user has moved it.
    void drop_picture() noexcept;
    /// The next picture shows another scene: it places the camera, whoever has moved it.
    void expect_new_scene() noexcept;
    /// Centres the followed thing with the next picture that contains it; a camera that turns with it looks in its
    /// direction. Empty: the host; without a host, all moving things are kept in view.
    void follow(const std::optional<ThingKey>& thing = {});
    void follow_nothing();
    [[nodiscard]] bool follows() const noexcept { return follows_; }
    /// Of the current view; a camera that begins to turn looks in the direction of what it follows.
    void set_turning(bool on);
    void set_turning(const Turning& turning) noexcept { turning_ = turning; }
    [[nodiscard]] bool turns() const noexcept
    {
        return camera_.view == View::bird ? turning_.from_above : turning_.in_3d;
    }
    [[nodiscard]] const Turning& turning() const noexcept { return turning_; }
    [[nodiscard]] const std::optional<ThingKey>& followed() const noexcept { return followed_; }

    /// Rotates by a drag of so many pixels.
    void rotate(double dx, double dy) noexcept;
    /// The place under the first pixel moves to the second.
    void pan(double from_x, double from_y, double to_x, double to_y) noexcept;
    /// `steps` of a wheel: positive moves closer. The place under the pixel stays there.
    void zoom(double x, double y, double steps) noexcept;
    /// Along and across the direction of view, as fractions of the distance.
    void walk(double ahead, double left) noexcept;
    /// Looks at a place, from a distance at which an object of this size fills much of the view.
    void focus(const GlobalPoint& place, double metres) noexcept;
    /// Likewise, in 3D from where no building hides it: from higher above, or from another side, or from closer by.
    /// `of`: the thing at this place.
    void focus(const GlobalPoint& place, double metres, const Picture& picture, const std::optional<ThingKey>& of = {});
    /// By default the camera is placed so that all road users are visible; else behind the host, where that does not
    /// depend on the time.
    void set_shows_all(bool shows_all) noexcept { shows_all_ = shows_all; }
    /// Places the camera as for a first picture, by the road users or the scene of the last set_picture(): behind the
    /// host if all road users are visible from there, else so that they are. It follows the host, or all, again.
    void reset();
    /// Centres the host, and comes closer if it is far away.
    void look_at_host();

private:
    /// What a picture has to follow, in the order of preference.
    enum class Subject : std::uint8_t { none, things, moving_things, host };
    struct Pose {
        GlobalPoint place{};
        double yaw = 0;
    };
    [[nodiscard]] std::optional<Pose> pose_of_followed(const Picture& picture) const;
    void place();
    void follow_anew(const std::optional<ThingKey>& thing);
    [[nodiscard]] std::optional<PlacedCamera::Beside> beside() const;
    void move_along(const Pose& pose) noexcept;
    [[nodiscard]] Subject subject() const noexcept;
    void note_user_move() noexcept;
    void update_extent(const Picture& picture);
    void centre_on(const Pose& pose) noexcept;
    void place_for_size() noexcept;
    void frame_all() noexcept;
    void keep_in_frame(const Extent& before) noexcept;

    PixelSize size_;  ///< of the view; empty: it is not known yet
    Camera camera_;
    Subject placed_for_ = Subject::none;
    bool is_moved_by_user_ = false;
    bool shows_all_ = true;
    bool centres_ = false;  ///< the next picture that contains the followed thing centres it
    bool follows_ = true;
    Turning turning_;
    std::optional<ThingKey> followed_;
    std::optional<Pose> last_pose_;   ///< of the followed thing
    std::optional<double> left_yaw_;  ///< in 3D when it was left for the bird's eye view; if it turns, from the heading
    std::optional<Pose> host_;        ///< in the last picture
    std::optional<Extent> extent_;    ///< of the objects to show in the last picture, the host among them
    std::optional<Extent> placed_extent_;  ///< what the camera was placed for; empty: for the host alone
    std::vector<GlobalPoint> road_users_;  ///< in the last picture, with a host
    std::optional<PlacedCamera> awaited_;  ///< that of a layout, for the first picture
    std::optional<Extent> moving_;  ///< of all moving things, in the last picture that has any; empty with a host
    double heading_ = 0;            ///< yaw of a moving thing there
};

}  // namespace ositrace::gui
