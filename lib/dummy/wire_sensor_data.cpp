// SPDX-License-Identifier: MPL-2.0
#include "lib/dummy/wire_sensor_data.hpp"

#include <cstring>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/flatbuffers/table.hpp"

namespace ositrace::dummy {

namespace {

constexpr std::size_t detected_object_bytes = 256;  // a good guess

void check_size(std::size_t bytes)
{
    if (bytes > max_encodable_bytes)
        throw Error(Cause::limit, "SensorData with its SensorView, " + std::to_string(bytes) +
                                      " bytes, exceeds the limit of 2147483647 bytes");
}

}  // namespace

WireSensorData::WireSensorData(Format format, Format carried, const MessageTable& sensor_view)
    : schema_(Schema::built_in()),
      format_(format),
      sensor_view_(schema_->root(MessageType::sensor_data), "sensor_view"),
      writer_(body_, schema_->root(MessageType::sensor_data))
{
    const Format protobuf{};
    const auto& root = schema_->root(MessageType::sensor_data);
    if (format != protobuf) to_flat_.emplace(root, protobuf, format);
    if (carried != format) {
        if (carried.encoding != Encoding::protobuf) carriers_.emplace_back(sensor_view, carried, protobuf);
        if (format != protobuf) carriers_.emplace_back(*sensor_view_.row().child, protobuf, format);
    }

    ByteBuffer bytes;
    scene::OsiWriter out(bytes, *FieldTag(*FieldTag(root, "feature_data").row().child, "lidar_sensor").row().child);
    const auto real = [&](scene::FieldName name) {
        out.real(name, 0);
        detection_places_.push_back(bytes.size() - sizeof(double));
    };
    out.message("detection", [&] {
        out.message("position", [&] {
            real("distance");
            real("azimuth");
            real("elevation");
        });
    });
    detection_.assign(bytes.bytes().begin(), bytes.bytes().end());
}

Bytes WireSensorData::carried_form(Bytes sensor_view)
{
    for (std::size_t i = 0; i != carriers_.size(); ++i) {
        carriers_[i].transcode(sensor_view, carried_[i]);
        sensor_view = carried_[i].bytes();
    }
    return sensor_view;
}

void WireSensorData::write(const SensorDataContent& content, std::optional<Bytes> sensor_view, ByteBuffer& out)
{
    if (sensor_view) sensor_view = carried_form(*sensor_view);
    if (!to_flat_) {
        write_protobuf(content, sensor_view);
        return std::swap(body_, out);
    }
    write_protobuf(content, sensor_view ? std::optional(Bytes{}) : std::nullopt);
    to_flat_->transcode(body_.bytes(), out);
    if (sensor_view) adopt_flat_message(out, sensor_view_.row(), format_.layout, *sensor_view);
}

void WireSensorData::write_protobuf(const SensorDataContent& content, std::optional<Bytes> sensor_view)
{
    std::size_t expected = content.objects.size() * detected_object_bytes + 256;
    for (const auto& lidar : content.lidars) expected += lidar.size() * detection_.size() + 16;
    if (sensor_view) check_size(expected += sensor_view->size());
    body_.clear(expected);
    writer_.begin(schema_->root(MessageType::sensor_data));
    writer_.version("version", schema_->osi_version());
    writer_.time("timestamp", content.time);
    if (content.sensor_id) writer_.id("sensor_id", *content.sensor_id);
    if (content.mounting)
        writer_.mounting_position("mounting_position", content.mounting->position, content.mounting->orientation);
    if (sensor_view) writer_.raw().bytes(sensor_view_, *sensor_view);
    writer_.time("last_measurement_time", content.time);
    std::uint64_t tracking_id = 0;
    for (const auto& object : content.objects) write_object(object, tracking_id++, content.sensor_id);
    if (!content.lidars.empty())
        writer_.message(
            "feature_data",
            [&] {
                for (const auto& lidar : content.lidars) write_detections(lidar);
            },
            content.lidars.front().size() * detection_.size());
}

void WireSensorData::write_object(const DetectedObject& object, std::uint64_t tracking_id,
                                  const std::optional<std::uint64_t>& sensor_id)
{
    const auto content = [&] {
        writer_.message("header", [&] {
            writer_.id("tracking_id", tracking_id);
            writer_.id("ground_truth_id", object.id);
            writer_.real("existence_probability", object.seen.existence_probability);
            writer_.enumeration("measurement_state", "MEASUREMENT_STATE_MEASURED");
            if (sensor_id) writer_.id("sensor_id", *sensor_id);
        });
        writer_.message("base", [&] {
            if (object.dimension) writer_.dimension("dimension", *object.dimension);
            writer_.vector("position", object.seen.pose.position);
            writer_.orientation("orientation", object.seen.pose.orientation);
        });
        writer_.message("candidate", [&] {
            writer_.real("probability", 1);
            if (object.type) writer_.integer("type", *object.type);
            if (object.vehicle_classification) writer_.view("vehicle_classification", *object.vehicle_classification);
            if (const auto& pose = object.seen.body_pose) {
                writer_.orientation("head_pose", *pose);
                writer_.orientation("upper_body_pose", *pose);
            }
        });
    };
    writer_.message("moving_object", content, detected_object_bytes);
}

void WireSensorData::write_detections(const std::vector<Spherical>& detections)
{
    const auto size = detection_.size();
    writer_.message(
        "lidar_sensor",
        [&] {
            auto* to = body_.reserve_back(detections.size() * size);
            for (const auto& detection : detections) {
                std::memcpy(to, detection_.data(), size);
                store(to + detection_places_[0], detection.distance);
                store(to + detection_places_[1], detection.azimuth);
                store(to + detection_places_[2], detection.elevation);
                to += size;
            }
            body_.commit_back(detections.size() * size);
        },
        detections.size() * size);
}

void adopt_flat_message(ByteBuffer& buffer, const FieldRow& field, Layout layout, Bytes message)
{
    constexpr std::size_t alignment = 8;
    const auto start = (buffer.size() + alignment - 1) / alignment * alignment;
    if (message.size() > max_encodable_bytes - start)
        throw Error(Cause::limit, "SensorData with its SensorView, " + std::to_string(start + message.size()) +
                                      " bytes, exceeds the limit of 2147483647 bytes");
    const auto target = start + flat::root_of(flat::Buffer(message));
    const flat::Buffer ours(buffer.bytes());
    const auto root = flat::root_of(ours);
    const auto place = root + flat::vtable_of(ours, root).offset(ours, field.slot(layout));
    const auto element = flat::vector_at(ours, ours.follow(place), 4).first;
    store_le32(buffer.data() + element, static_cast<std::uint32_t>(target - element));

    const auto padding = start - buffer.size();
    std::memset(buffer.reserve_back(padding), 0, padding);
    buffer.commit_back(padding);
    buffer.append(message);
}

}  // namespace ositrace::dummy
