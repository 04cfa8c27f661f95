// SPDX-License-Identifier: MPL-2.0
// The sample scene: a deterministic trace of a ring road, generated without a simulator. Quick start, benchmarks,
// viewer and tests use it.
#pragma once

#include <cstdint>
#include <memory>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/ray_grid.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Which frames contain static data: road, lanes, signs, markings, buildings.
enum class StaticData : std::uint8_t { every_frame, first_frame, never };

struct SceneOptions {
    MessageType type = MessageType::sensor_view;  ///< or ground_truth, sensor_data
    std::uint64_t frames = 100;
    Nanoseconds period = std::chrono::milliseconds(100);
    std::uint32_t moving_objects = 12;  ///< besides the host vehicle; every 12 contain one of each kind
    std::uint32_t reflections = 2000;   ///< rays of the lidar, one entry each in every frame; 0: no lidar
    int reflection_fields = 2;       ///< 2: signal_strength, time_of_flight; 3: + doppler_shift; 5: + normal, object_id
    bool equal_reflections = false;  ///< equal dummies instead of rays
    bool ray_directions = false;     ///< the lidar's configuration lists the direction and time of every ray
    bool carry_input = true;         ///< sensor_data: contains the SensorView of its frame
    StaticData static_data = StaticData::every_frame;
    std::uint64_t seed = 1;                ///< of phases, colours, heights; the road does not depend on it
    std::shared_ptr<const Schema> schema;  ///< null: the built-in one
};

/// Generates the frames as canonical Protobuf. A frame depends on the options and its number alone, and is equal to the
/// last bit on every machine with IEEE 754 arithmetic: frames can be generated in any order and on several threads at
/// once.
///
/// The world: a flat ring road about the origin (radius 80 m, more for many objects) with three driving lanes, a
/// bicycle lane and a sidewalk. Traffic drives on the right, counter-clockwise; all road users move on smooth curves,
/// and velocity is the derivative of position. The host (id 1) carries a virtual sensor (id 1), a lidar (id 2) and, in
/// SensorData, a radar (id 3). A ray of the lidar ends at its first hit of a bounding box (the host's excepted) or of
/// the ground z = 0, at 200 m at most. A ray that hits nothing has time_of_flight 0, signal_strength -200 dB,
/// doppler_shift 0, normal (0, 0, 0) and object_id 2^64 - 1, which is also the id of the ground.
class Scene {
public:
    /// Throws Error: usage for invalid options, mismatch for a schema that lacks a field of the scene.
    explicit Scene(const SceneOptions& options);
    Scene(Scene&&) noexcept;
    Scene& operator=(Scene&&) noexcept;
    ~Scene();

    /// Replaces the contents of `out` by frame `i`; `i` may go beyond `options().frames`. Thread-safe.
    /// Throws Error (limit) if the message would exceed 2^31 - 1 bytes.
    void frame(std::uint64_t i, ByteBuffer& out) const;
    /// The OSI timestamp of frame `i`: i * period.
    [[nodiscard]] Nanoseconds time(std::uint64_t i) const noexcept;

    [[nodiscard]] const SceneOptions& options() const noexcept;
    /// One channel, Protobuf.
    [[nodiscard]] const TraceInfo& info() const noexcept;
    /// The rays of the lidar, `reflections` in all.
    [[nodiscard]] const RayGrid& lidar_grid() const noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// The frames of a scene in order, generated ahead on `threads` threads (0: one per core). Memory: one frame per thread
/// and one more.
class SceneSource final : public FrameSource {
public:
    /// Throws as Scene does.
    explicit SceneSource(const SceneOptions& options, unsigned threads = 0);
    ~SceneSource() override;

    [[nodiscard]] const TraceInfo& info() const noexcept override;
    bool read(Frame& frame, std::stop_token stop = {}) override;
    /// Bytes generated so far.
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override;
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
