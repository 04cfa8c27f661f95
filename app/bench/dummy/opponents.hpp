// SPDX-License-Identifier: MPL-2.0
// The dummy models as others build them: on the code that protoc and flatc generate. Their results equal those of
// dummy_sensor() and dummy_source() to the last bit. Benchmarks compare with them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/dummy_sensor.hpp>
#include <ositrace/dummy_source.hpp>

namespace ositrace::bench {

/// The memory of libprotobuf's messages.
enum class ProtobufMemory : std::uint8_t {
    fresh,   ///< new messages in every step, as published
    reused,  ///< kept and cleared
    arena,   ///< new ones on an arena that is reset
};
/// Takes and returns Protobuf.
[[nodiscard]] std::unique_ptr<SensorModel> protobuf_sensor(const DummySensorOptions& options, ProtobufMemory memory);
[[nodiscard]] std::unique_ptr<SensorModel> protobuf_source(const DummySourceOptions& options, ProtobufMemory memory);

/// The input is verified by flatbuffers' Verifier before it is read, or trusted. A broken message that is trusted may
/// crash the process.
enum class FlatInput : std::uint8_t { verified, trusted };
/// How the output is built.
enum class FlatObjects : std::uint8_t {
    fresh,   ///< objects created in every step, then packed
    update,  ///< objects kept and changed, then packed: the study's second experimenter
};
/// The memory of flatc's code.
enum class FlatBuilder : std::uint8_t { reused, fresh };
/// The schema from which flatc's code was generated.
enum class FlatLayout : std::uint8_t {
    numbered,  ///< ours: slots by field number, presence kept
    declared,  ///< the study's: slots as declared, plain defaults, so that a zero is not written
    structs,   ///< the same with small messages and reflections as structs; no other release of OSI can read that
};

/// The models on flatc's code of one layout. They take and return FlatBuffers of that layout. The carried input is
/// copied by reflection (builder), or unpacked into objects and packed again, which loses strings that are set but
/// empty.
struct FlatForms {
    std::unique_ptr<SensorModel> (*builder_source)(const DummySourceOptions& options, FlatBuilder builder);
    std::unique_ptr<SensorModel> (*builder_sensor)(const DummySensorOptions& options, FlatInput input,
                                                   FlatBuilder builder);
    std::unique_ptr<SensorModel> (*object_source)(const DummySourceOptions& options,
                                                  FlatObjects objects);  ///< null where no objects are built
    std::unique_ptr<SensorModel> (*object_sensor)(const DummySensorOptions& options, FlatInput input,
                                                  FlatObjects objects);
    /// Does flatbuffers' Verifier accept it?
    bool (*verified_sensor_data)(Bytes message);
    Bytes (*binary_schema)();
};
[[nodiscard]] const FlatForms& flat_forms(FlatLayout layout) noexcept;

/// Converts SensorData of any layout to canonical Protobuf with the reflection of both libraries: slow, and depends on
/// nothing but the names.
[[nodiscard]] std::string protobuf_of_sensor_data(Bytes message, Bytes binary_schema);
/// The same message without fields that have their default value: the part that remains in layouts without zeros.
[[nodiscard]] std::string without_defaults(Bytes sensor_data);

}  // namespace ositrace::bench
