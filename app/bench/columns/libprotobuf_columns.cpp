// SPDX-License-Identifier: MPL-2.0
// Parses with protoc's code, then reads the objects: messages that are reused, new, or on an arena.
#include <google/protobuf/arena.h>

#include <ositrace/error.hpp>

#include "osi3/osi_sensordata.pb.h"
#include "osi3/osi_sensorview.pb.h"

#include "app/bench/columns/column_variants.hpp"

namespace ositrace::bench {
namespace {

void read(const osi3::SensorView& frame, Columns& columns, const TakeColumn& take)
{
    for (const auto& sensor : frame.lidar_sensor_view()) {
        start(columns, static_cast<std::size_t>(sensor.reflection_size()));
        for (const auto& reflection : sensor.reflection()) {
            columns[0].push_back(reflection.signal_strength());
            columns[1].push_back(reflection.time_of_flight());
        }
        take_all(columns, take);
    }
}

void read(const osi3::SensorData& frame, Columns& columns, const TakeColumn& take)
{
    for (const auto& sensor : frame.feature_data().lidar_sensor()) {
        start(columns, static_cast<std::size_t>(sensor.detection_size()));
        for (const auto& detection : sensor.detection()) {
            columns[0].push_back(detection.position().distance());
            columns[1].push_back(detection.position().azimuth());
            columns[2].push_back(detection.position().elevation());
            columns[3].push_back(detection.intensity());
        }
        take_all(columns, take);
    }
}

void parse(Bytes frame, google::protobuf::Message& message)
{
    if (!message.ParseFromArray(frame.data(), static_cast<int>(frame.size())))
        throw Error(Cause::malformed, "libprotobuf refuses a frame");
}

template <class Message>
ReadColumns reused(std::size_t count)
{
    return
        [message = std::make_shared<Message>(), columns = Columns(count)](Bytes frame, const TakeColumn& take) mutable {
            parse(frame, *message);
            read(*message, columns, take);
        };
}

template <class Message>
ReadColumns fresh(std::size_t count)
{
    return [columns = Columns(count)](Bytes frame, const TakeColumn& take) mutable {
        Message message;
        parse(frame, message);
        read(message, columns, take);
    };
}

template <class Message>
ReadColumns on_arena(std::size_t count)
{
    return [arena = std::make_shared<google::protobuf::Arena>(), columns = Columns(count)](
               Bytes frame, const TakeColumn& take) mutable {
        auto* const message = google::protobuf::Arena::CreateMessage<Message>(arena.get());
        parse(frame, *message);
        read(*message, columns, take);
        arena->Reset();
    };
}

bool of_sensor_view(const Elements& elements) { return elements.kind == ElementKind::reflections; }

}  // namespace

ReadColumns libprotobuf_reader(const Elements& elements)
{
    const auto count = elements.columns.size();
    return of_sensor_view(elements) ? reused<osi3::SensorView>(count) : reused<osi3::SensorData>(count);
}

ReadColumns libprotobuf_fresh_reader(const Elements& elements)
{
    const auto count = elements.columns.size();
    return of_sensor_view(elements) ? fresh<osi3::SensorView>(count) : fresh<osi3::SensorData>(count);
}

Variant libprotobuf_columns(const Sample& sample, const Elements& elements)
{
    return columns_variant("libprotobuf", "ParseFromArray into a message that is reused, then accessors", Role::naive,
                           sample.protobuf, libprotobuf_reader(elements));
}

Variant libprotobuf_columns_fresh(const Sample& sample, const Elements& elements)
{
    return columns_variant("libprotobuf, fresh", "the same with a new message for every frame", Role::other,
                           sample.protobuf, libprotobuf_fresh_reader(elements));
}

Variant libprotobuf_columns_arena(const Sample& sample, const Elements& elements)
{
    const auto count = elements.columns.size();
    return columns_variant(
        "libprotobuf, arena", "the same with the message on an arena that is reset for every frame", Role::other,
        sample.protobuf,
        of_sensor_view(elements) ? on_arena<osi3::SensorView>(count) : on_arena<osi3::SensorData>(count));
}

}  // namespace ositrace::bench
