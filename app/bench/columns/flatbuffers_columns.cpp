// SPDX-License-Identifier: MPL-2.0
// Reads the FlatBuffer with flatc's accessors: trusted, or verified first.
#include "osi_opponent.hpp"

#include "app/bench/columns/column_variants.hpp"
#include "app/bench/naive/naive_converter.hpp"

namespace ositrace::bench {
namespace {

void read(const osi3_flat::SensorView& frame, Columns& columns, const TakeColumn& take)
{
    if (frame.lidar_sensor_view() == nullptr) return;
    for (const auto* sensor : *frame.lidar_sensor_view()) {
        const auto* reflections = sensor->reflection();
        start(columns, reflections == nullptr ? 0 : reflections->size());
        if (reflections != nullptr)
            for (const auto* reflection : *reflections) {
                columns[0].push_back(reflection->signal_strength().value_or(0));
                columns[1].push_back(reflection->time_of_flight().value_or(0));
            }
        take_all(columns, take);
    }
}

void read(const osi3_flat::SensorData& frame, Columns& columns, const TakeColumn& take)
{
    if (frame.feature_data() == nullptr || frame.feature_data()->lidar_sensor() == nullptr) return;
    for (const auto* sensor : *frame.feature_data()->lidar_sensor()) {
        const auto* detections = sensor->detection();
        start(columns, detections == nullptr ? 0 : detections->size());
        if (detections != nullptr)
            for (const auto* detection : *detections) {
                const auto* position = detection->position();
                columns[0].push_back(position == nullptr ? 0 : position->distance().value_or(0));
                columns[1].push_back(position == nullptr ? 0 : position->azimuth().value_or(0));
                columns[2].push_back(position == nullptr ? 0 : position->elevation().value_or(0));
                columns[3].push_back(detection->intensity().value_or(0));
            }
        take_all(columns, take);
    }
}

template <class Message>
ReadColumns walk(std::size_t count, std::shared_ptr<NaiveConverter> verifier)
{
    return [verifier, columns = Columns(count)](Bytes frame, const TakeColumn& take) mutable {
        if (verifier) verifier->verify(frame);
        read(*flatbuffers::GetRoot<Message>(frame.data()), columns, take);
    };
}

ReadColumns walk(const Elements& elements, std::shared_ptr<NaiveConverter> verifier = nullptr)
{
    const auto count = elements.columns.size();
    if (elements.kind == ElementKind::reflections) return walk<osi3_flat::SensorView>(count, std::move(verifier));
    return walk<osi3_flat::SensorData>(count, std::move(verifier));
}

}  // namespace

ReadColumns flatbuffers_reader(const Elements& elements) { return walk(elements); }

ReadColumns flatbuffers_verified_reader(const Elements& elements)
{
    return walk(elements, std::make_shared<NaiveConverter>(elements.message));
}

Variant flatbuffers_columns(const Sample& sample, const Elements& elements)
{
    return columns_variant("flatbuffers", "flatc's accessors; the buffer is trusted", Role::other, sample.flat,
                           flatbuffers_reader(elements));
}

Variant flatbuffers_columns_verified(const Sample& sample, const Elements& elements)
{
    return columns_variant("flatbuffers, verified", "the same after FlatBuffers' Verifier, as safe as the others",
                           Role::other, sample.flat, flatbuffers_verified_reader(elements));
}

}  // namespace ositrace::bench
