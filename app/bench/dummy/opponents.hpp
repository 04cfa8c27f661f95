// SPDX-License-Identifier: MPL-2.0
// The dummy models as others build them: on the code that protoc and flatc generate. They do what dummy_sensor() and dummy_source() do,
// to the last bit, and are there to be measured against.
#pragma once

#include <cstdint>
#include <memory>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/dummy_source.hpp>

namespace ositrace::bench {

/// Where libprotobuf's messages live.
enum class ProtobufMemory : std::uint8_t {
    fresh,   ///< new messages in every step, as published
    reused,  ///< kept and cleared
    arena,   ///< new ones on an arena that is reset
};
/// Takes and returns Protobuf.
[[nodiscard]] std::unique_ptr<SensorModel> protobuf_sensor(const DummySensorOptions& options, ProtobufMemory memory);
[[nodiscard]] std::unique_ptr<SensorModel> protobuf_source(const DummySourceOptions& options, ProtobufMemory memory);

/// Before the input is read: flatbuffers' Verifier, or trust. A broken message that is trusted may crash the process.
enum class FlatInput : std::uint8_t { verified, trusted };
/// What the output is made of.
enum class FlatObjects : std::uint8_t {
    fresh,   ///< objects created in every step, then packed
    update,  ///< objects kept and changed, then packed: the study's second experimenter
};
/// Take and return FlatBuffers, layout `numbered`. What is carried is copied by reflection (builder) or unpacked into
/// objects and packed again, where strings that are set and empty get lost.
[[nodiscard]] std::unique_ptr<SensorModel> flat_builder_sensor(const DummySensorOptions& options, FlatInput input);
[[nodiscard]] std::unique_ptr<SensorModel> flat_builder_source(const DummySourceOptions& options);
[[nodiscard]] std::unique_ptr<SensorModel> flat_object_sensor(const DummySensorOptions& options, FlatInput input, FlatObjects objects);
[[nodiscard]] std::unique_ptr<SensorModel> flat_object_source(const DummySourceOptions& options, FlatObjects objects);

/// Does flatbuffers' Verifier accept it?
[[nodiscard]] bool verified_sensor_data(Bytes message);

}  // namespace ositrace::bench
