// SPDX-License-Identifier: MPL-2.0
#include "app/bench/size/reflection_messages.hpp"

#include <cstring>

#include <ositrace/error.hpp>

#include "osi3/osi_sensorview.pb.h"
#include "osi_opponent.hpp"

namespace ositrace::bench {
namespace {

constexpr int column_field = 10'000;

void parse(Bytes message, osi3::SensorView& view)
{
    if (!view.ParseFromArray(message.data(), static_cast<int>(message.size())))
        throw Error(Cause::malformed, "libprotobuf refuses a message");
}

class ProtobufElements final : public ReflectionForm {
public:
    Bytes write(const ReflectionArrays& from) override
    {
        view_.Clear();
        auto& reflections = *view_.add_lidar_sensor_view()->mutable_reflection();
        reflections.Reserve(static_cast<int>(from.size()));
        for (std::size_t i = 0; i < from.size(); ++i) {
            auto& reflection = *reflections.Add();
            reflection.set_signal_strength(from.signal_strength[i]);
            reflection.set_time_of_flight(from.time_of_flight[i]);
        }
        text_.clear();
        view_.AppendToString(&text_);
        return bytes_of(text_);
    }
    void read(Bytes message) override
    {
        parse(message, view_);
        arrays.signal_strength.clear(), arrays.time_of_flight.clear();
        for (const auto& reflection : view_.lidar_sensor_view(0).reflection()) {
            arrays.signal_strength.push_back(reflection.signal_strength());
            arrays.time_of_flight.push_back(reflection.time_of_flight());
        }
    }

private:
    osi3::SensorView view_;
    std::string text_;
};

class FlatElements final : public ReflectionForm {
public:
    Bytes write(const ReflectionArrays& from) override
    {
        namespace flat = osi3_flat;
        builder_.Clear();
        const auto reflections = builder_.CreateVector<flatbuffers::Offset<flat::LidarSensorView_Reflection>>(
            from.size(), [&](std::size_t i) {
                flat::LidarSensorView_ReflectionBuilder reflection(builder_);
                reflection.add_signal_strength(from.signal_strength[i]);
                reflection.add_time_of_flight(from.time_of_flight[i]);
                return reflection.Finish();
            });
        flat::LidarSensorViewBuilder sensor(builder_);
        sensor.add_reflection(reflections);
        const auto sensors = builder_.CreateVector(std::vector{sensor.Finish()});
        flat::SensorViewBuilder view(builder_);
        view.add_lidar_sensor_view(sensors);
        builder_.Finish(view.Finish());
        return std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize()));
    }
    void read(Bytes message) override
    {
        const auto& reflections =
            *flatbuffers::GetRoot<osi3_flat::SensorView>(message.data())->lidar_sensor_view()->Get(0)->reflection();
        arrays.signal_strength.clear(), arrays.time_of_flight.clear();
        for (const auto* reflection : reflections) {
            arrays.signal_strength.push_back(reflection->signal_strength().value_or(0));
            arrays.time_of_flight.push_back(reflection->time_of_flight().value_or(0));
        }
    }

private:
    flatbuffers::FlatBufferBuilder builder_;
};

/// The two columns of T in a bytes field.
template <class T>
class PlainColumns final : public ReflectionForm {
public:
    Bytes write(const ReflectionArrays& from) override
    {
        view_.Clear();
        auto& columns = *view_.add_lidar_sensor_view()->mutable_unknown_fields()->AddLengthDelimited(column_field);
        columns.resize(2 * from.size() * sizeof(T));
        put(columns.data(), from.signal_strength);
        put(columns.data() + from.size() * sizeof(T), from.time_of_flight);
        text_.clear();
        view_.AppendToString(&text_);
        return bytes_of(text_);
    }
    void read(Bytes message) override
    {
        parse(message, view_);
        const auto& columns = view_.lidar_sensor_view(0).unknown_fields().field(0).length_delimited();
        const auto half = columns.size() / 2;
        if constexpr (std::is_same_v<T, float>) {
            get(columns.data(), half, float_signal_strength);
            get(columns.data() + half, half, float_time_of_flight);
        } else {
            get(columns.data(), half, arrays.signal_strength);
            get(columns.data() + half, half, arrays.time_of_flight);
        }
    }

private:
    static void put(char* to, const std::vector<double>& numbers)
    {
        if constexpr (std::is_same_v<T, double>) {
            std::memcpy(to, numbers.data(), numbers.size() * sizeof(T));
        } else {
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const auto number = static_cast<T>(numbers[i]);
                std::memcpy(to + i * sizeof(T), &number, sizeof number);
            }
        }
    }
    static void get(const char* from, std::size_t bytes, std::vector<T>& numbers)
    {
        numbers.resize(bytes / sizeof(T));
        std::memcpy(numbers.data(), from, bytes);
    }

    osi3::SensorView view_;
    std::string text_;
};

}  // namespace

std::unique_ptr<ReflectionForm> protobuf_elements() { return std::make_unique<ProtobufElements>(); }
std::unique_ptr<ReflectionForm> flat_elements() { return std::make_unique<FlatElements>(); }

std::unique_ptr<ReflectionForm> plain_columns(ColumnNumbers numbers)
{
    if (numbers == ColumnNumbers::floats) return std::make_unique<PlainColumns<float>>();
    return std::make_unique<PlainColumns<double>>();
}

}  // namespace ositrace::bench
