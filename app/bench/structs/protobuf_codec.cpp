// SPDX-License-Identifier: MPL-2.0
#include <ositrace/error.hpp>

#include "app/bench/structs/tree_codec.hpp"

#include "sensor_data.pb.h"

namespace ositrace::bench {
namespace {

class ProtobufCodec final : public StructCodec {
public:
    std::size_t write(const SensorData& data, std::byte* to) override
    {
        auto& version = *message_.mutable_version();
        version.set_data_type(data.version.data_type);
        version.set_result(data.version.result);
        version.set_master(data.version.master);
        version.set_second(data.version.second);
        version.set_step(data.version.step);
        auto& status = *message_.mutable_status();
        status.set_mode(data.status.mode);
        status.set_roll_count(data.status.roll_count);
        status.set_configuration(data.status.configuration);
        auto& target_status = *message_.mutable_target_status();
        target_status.set_targets(data.target_status.targets);
        target_status.set_roll_count(data.target_status.roll_count);
        auto& target = *message_.mutable_target();
        target.set_index(data.target.index);
        target.set_cross_section(data.target.cross_section);
        target.set_range(data.target.range);
        target.set_azimuth(data.target.azimuth);
        target.set_speed(data.target.speed);
        target.set_roll_count(data.target.roll_count);
        target.set_noise_ratio(data.target.noise_ratio);
        message_.set_target_count(data.target_count);
        if (!message_.SerializeToArray(to, max_bytes)) throw Error(Cause::limit, "libprotobuf needs more bytes");
        return static_cast<std::size_t>(message_.GetCachedSize());
    }
    void read(Bytes bytes, SensorData& data) override
    {
        if (!message_.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
            throw Error(Cause::malformed, "libprotobuf does not accept it");
        const auto& [version, status, target_status, target] =
            std::tie(message_.version(), message_.status(), message_.target_status(), message_.target());
        data.version = {narrowed<std::uint8_t>(version.data_type(), "data_type"), version.result(),
                        narrowed<std::uint8_t>(version.master(), "master"),
                        narrowed<std::uint8_t>(version.second(), "second"),
                        narrowed<std::uint8_t>(version.step(), "step")};
        data.status = {narrowed<std::uint8_t>(status.mode(), "mode"),
                       narrowed<std::uint8_t>(status.roll_count(), "roll_count"),
                       narrowed<std::uint8_t>(status.configuration(), "configuration")};
        data.target_status = {narrowed<std::uint8_t>(target_status.targets(), "targets"),
                              narrowed<std::uint8_t>(target_status.roll_count(), "roll_count")};
        data.target = {narrowed<std::uint8_t>(target.index(), "index"),
                       target.cross_section(),
                       target.range(),
                       narrowed<std::int16_t>(target.azimuth(), "azimuth"),
                       target.speed(),
                       narrowed<std::uint8_t>(target.roll_count(), "roll_count"),
                       narrowed<std::int8_t>(target.noise_ratio(), "noise_ratio")};
        data.target_count = narrowed<std::uint8_t>(message_.target_count(), "target_count");
    }

private:
    structs::SensorData message_;  ///< reused
};

}  // namespace

std::unique_ptr<StructCodec> protobuf_codec() { return std::make_unique<ProtobufCodec>(); }

}  // namespace ositrace::bench
