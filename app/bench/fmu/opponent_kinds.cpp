// SPDX-License-Identifier: MPL-2.0
// Compiled once for every FMU; OSITRACE_FMU_NAME is the name of its row.
#include <algorithm>
#include <array>
#include <string_view>

#include "app/bench/dummy/opponents.hpp"
#include "app/fmu/dummy_kinds.hpp"

namespace ositrace::fmu {

using namespace bench;

const FmuKind& this_kind()
{
    static const std::array rows{
        dummy_source_kind(
            "BenchProtobufSource", Encoding::protobuf,
            [](const DummySourceOptions& options) { return protobuf_source(options, ProtobufMemory::fresh); }),
        dummy_sensor_kind(
            "BenchProtobufSensor", Encoding::protobuf,
            [](const DummySensorOptions& options) { return protobuf_sensor(options, ProtobufMemory::fresh); }),
        dummy_source_kind("BenchFlatBuffersSource", Encoding::flatbuffers,
                          [](const DummySourceOptions& options) {
                              return flat_forms(FlatLayout::numbered).builder_source(options, FlatBuilder::reused);
                          }),
        dummy_sensor_kind("BenchFlatBuffersSensor", Encoding::flatbuffers,
                          [](const DummySensorOptions& options) {
                              return flat_forms(FlatLayout::numbered)
                                  .builder_sensor(options, FlatInput::trusted, FlatBuilder::reused);
                          }),
    };
    return *std::ranges::find(rows, std::string_view(OSITRACE_FMU_NAME), &FmuKind::name);
}

}  // namespace ositrace::fmu
