// SPDX-License-Identifier: MPL-2.0
#include "app/bench/dummy/opponents.hpp"
#include "app/fmu/dummy_kinds.hpp"

namespace ositrace::fmu {

const FmuKind& this_kind()
{
    static const FmuKind row =
        dummy_sensor_kind("BenchProtobufSensor", Encoding::protobuf, [](const DummySensorOptions& options) {
            return bench::protobuf_sensor(options, bench::ProtobufMemory::fresh);
        });
    return row;
}

}  // namespace ositrace::fmu
