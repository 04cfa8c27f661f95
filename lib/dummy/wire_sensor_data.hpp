// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/protobuf/message_writer.hpp"
#include "lib/dummy/dummy_form.hpp"
#include "lib/dummy/dummy_sensor_rules.hpp"
#include "lib/messages/osi_writer.hpp"

namespace ositrace::dummy {

struct DetectedObject {
    std::uint64_t id;
    SensorFrame::Seen seen;
    std::optional<Vector> dimension;
    std::optional<std::int32_t> type;
    std::optional<MessageView> vehicle_classification;
};

/// What a SensorData is to say.
struct SensorDataContent {
    Nanoseconds time{};
    std::optional<std::uint64_t> sensor_id;
    std::optional<Pose> mounting;
    std::vector<DetectedObject> objects;
    std::vector<std::vector<Spherical>> lidars;
};

/// Writes SensorData in either encoding, without objects.
class WireSensorData {
public:
    /// `carried`: of the SensorView that is copied into it.
    WireSensorData(Format format, Format carried, const MessageTable& sensor_view);

    /// Replaces the contents of `out`. `sensor_view`: as received; empty: none is copied. Throws Error (limit).
    void write(const SensorDataContent& content, std::optional<Bytes> sensor_view, ByteBuffer& out);

private:
    void write_protobuf(const SensorDataContent& content, std::optional<Bytes> sensor_view);
    void write_object(const DetectedObject& object, std::uint64_t tracking_id,
                      const std::optional<std::uint64_t>& sensor_id);
    void write_detections(const std::vector<Spherical>& detections);
    Bytes carried_form(Bytes sensor_view);

    std::shared_ptr<const Schema> schema_;
    Format format_;
    FieldTag sensor_view_;
    ByteBuffer body_;
    scene::OsiWriter writer_;
    std::vector<std::byte> detection_;           ///< an encoded one
    std::vector<std::size_t> detection_places_;  ///< of its doubles
    std::optional<Transcoder> to_flat_;
    std::vector<Transcoder> carriers_;  ///< one after the other
    std::array<ByteBuffer, 2> carried_;
};

/// Lets the one element of a repeated message field of the root of `buffer`, an empty message, be the root of another
/// buffer, whose bytes are appended as they are: offsets are relative, so they stay right. Throws Error (limit).
void adopt_flat_message(ByteBuffer& buffer, const FieldRow& field, Layout layout, Bytes message);

}  // namespace ositrace::dummy
