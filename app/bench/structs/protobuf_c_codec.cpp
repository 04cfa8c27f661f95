// SPDX-License-Identifier: MPL-2.0
#include <memory>

#include "app/bench/structs/tree_codec.hpp"

#include "sensor_data.pb-c.h"

namespace ositrace::bench {
namespace {

class ProtobufCCodec final : public StructCodec {
public:
    std::size_t write(const SensorData& data, std::byte* to) override
    {
        Ositrace__Structs__SensorVersion version = OSITRACE__STRUCTS__SENSOR_VERSION__INIT;
        version.data_type = data.version.data_type;
        version.result = data.version.result;
        version.master = data.version.master;
        version.second = data.version.second;
        version.step = data.version.step;
        Ositrace__Structs__SensorStatus status = OSITRACE__STRUCTS__SENSOR_STATUS__INIT;
        status.mode = data.status.mode;
        status.roll_count = data.status.roll_count;
        status.configuration = data.status.configuration;
        Ositrace__Structs__TargetStatus target_status = OSITRACE__STRUCTS__TARGET_STATUS__INIT;
        target_status.targets = data.target_status.targets;
        target_status.roll_count = data.target_status.roll_count;
        Ositrace__Structs__TargetInfo target = OSITRACE__STRUCTS__TARGET_INFO__INIT;
        target.index = data.target.index;
        target.cross_section = data.target.cross_section;
        target.range = data.target.range;
        target.azimuth = data.target.azimuth;
        target.speed = data.target.speed;
        target.roll_count = data.target.roll_count;
        target.noise_ratio = std::int32_t{data.target.noise_ratio};
        Ositrace__Structs__SensorData message = OSITRACE__STRUCTS__SENSOR_DATA__INIT;
        message.version = &version;
        message.status = &status;
        message.target_status = &target_status;
        message.target = &target;
        message.target_count = data.target_count;
        // 18 values of at most 5 bytes, each with a tag: max_bytes are enough.
        return ::ositrace__structs__sensor_data__pack(&message, reinterpret_cast<std::uint8_t*>(to));
    }
    void read(Bytes bytes, SensorData& data) override
    {
        const Message message(::ositrace__structs__sensor_data__unpack(
            nullptr, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data())));
        if (!message) throw Error(Cause::malformed, "protobuf-c does not accept it");
        const auto& version = *message->version;
        data.version = {narrowed<std::uint8_t>(version.data_type, "data_type"), version.result != 0,
                        narrowed<std::uint8_t>(version.master, "master"),
                        narrowed<std::uint8_t>(version.second, "second"), narrowed<std::uint8_t>(version.step, "step")};
        const auto& status = *message->status;
        data.status = {narrowed<std::uint8_t>(status.mode, "mode"),
                       narrowed<std::uint8_t>(status.roll_count, "roll_count"),
                       narrowed<std::uint8_t>(status.configuration, "configuration")};
        const auto& target_status = *message->target_status;
        data.target_status = {narrowed<std::uint8_t>(target_status.targets, "targets"),
                              narrowed<std::uint8_t>(target_status.roll_count, "roll_count")};
        const auto& target = *message->target;
        data.target = {narrowed<std::uint8_t>(target.index, "index"),
                       target.cross_section,
                       target.range,
                       narrowed<std::int16_t>(target.azimuth, "azimuth"),
                       target.speed,
                       narrowed<std::uint8_t>(target.roll_count, "roll_count"),
                       narrowed<std::int8_t>(target.noise_ratio, "noise_ratio")};
        data.target_count = narrowed<std::uint8_t>(message->target_count, "target_count");
    }

private:
    struct Free {
        void operator()(Ositrace__Structs__SensorData* message) const noexcept
        {
            ::ositrace__structs__sensor_data__free_unpacked(message, nullptr);
        }
    };
    using Message = std::unique_ptr<Ositrace__Structs__SensorData, Free>;
};

}  // namespace

std::unique_ptr<StructCodec> protobuf_c_codec() { return std::make_unique<ProtobufCCodec>(); }

}  // namespace ositrace::bench
