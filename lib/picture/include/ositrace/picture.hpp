// SPDX-License-Identifier: MPL-2.0
// What one or more traces show at a time, as plain arrays: all that a renderer needs, without any bytes of messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/frame.hpp>

namespace ositrace {

/// The categories of the legend, which can be shown and hidden.
enum class Category : std::uint8_t {
    host,
    moving_object,
    stationary_object,
    lane,
    lane_boundary,
    logical_lane,
    logical_lane_boundary,
    reference_line,
    traffic_sign,
    traffic_light,
    road_marking,
    detected_moving_object,
    detected_stationary_object,
    detected_lane,
    detected_lane_boundary,
    detected_traffic_sign,
    detected_traffic_light,
    detected_road_marking,
    lidar_reflection,
    lidar_detection,
    radar_detection,
    ultrasonic_detection,
    camera_detection,
    field_of_view,
    radar_reflection,
    trajectory,
    logical_detection,
};
inline constexpr std::size_t category_count = 27;

/// Road users, true or detected: the categories that a camera can follow.
[[nodiscard]] constexpr bool is_road_user(Category category) noexcept
{
    return category == Category::host || category == Category::moving_object ||
           category == Category::detected_moving_object;
}

/// Their strips are the surface of the road: drawn below everything else on the ground.
[[nodiscard]] constexpr bool is_lane(Category category) noexcept
{
    return category == Category::lane || category == Category::logical_lane || category == Category::detected_lane;
}

/// Their strips are on their faces, and not on the ground; those that fade out are light.
[[nodiscard]] constexpr bool has_face(Category category) noexcept
{
    return category == Category::traffic_sign || category == Category::traffic_light;
}

/// Logical lanes, their boundaries and reference lines cover the road and are hidden at first.
[[nodiscard]] constexpr bool is_hidden_at_first(Category category) noexcept
{
    return category == Category::logical_lane || category == Category::logical_lane_boundary ||
           category == Category::reference_line;
}

/// The appearance of a thing; the renderer's palette has a colour for each per theme.
enum class Look : std::uint8_t {
    unknown,
    host,
    other,
    car,
    truck,
    bus,
    motorbike,
    bicycle,
    trailer,
    train,
    other_vehicle,
    pedestrian,
    wheelchair,
    animal,
    stationary,
    lane_driving,
    lane_intersection,
    lane_non_driving,
    lane_biking,
    lane_sidewalk,
    lane_parking,
    lane_shoulder,
    lane_other,
    lane_host,
    logical_lane,
    logical_lane_boundary,
    reference_line,
    centerline,
    boundary_none,
    boundary_white,
    boundary_yellow,
    boundary_red,
    boundary_blue,
    boundary_green,
    boundary_violet,
    boundary_orange,
    boundary_black,
    boundary_grey,
    boundary_other,
    boundary_road_edge,
    boundary_snow_edge,
    boundary_grass_edge,
    boundary_gravel_edge,
    boundary_soil_edge,
    sign,
    sign_red,
    sign_blue,
    sign_yellow,
    sign_black,
    sign_grey,
    sign_back,
    marking,
    light_housing,
    light_red,
    light_yellow,
    light_green,
    light_blue,
    light_white,
    light_off,
    brake_off,
    brake_on,
    brake_strong,
    indicator_off,
    indicator_on,
    velocity,
    detected,
    field_of_view,
    palette_red,
    palette_yellow,
    palette_green,
    palette_blue,
    palette_violet,
    palette_orange,
    palette_black,
    palette_grey,
    palette_white,
    trajectory,
    ultrasonic,
};
inline constexpr std::size_t look_count = 78;

/// What a road user looks like, scaled into its box.
enum class BodyShape : std::uint8_t {
    box,
    car,
    van,
    truck,
    tractor,
    semitrailer,
    trailer,
    bus,
    train,
    motorcycle,
    bicycle,
    scooter,
    wheelchair,
    pedestrian,
    animal,
};
inline constexpr std::size_t body_shape_count = 15;

/// For the legend: `moving objects`, `lane boundaries`.
[[nodiscard]] std::string_view name_of(Category category) noexcept;
/// For the legend: `car`, `yellow boundary`.
[[nodiscard]] std::string_view name_of(Look look) noexcept;

/// A place in metres, relative to Picture::origin.
using Point = std::array<float, 3>;
/// A place in global coordinates; in double, because they reach 1e6 m.
using GlobalPoint = std::array<double, 3>;

/// Identifies a thing for the selection. Equal keys are the same thing in another frame of the same channel.
struct ThingKey {
    std::uint32_t source = 0;  ///< index in the sources of the picture
    Category category = Category::moving_object;
    std::uint64_t id = 0;       ///< id in OSI; without one, a number derived from the index of the element
    std::uint32_t ordinal = 0;  ///< number of things with the same id before it in the frame
    friend auto operator<=>(const ThingKey&, const ThingKey&) = default;
};

/// A thing of a picture; the primitives of its layer refer to it by its index in Layer::things.
struct Thing {
    ThingKey key;
    Look look = Look::unknown;
    Point centre{};        ///< for labels, focus and measuring
    bool has_id = true;    ///< false: the number in its key is not an id in OSI
    bool has_size = true;  ///< false: the message has no size; it is drawn small
    bool is_off = false;   ///< a lamp that is not lit
    /// m/s, in global directions; may contain the NaN or infinite numbers of the message. Empty if the message has
    /// none.
    std::optional<std::array<double, 3>> velocity;
    std::array<float, 3> size{};      ///< length, width, height in metres; zero for lines
    std::array<float, 3> rotation{};  ///< roll, pitch, yaw in radians, in the global frame
    std::string path;                 ///< of its message in the frame: `global_ground_truth.moving_object[3]`
    std::string type;                 ///< `car`, `traffic light`
    std::string name;                 ///< that of the scenario, shortened: `Ego`; empty: it has none
    std::string label;                ///< `Ego car`, `12 car`, `(no id) car`
    friend bool operator==(const Thing&, const Thing&) = default;
};

/// An oriented box: global = origin + centre + Rz(yaw) Ry(pitch) Rx(roll) * local. A thing, a lamp, the board of a
/// sign. What is drawn is its shape; what is picked and measured is the box.
struct BoxMark {
    std::uint32_t thing = 0;
    Look look = Look::unknown;
    bool wire_only = false;  ///< edges only: detected things over true ones
    float strength = 1;      ///< factor of the alpha of the look: a lamp that is off is transparent
    Point centre{};
    std::array<float, 3> size{};
    std::array<float, 3> rotation{};  ///< roll, pitch, yaw in radians
    BodyShape shape = BodyShape::box;
    float steering = 0;  ///< radians, of the front wheels; to the left is positive
    friend bool operator==(const BoxMark&, const BoxMark&) = default;
};

/// A polyline with a width on the ground. Lines may share points: each dash of a boundary is a line of its own.
struct LineMark {
    std::uint32_t thing = 0;
    Look look = Look::unknown;
    bool arrow = false;       ///< has an arrow head at its end
    float width = 0;          ///< metres; 0: one pixel
    float height = 0;         ///< metres; the line is extruded upwards by it
    float strength = 1;       ///< factor of the alpha of the look
    std::uint32_t first = 0;  ///< in Layer::points
    std::uint32_t count = 0;  ///< 2 or more
    friend bool operator==(const LineMark&, const LineMark&) = default;
};

/// A triangle strip: the surface of a lane, a road marking.
struct StripMark {
    std::uint32_t thing = 0;
    Look look = Look::unknown;
    bool fading = false;      ///< alpha falls to 0 from the even to the odd points
    float strength = 1;       ///< factor of the alpha of the look
    std::uint32_t first = 0;  ///< in Layer::points: left, right, left, right ...
    std::uint32_t count = 0;  ///< 3 or more
    friend bool operator==(const StripMark&, const StripMark&) = default;
};

/// Things and their primitives. Immutable. Consecutive pictures share the layer of a map that did not change, so that a
/// renderer can keep its data: equal pointers mean equal content. A map has one layer for each kind of thing.
struct Layer {
    bool is_static = false;   ///< part of the map: the next picture probably contains it, too
    bool is_carried = false;  ///< from PictureSource::statics: paths refer to that frame
    std::vector<Thing> things;
    std::vector<Point> points;  ///< of lines and strips
    std::vector<BoxMark> boxes;
    std::vector<LineMark> lines;
    std::vector<StripMark> strips;
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// A field of a cloud: one number per point, which can determine its colour.
struct CloudField {
    std::string name;           ///< `intensity`, `position.azimuth`: the path below the element
    std::string unit;           ///< `dB`; empty without a unit
    std::vector<float> values;  ///< one per point; NaN if the message has none
    float smallest = 0;         ///< of the finite values
    float largest = 0;
};

/// Reflections or detections of one sensor.
struct Cloud {
    ThingKey key;                         ///< id: of the sensor
    std::string name;                     ///< `lidar 2: reflections`
    std::string path;                     ///< of the repeated field: `lidar_sensor_view[0].reflection`
    Point sensor{};                       ///< where the sensor is
    std::vector<Point> points;            ///< in the frame of Picture::origin
    std::vector<std::uint32_t> elements;  ///< of each point; empty: point i is element i
    std::vector<CloudField> fields;       ///< the most important one first: strength, intensity, RCS
    std::uint64_t left_out = 0;           ///< elements without a point: no return, or NaN
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// A coordinate frame of OSI, drawn as three arrows.
struct Axes {
    std::uint32_t source = 0;
    std::string name;  ///< `host` (the centre of its box), `rear axle`, `virtual sensor 1`, `lidar 2`
    Point centre{};
    std::array<float, 3> rotation{};  ///< roll, pitch, yaw in radians
};

/// A text on the screen beside the scene.
struct PictureNote {
    enum class Kind : std::uint8_t {
        information,  ///< the source of something: `the map is that of frame 0`
        left_out,     ///< what could not be shown, and why
        broken,       ///< the frame cannot be read
    };
    std::uint32_t source = 0;
    Kind kind = Kind::information;
    std::string text;
};

/// Everything that is shown at a time. Immutable once built; any thread.
struct Picture {
    GlobalPoint origin{};             ///< all points are relative to it: near the host, the same for consecutive frames
    std::optional<Nanoseconds> time;  ///< the latest OSI time of the frames
    std::optional<Thing> host;        ///< a copy of the host's thing, for a camera that follows it
    std::vector<std::shared_ptr<const Layer>> layers;
    std::vector<std::shared_ptr<const Cloud>> clouds;
    std::vector<Axes> axes;
    std::vector<PictureNote> notes;

    /// The thing with a key; nullptr if the picture does not contain it. Visits all things.
    [[nodiscard]] const Thing* find(const ThingKey& key) const noexcept;
    /// The thing of a source whose message is at `path` or contains it, the innermost one; nullptr if there is none.
    /// Visits all things.
    [[nodiscard]] const Thing* find(std::uint32_t source, std::string_view path) const noexcept;
    /// Its memory, for the budget of a cache; layers that it shares with other pictures count in full.
    [[nodiscard]] std::size_t bytes() const noexcept;
};

}  // namespace ositrace
