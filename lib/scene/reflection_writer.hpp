// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/schema.hpp>

#include "lib/scene/lidar.hpp"

namespace ositrace::scene {

/// Writes the reflections of a LidarSensorView: all look alike but for their values, so an encoded one is copied and
/// the values are stored into it.
class ReflectionWriter {
public:
    /// `fields`: 2, 3 or 5, as in SceneOptions. `lidar_sensor_view`: the message that holds them. Throws Error
    /// (mismatch).
    ReflectionWriter(const MessageTable& lidar_sensor_view, int fields);

    /// An upper bound for one reflection, tag and length included.
    [[nodiscard]] std::size_t max_bytes() const noexcept;
    /// Appends one field `reflection`.
    void write(const Hit& hit, ByteBuffer& out) const;
    /// Appends `count` equal ones: signal_strength -40 dB, time_of_flight 100 ns, no doppler shift, facing the sensor,
    /// no object.
    void write_equal(std::uint64_t count, ByteBuffer& out) const;

private:
    void append(const double* values, std::uint64_t object_id, ByteBuffer& out) const;

    std::vector<std::byte> image_;           // with object id 0
    std::vector<std::size_t> value_places_;  // of the doubles in the image
    bool with_object_ = false;               // the id is the image's last byte, below two lengths
    std::size_t id_length_place_ = 0;
};

}  // namespace ositrace::scene
