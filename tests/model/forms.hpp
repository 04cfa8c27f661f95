// SPDX-License-Identifier: MPL-2.0
// All forms of the dummy models, and what they make of the same input.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/dummy_source.hpp>

namespace ositrace::test {

using Message = std::vector<std::byte>;

inline constexpr Format protobuf_format{};
inline constexpr Format flat_format{Encoding::flatbuffers, Layout::numbered};

struct NamedModel {
    std::string name;
    Format takes;  ///< and gives
    std::unique_ptr<SensorModel> model;
};
[[nodiscard]] std::vector<NamedModel> sensors(const DummySensorOptions& options);
[[nodiscard]] std::vector<NamedModel> sources(const DummySourceOptions& options);

/// A trace of one channel.
[[nodiscard]] TraceInfo info_of(MessageType type, Format format,
                                std::shared_ptr<const Schema> schema = Schema::built_in());
/// One step; the bytes returned, or nothing where no frame was.
[[nodiscard]] Message step(SensorModel& model, Bytes input, Nanoseconds now);
[[nodiscard]] Message step(SensorModel& source, Nanoseconds now);
[[nodiscard]] Message to_flat(Bytes protobuf, MessageType type);

/// Steps all sensors through the frames (SensorView, Protobuf, built-in schema) and requires that they agree: Protobuf
/// forms byte for byte, the others by content (those of the object API but for strings that are set and empty); that
/// FlatBuffers are such as the Verifier accepts. Returns what ours says of the frames, in Protobuf.
std::vector<Message> require_agreement(const std::vector<Message>& frames, const DummySensorOptions& options = {});

}  // namespace ositrace::test
