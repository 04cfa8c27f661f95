// SPDX-License-Identifier: MPL-2.0
// What is on the road in one frame: the objects of a GroundTruth as numbers, and the map that it has or inherits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/traffic_map.hpp>

namespace ositrace {

/// Where a velocity or an acceleration is from.
enum class MotionSource : std::uint8_t {
    none,     ///< unknown: the values are 0
    stated,   ///< in the message
    derived,  ///< difference to the frame before, divided by the time between them
};

/// A moving object. Angles are in rad, lengths in m, global coordinates. What a writer omits is 0, as in the table
/// `objects`.
struct TrafficObject {
    std::uint64_t id = 0;
    bool has_id = true;  ///< false: `id` is its place in the list
    bool is_host = false;
    bool has_size = false;             ///< base.dimension is set
    int type = 0;                      ///< number of MovingObject.Type
    int vehicle_type = 0;              ///< number of VehicleClassification.Type
    std::string_view name = {};        ///< of the scenario: name_of(); lives as long as the reader
    std::array<double, 3> position{};  ///< of the centre of its box
    double roll = 0, pitch = 0, yaw = 0;
    double length = 0, width = 0, height = 0;
    std::array<double, 3> velocity{}, acceleration{};
    MotionSource velocity_source = MotionSource::none, acceleration_source = MotionSource::none;
    double yaw_rate = 0;
    /// x of bbcenter_to_front and bbcenter_to_rear, the axles; empty: not stated.
    std::optional<double> front_axle, rear_axle;
    /// From the middle to the outer edge of the tyres of these axles, if TrafficNeeds::wheels; empty: not stated.
    std::optional<double> front_half_track, rear_half_track;
    int indicator = 0;    ///< number of LightState.IndicatorState
    int brake_light = 0;  ///< number of LightState.BrakeLightState
    std::optional<std::uint64_t> trailer;
    std::uint32_t first_lane = 0, lane_count = 0;  ///< see TrafficFrame::lanes_of()

    [[nodiscard]] double speed() const noexcept;  ///< over ground, in the plane; m/s
};

/// A bulb, as OSI has them.
struct TrafficBulb {
    std::uint64_t id = 0;
    int color = 0, icon = 0, mode = 0;  ///< numbers of TrafficLight.Classification
    TrafficPoint position{};
    std::vector<std::uint64_t> lanes;  ///< assigned_lane_id
};

/// Copyable: a table that needs a window of time keeps copies.
struct TrafficFrame {
    std::uint64_t index = 0;          ///< Frame::index
    std::optional<Nanoseconds> time;  ///< OSI time, else log time
    std::optional<std::uint64_t> host;
    std::vector<TrafficObject> objects;   ///< in the order of the message, without those without a valid position
    std::size_t left_out = 0;             ///< objects without a valid position
    std::vector<std::uint64_t> lane_ids;  ///< of all objects
    std::vector<TrafficBulb> bulbs;       ///< if TrafficNeeds::lights
    /// If TrafficNeeds::map: of the frame, or of an earlier one; null: there was none yet.
    std::shared_ptr<const TrafficMap> map;

    /// moving_object_classification.assigned_lane_id, else the deprecated field. If TrafficNeeds::lanes.
    [[nodiscard]] std::span<const std::uint64_t> lanes_of(const TrafficObject& object) const noexcept
    {
        return std::span(lane_ids).subspan(object.first_lane, object.lane_count);
    }
    /// Seconds; empty without a time.
    [[nodiscard]] std::optional<double> seconds() const noexcept;
    [[nodiscard]] std::optional<std::int64_t> nanoseconds() const noexcept;
    /// The first object of this id; null: none.
    [[nodiscard]] const TrafficObject* find(std::uint64_t id) const noexcept;
};

/// What a table reads, beside the objects.
struct TrafficNeeds {
    bool names = false;
    bool lanes = false;  ///< assigned lanes of the objects
    bool map = false;
    bool lights = false;
    bool wheels = false;  ///< as in the first frame of the object
};

/// Reads the frames of one channel in their order. Reuses its memory. One thread at a time.
class TrafficReader {
public:
    static constexpr std::size_t most_objects = 100'000;  ///< of a frame

    /// GroundTruth and SensorView.
    [[nodiscard]] static bool reads(const Channel& channel) noexcept;

    /// Throws Error (usage) for a channel that it does not read. Keeps the schema.
    TrafficReader(const Channel& channel, TrafficNeeds needs);
    TrafficReader(TrafficReader&&) noexcept;
    TrafficReader& operator=(TrafficReader&&) noexcept;
    ~TrafficReader();

    /// The next frame of the channel; the result is overwritten by the next call. Motion is derived from the frame
    /// before it if that is earlier. Throws Error (malformed, limit) with offset and field in the payload.
    const TrafficFrame& read(const Frame& frame);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
