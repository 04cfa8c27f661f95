// SPDX-License-Identifier: MPL-2.0
#include "app/bench/structs/tree_codec.hpp"

#include "sensor_data_xdr.h"

namespace ositrace::bench {
namespace {

class XdrCodec final : public StructCodec {
public:
    std::size_t write(const SensorData& data, std::byte* to) override
    {
        XdrSensorData message{
            {data.version.data_type, data.version.result, data.version.master, data.version.second, data.version.step},
            {data.status.mode, data.status.roll_count, data.status.configuration},
            {data.target_status.targets, data.target_status.roll_count},
            {data.target.index, data.target.cross_section, data.target.range, data.target.azimuth, data.target.speed,
             data.target.roll_count, data.target.noise_ratio},
            data.target_count};
        XDR stream{};
        ::xdrmem_create(&stream, reinterpret_cast<char*>(to), max_bytes, XDR_ENCODE);
        if (!::xdr_XdrSensorData(&stream, &message)) throw Error(Cause::limit, "XDR needs more bytes");
        return xdr_getpos(&stream);
    }
    void read(Bytes bytes, SensorData& data) override
    {
        XdrSensorData message{};
        XDR stream{};
        // It is read only; the C interface has one function for both directions.
        auto* const from = const_cast<char*>(text_of(bytes).data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
        ::xdrmem_create(&stream, from, static_cast<unsigned>(bytes.size()), XDR_DECODE);
        if (!::xdr_XdrSensorData(&stream, &message) || xdr_getpos(&stream) != bytes.size())
            throw Error(Cause::malformed, "XDR does not accept it");
        data.version = {message.sensor_version.data_type, message.sensor_version.result != 0,
                        message.sensor_version.master, message.sensor_version.second, message.sensor_version.step};
        data.status = {message.status.mode, message.status.roll_count, message.status.configuration};
        data.target_status = {message.target_status.targets, message.target_status.roll_count};
        data.target = {message.target.index,
                       message.target.cross_section,
                       message.target.range,
                       message.target.azimuth,
                       message.target.speed,
                       message.target.roll_count,
                       narrowed<std::int8_t>(message.target.noise_ratio, "noise_ratio")};
        data.target_count = message.target_count;
    }
};

}  // namespace

std::unique_ptr<StructCodec> xdr_codec() { return std::make_unique<XdrCodec>(); }

}  // namespace ositrace::bench
