// SPDX-License-Identifier: MPL-2.0
#include "lib/compare/object_reader.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <ositrace/error.hpp>

#include "lib/picture/candidates.hpp"
#include "lib/picture/leaf_columns.hpp"

namespace ositrace::compare {

/// What is read of an element. `base.velocity` and others that are messages: only whether they are present.
enum ObjectLeaf : std::uint8_t {
    at_id_value,
    at_tracking_value,
    at_x,
    at_y,
    at_z,
    at_roll,
    at_pitch,
    at_yaw,
    at_vx,
    at_vy,
    at_vz,
    at_length,
    at_width,
    at_height,
    at_id,
    at_tracking,
    at_position,
    at_velocity,
    at_dimension,
    at_reference_point,
    leaf_count,
};

namespace {

using picture::LeafKind;
using picture::Orientation;
using picture::Vector;

constexpr std::array<picture::LeafRow, leaf_count> leaf_rows{{
    {"id.value", LeafKind::integer},
    {"header.tracking_id.value", LeafKind::integer},
    {"base.position.x", LeafKind::real},
    {"base.position.y", LeafKind::real},
    {"base.position.z", LeafKind::real},
    {"base.orientation.roll", LeafKind::real},
    {"base.orientation.pitch", LeafKind::real},
    {"base.orientation.yaw", LeafKind::real},
    {"base.velocity.x", LeafKind::real},
    {"base.velocity.y", LeafKind::real},
    {"base.velocity.z", LeafKind::real},
    {"base.dimension.length", LeafKind::real},
    {"base.dimension.width", LeafKind::real},
    {"base.dimension.height", LeafKind::real},
    {"id", LeafKind::message},
    {"header.tracking_id", LeafKind::message},
    {"base.position", LeafKind::message},
    {"base.velocity", LeafKind::message},
    {"base.dimension", LeafKind::message},
    {"reference_point", LeafKind::integer},
}};

/// The name of the enumerator; empty: it is not set, or has no name.
std::string_view enumerator_in(const std::optional<MessageView>& in, std::string_view field)
{
    const auto* const row = in ? in->table().find(field) : nullptr;
    if (row == nullptr || row->repeated || row->enumeration == nullptr) return {};
    const auto number = as_integer(in->get(*row));
    return number ? row->enumeration->name_of(static_cast<std::int32_t>(*number)) : std::string_view();
}

/// Of a moving object they are in itself, of a stationary one in its classification, of a detection in its candidates.
void read_types(ComparedObject& object, const MessageView& element, bool is_detection)
{
    const auto from = is_detection ? picture::most_probable_candidate(element) : std::optional(element);
    object.type = enumerator_in(from, "type");
    if (object.type.empty()) object.type = enumerator_in(picture::message_in(from, "classification"), "type");
    object.vehicle_type = enumerator_in(picture::message_in(from, "vehicle_classification"), "type");
}

std::vector<std::uint64_t> truth_ids_of(const MessageView& detected)
{
    constexpr std::size_t most = 100;
    std::vector<std::uint64_t> ids;
    const auto header = picture::message_in(detected, "header");
    const auto* const row = header ? picture::repeated_messages(header->table(), "ground_truth_id") : nullptr;
    if (row == nullptr) return ids;
    header->for_each_element(*row, [&](const Value& value) {
        const auto number = picture::integer_in(std::get<MessageView>(value), "value").value_or(0);
        ids.push_back(static_cast<std::uint64_t>(number));
        return ids.size() < most;
    });
    return ids;
}

}  // namespace

picture::Vector SensorMotion::to_local(const std::array<double, 3>& position) const noexcept
{
    const Vector point{position[0], position[1], position[2]};
    return placement.rotation().to_local(point - placement.to_picture({}));
}

class ObjectColumns : public picture::LeafColumns<ObjectLeaf, leaf_count> {
public:
    explicit ObjectColumns(const FieldRow& list) : LeafColumns(list, leaf_rows) {}
    [[nodiscard]] Vector vector_of(ObjectLeaf first, std::size_t row) const noexcept
    {
        const auto [x, y, z] = vector(first, row);
        return {x, y, z};
    }
};

namespace {

/// In the coordinates of the message; nullopt without a valid place.
std::optional<ComparedObject> read_object(const ObjectColumns& columns, std::size_t row)
{
    if (!columns.has(at_position, row)) return std::nullopt;
    const auto position = columns.vector_of(at_x, row), angles = columns.vector_of(at_roll, row);
    if (!picture::is_place(position) || !picture::is_turn({angles.x, angles.y, angles.z})) return std::nullopt;
    ComparedObject object;
    object.place = static_cast<std::uint32_t>(row);
    object.has_id = columns.has(at_id, row) || columns.has(at_tracking, row);
    object.id = !object.has_id            ? row
                : columns.has(at_id, row) ? columns.integer(at_id_value, row)
                                          : columns.integer(at_tracking_value, row);
    object.position = {position.x, position.y, position.z};
    object.roll = angles.x;
    object.pitch = angles.y;
    object.yaw = angles.z;
    const auto velocity = columns.vector_of(at_vx, row), size = columns.vector_of(at_length, row);
    if (columns.has(at_velocity, row) && is_finite(velocity))
        object.velocity = std::array{velocity.x, velocity.y, velocity.z};
    if (columns.has(at_dimension, row) && is_finite(size) && std::min({size.x, size.y, size.z}) >= 0)
        object.size = std::array{size.x, size.y, size.z};
    return object;
}

/// From the frame of the sensor to global coordinates.
void place_object(ComparedObject& object, const SensorMotion& sensor, Vector to_centre)
{
    const Orientation turned{object.roll, object.pitch, object.yaw};
    const Vector local = Vector{object.position[0], object.position[1], object.position[2]} +
                         picture::Rotation(turned).to_parent(to_centre);
    const auto global = sensor.placement.to_picture(local);
    const auto angles = sensor.placement.turn(turned);
    object.position = {global.x, global.y, global.z};
    object.roll = angles.roll;
    object.pitch = angles.pitch;
    object.yaw = angles.yaw;
    if (!object.velocity) return;
    const auto& [u, v, w] = *object.velocity;
    const auto of_sensor = sensor.host.velocity_at(global);
    if (!of_sensor) return object.velocity.reset();
    const auto velocity = sensor.placement.turn(Vector{u, v, w}) + *of_sensor;
    object.velocity = std::array{velocity.x, velocity.y, velocity.z};
}

}  // namespace

ObjectColumns& ObjectReader::columns_of(const FieldRow& list)
{
    auto& columns = columns_[&list];
    if (!columns) columns = std::make_shared<ObjectColumns>(list);
    return *columns;
}

std::vector<ComparedObject> ObjectReader::read(const MessageView& parent, const FieldRow& list,
                                               const SensorMotion* sensor, std::size_t& left_out)
{
    const auto count = parent.repeated(list).size();
    if (count > most_objects)
        throw Error(Cause::limit, {.field = std::string(list.name)},
                    "the number of objects (" + std::to_string(count) + ") exceeds the limit of " +
                        std::to_string(most_objects));
    auto& columns = columns_of(list);
    columns.read(parent);
    std::vector<ComparedObject> objects;
    objects.reserve(columns.rows());
    for (std::size_t row = 0; row != columns.rows(); ++row) {
        auto object = read_object(columns, row);
        if (!object) {
            ++left_out;
            continue;
        }
        const auto element = columns.element(row);
        read_types(*object, element, sensor != nullptr);
        if (sensor != nullptr) {
            Vector to_centre;
            if (object->size && columns.has(at_reference_point, row)) {
                const auto& [l, w, h] = *object->size;
                to_centre = picture::from_reference_point(element, {l, w, h});
            }
            place_object(*object, *sensor, to_centre);
            object->truth_ids = truth_ids_of(element);
        }
        objects.push_back(std::move(*object));
    }
    return objects;
}

}  // namespace ositrace::compare
