// SPDX-License-Identifier: MPL-2.0
// What a moment of one or more traces shows, as plain arrays: a renderer needs nothing else, and no byte of a message.
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

/// What a person shows, hides and finds in the legend.
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

/// What drives and walks, true or detected: what can be followed.
[[nodiscard]] constexpr bool is_road_user(Category category) noexcept
{
    return category == Category::host || category == Category::moving_object ||
           category == Category::detected_moving_object;
}

/// What it looks like; the renderer's palette gives each a colour per theme.
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
    sign,
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
inline constexpr std::size_t look_count = 64;

/// For the legend: `moving objects`, `lane boundaries`.
[[nodiscard]] std::string_view name_of(Category category) noexcept;
/// For the legend: `car`, `yellow boundary`.
[[nodiscard]] std::string_view name_of(Look look) noexcept;

/// A place in metres, in the frame that Picture::origin says.
using Point = std::array<float, 3>;
/// A place in global coordinates; kept in double, because those reach 1e6 m.
using GlobalPoint = std::array<double, 3>;

/// Which thing it is: what a click selects. Equal keys are the same thing in another frame of the same channel.
struct ThingKey {
    std::uint32_t source = 0;  ///< place in the sources the picture was made from
    Category category = Category::moving_object;
    std::uint64_t id = 0;       ///< OSI's id; where there is none, a number from the place of the element
    std::uint32_t ordinal = 0;  ///< of several with the same id: how many precede it in the frame
    friend auto operator<=>(const ThingKey&, const ThingKey&) = default;
};

/// One thing of a picture; the primitives of its layer refer to it by its place in Layer::things.
struct Thing {
    ThingKey key;
    Look look = Look::unknown;
    Point centre{};        ///< for labels, focus and measuring
    bool has_id = true;    ///< false: the number in its key is none of OSI's
    bool has_size = true;  ///< false: it has none, and is drawn with a small one
    /// m/s, in global directions; a number that is not finite is as the message has it. Empty where the message says
    /// none.
    std::optional<std::array<double, 3>> velocity;
    std::array<float, 3> size{};      ///< length, width, height in metres; zero for lines
    std::array<float, 3> rotation{};  ///< roll, pitch, yaw in radians, in the global frame
    std::string path;                 ///< of its message in the frame: `global_ground_truth.moving_object[3]`
    std::string type;                 ///< `car`, `traffic light`
    std::string label;                ///< `12 car`, `(no id) car`
    friend bool operator==(const Thing&, const Thing&) = default;
};

/// An oriented box: global = origin + centre + Rz(yaw) Ry(pitch) Rx(roll) * local. Things, their lamps, boards of
/// signs.
struct BoxMark {
    std::uint32_t thing = 0;
    Look look = Look::unknown;
    bool wire_only = false;  ///< edges only: detected things over true ones
    float strength = 1;      ///< times the alpha of the look: a lamp that is off is seen through
    Point centre{};
    std::array<float, 3> size{};
    std::array<float, 3> rotation{};  ///< roll, pitch, yaw in radians
    friend bool operator==(const BoxMark&, const BoxMark&) = default;
};

/// A polyline with a width on the ground. Lines may share points: each dash of a boundary is a line of its own.
struct LineMark {
    std::uint32_t thing = 0;
    Look look = Look::unknown;
    bool arrow = false;       ///< with a head at its end
    float width = 0;          ///< metres; 0: one pixel
    float height = 0;         ///< metres that it is extruded upwards
    float strength = 1;       ///< times the alpha of the look: the gap between two dashes is nearly invisible
    std::uint32_t first = 0;  ///< in Layer::points
    std::uint32_t count = 0;  ///< 2 or more
    friend bool operator==(const LineMark&, const LineMark&) = default;
};

/// A triangle strip: the edge of a lane, a road marking.
struct StripMark {
    std::uint32_t thing = 0;
    Look look = Look::unknown;
    bool fading = false;      ///< alpha falls to 0 from the even to the odd points
    float strength = 1;       ///< times the alpha of the look
    std::uint32_t first = 0;  ///< in Layer::points: left, right, left, right ...
    std::uint32_t count = 0;  ///< 3 or more
    friend bool operator==(const StripMark&, const StripMark&) = default;
};

/// Things and what shows them. Immutable. Neighbouring pictures share the layer of a map that did not change, so that a
/// renderer keeps what it made of it: equal pointers, equal content. A map has one layer for each kind of thing.
struct Layer {
    bool is_static = false;   ///< of the map: the next picture probably has it too
    bool is_carried = false;  ///< from PictureSource::statics: paths lead into that frame
    std::vector<Thing> things;
    std::vector<Point> points;  ///< of lines and strips
    std::vector<BoxMark> boxes;
    std::vector<LineMark> lines;
    std::vector<StripMark> strips;
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// A number per point that a cloud can be coloured by.
struct CloudField {
    std::string name;           ///< `intensity`, `position.azimuth`: the path below the element
    std::string unit;           ///< `dB`, empty where it has none
    std::vector<float> values;  ///< one per point; NaN where the message has none
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
    std::vector<CloudField> fields;       ///< first what one looks at first: strength, intensity, RCS
    std::uint64_t left_out = 0;           ///< elements that show no point: no return, a number that is none
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// A frame that OSI measures in, drawn as three arrows.
struct Axes {
    std::uint32_t source = 0;
    std::string name;  ///< `rear axle`, `virtual sensor 1`, `lidar 2`
    Point centre{};
    std::array<float, 3> rotation{};  ///< roll, pitch, yaw in radians
};

/// A text on the screen beside the scene.
struct PictureNote {
    enum class Kind : std::uint8_t {
        information,  ///< where something comes from: `the map is that of frame 0`
        left_out,     ///< what could not be shown, and why
        broken,       ///< the frame cannot be read
    };
    std::uint32_t source = 0;
    Kind kind = Kind::information;
    std::string text;
};

/// Everything that a moment shows. Immutable once made; any thread.
struct Picture {
    GlobalPoint origin{};  ///< what all points are relative to: near the host, the same for neighbouring frames
    std::optional<Nanoseconds> time;  ///< the latest OSI time of the frames
    std::optional<Thing> host;        ///< whom to follow: a copy of the host's thing
    std::vector<std::shared_ptr<const Layer>> layers;
    std::vector<std::shared_ptr<const Cloud>> clouds;
    std::vector<Axes> axes;
    std::vector<PictureNote> notes;

    /// The thing of a key, nullptr if this picture has none. Visits all things.
    [[nodiscard]] const Thing* find(const ThingKey& key) const noexcept;
    /// The thing whose message is at `path` of a source, or the smallest one that contains the path; nullptr if there
    /// is none. Visits all things.
    [[nodiscard]] const Thing* find(std::uint32_t source, std::string_view path) const noexcept;
    /// Memory it holds, for a cache's budget; layers that it shares with others count in full.
    [[nodiscard]] std::size_t bytes() const noexcept;
};

}  // namespace ositrace
