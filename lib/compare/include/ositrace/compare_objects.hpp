// SPDX-License-Identifier: MPL-2.0
// The objects of two messages against each other: ground truth against detections, or any two of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/frame.hpp>

namespace ositrace {

/// What is compared: B minus A.
enum class ObjectError : std::uint8_t {
    distance,
    longitudinal,
    lateral,
    vertical,
    yaw,
    velocity,
    length,
    width,
    height,
};
inline constexpr std::size_t object_error_count = 9;

struct ObjectErrorRow {
    std::string_view name;   ///< `distance`
    std::string_view title;  ///< of a column: `dx`
    std::string_view unit;   ///< `m`
    std::string_view what;   ///< one sentence
};
[[nodiscard]] const ObjectErrorRow& row_of(ObjectError error) noexcept;

/// Of a pair, by ObjectError; NaN if one of the messages does not have it.
class ObjectErrors {
public:
    ObjectErrors() { values_.fill(std::numeric_limits<double>::quiet_NaN()); }
    [[nodiscard]] double operator[](ObjectError error) const noexcept
    {
        return values_[static_cast<std::size_t>(error)];
    }
    double& operator[](ObjectError error) noexcept { return values_[static_cast<std::size_t>(error)]; }

private:
    std::array<double, object_error_count> values_{};
};

enum class ObjectKind : std::uint8_t { moving, stationary };
inline constexpr std::size_t object_kind_count = 2;

/// An object of a message, in global coordinates.
struct ComparedObject {
    ObjectKind kind = ObjectKind::moving;
    std::uint64_t id = 0;     ///< in OSI, of a detection its tracking id; without one, its place in the list
    bool has_id = true;       ///< false: `id` is its place
    std::string name = {};    ///< see name_of(); with ObjectCompareOptions::pair_by_name
    std::uint32_t place = 0;  ///< in the list of its kind
    /// Name of its type, of a detection that of its most probable candidate: `TYPE_VEHICLE`; empty: not set. Lives as
    /// long as the schema.
    std::string_view type;
    /// Likewise of its vehicle classification: `TYPE_HEAVY_TRUCK`.
    std::string_view vehicle_type;
    std::array<double, 3> position{};  ///< of the centre of its box, m
    double roll = 0, pitch = 0, yaw = 0;
    std::optional<std::array<double, 3>> velocity;  ///< m/s, of a detection: plus that of the sensor
    std::optional<std::array<double, 3>> size;      ///< length, width, height
    std::vector<std::uint64_t> truth_ids;           ///< of a detection: header.ground_truth_id
    /// From the sensor of the detections to the object: metres and radians. NaN if both sides are ground truths.
    double range = std::numeric_limits<double>::quiet_NaN();
    double azimuth = std::numeric_limits<double>::quiet_NaN();
};

/// The errors of B, whose size, heading and place are compared with those of A. Longitudinal and lateral are along the
/// heading of A and to its left; angles are in (-pi, pi].
[[nodiscard]] ObjectErrors errors_of(const ComparedObject& a, const ComparedObject& b) noexcept;

struct ObjectPair {
    ComparedObject a, b;
    bool by_id = true;  ///< else they are near each other
    ObjectErrors errors;
};

/// The objects of a channel that take part.
enum class ObjectSet : std::uint8_t {
    ground_truth,  ///< of a SensorData: that of the first SensorView in it
    detections,    ///< of a SensorData
};

/// Has the channel such objects? A SensorData may have both.
[[nodiscard]] bool has_objects(const Channel& channel, ObjectSet set) noexcept;

/// The part of the surroundings that a sensor can see, relative to its axis.
struct SensorReach {
    double range = std::numeric_limits<double>::infinity();  ///< m
    double half_angle = std::numbers::pi;                    ///< rad, to both sides
    friend bool operator==(const SensorReach&, const SensorReach&) = default;
};

struct ObjectCompareOptions {
    double gate = 2;    ///< m, horizontally: objects that no id pairs are pairs if they are as near as this
    SensorReach reach;  ///< an unpaired object that the sensor of the other side cannot see is not missed
    /// Of two simulators that number the objects of a scenario differently: objects of two ground truths that have a
    /// name are paired by it instead of their ids.
    bool pair_by_name = false;
    friend bool operator==(const ObjectCompareOptions&, const ObjectCompareOptions&) = default;
};

/// Two messages against each other.
struct ObjectComparison {
    std::vector<ObjectPair> pairs;       ///< in the order of A
    std::vector<ComparedObject> missed;  ///< of A, without a partner in B
    std::vector<ComparedObject> ghosts;  ///< of B, without a partner in A
    std::size_t out_of_reach = 0;        ///< unpaired objects that are neither missed nor ghosts
    /// Paths of the objects of A and B, by their kind: `global_ground_truth.moving_object`.
    std::array<std::array<std::string, object_kind_count>, 2> lists;
    std::vector<std::string> notes;  ///< what is left out or assumed, a sentence each
    /// The path of an object of a side (0: A) in its message: `moving_object[3]`.
    [[nodiscard]] std::string path_of(std::size_t side, const ComparedObject& object) const
    {
        return lists.at(side).at(static_cast<std::size_t>(object.kind)) + '[' + std::to_string(object.place) + ']';
    }
};

/// A message of one side. Its pointers must be valid during the call only.
struct ComparedMessage {
    const Frame* frame = nullptr;
    const Frame* statics = nullptr;  ///< the frame with the static data that `frame` lacks; may be null
};

/// Compares the objects of two messages in global coordinates: the moving ones, and the stationary ones if both
/// messages have some (a ground truth may have them in an earlier message, with its map). Each has a partner of its
/// kind.
///
/// Detections are transformed to global coordinates from the frame of their virtual sensor: pose of the host,
/// bbcenter_to_rear, mounting_position. The host is that of the SensorData's own ground truth, else of the other side,
/// else host_vehicle_location. Against detections the host itself does not take part: a sensor does not detect it.
///
/// Pairs are objects with the same ground-truth id, or name (of detections: header.ground_truth_id; of several with the
/// same id the nearest). The rest are paired if they are not farther apart than the gate, the closest pairs first: no
/// two objects stay apart although each is the closest one left to the other. That needs no decision between equal sums
/// of distances, as an optimal assignment does, and takes n log n. Of equal distances the first objects in the lists
/// are paired. A detection whose ground-truth id is an object of A is never paired with another one.
///
/// Reuses its memory: one per thread.
class ObjectComparer {
public:
    /// Throws Error (usage) if a channel has no such objects.
    ObjectComparer(std::array<std::shared_ptr<const Channel>, 2> channels, std::array<ObjectSet, 2> sets,
                   const ObjectCompareOptions& options);
    ObjectComparer(ObjectComparer&&) noexcept;
    ObjectComparer& operator=(ObjectComparer&&) noexcept;
    ~ObjectComparer();

    /// Throws Error (malformed, limit) for a broken message.
    [[nodiscard]] ObjectComparison compare(const ComparedMessage& a, const ComparedMessage& b);
    /// The reach that contains all detections so far: of the sensor of B, else of that of A.
    [[nodiscard]] const std::optional<SensorReach>& seen() const noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
