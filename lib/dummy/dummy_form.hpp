// SPDX-License-Identifier: MPL-2.0
// A dummy model comes in several forms, which differ in how they read and write messages. What surrounds them is the
// same: the stages in their order, the channels, the frames.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/model_observer.hpp>
#include <ositrace/sensor_model.hpp>

namespace ositrace::dummy {

/// As messages keep a time.
struct Timestamp {
    std::int64_t seconds;
    std::uint32_t nanos;
};
[[nodiscard]] inline Timestamp timestamp_of(Nanoseconds time) noexcept
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return {seconds.count(), static_cast<std::uint32_t>((time - seconds).count())};
}

class SensorForm {
public:
    virtual ~SensorForm() = default;
    /// Once: the channel that messages will come from. Throws Error when this form cannot read them. The format of its
    /// SensorData.
    virtual Format open(const Channel& sensor_view) = 0;
    /// `sensor_view` is borrowed until serialize() has returned. Throws Error (malformed).
    virtual void deserialize(Bytes sensor_view) = 0;
    virtual void calculate(Nanoseconds now) = 0;
    /// Replaces the contents of `out`.
    virtual void serialize(ByteBuffer& out) = 0;
};

class SourceForm {
public:
    virtual ~SourceForm() = default;
    [[nodiscard]] virtual Format format() const noexcept = 0;
    virtual void generate(Nanoseconds now) = 0;
    /// Replaces the contents of `out`.
    virtual void serialize(ByteBuffer& out) = 0;
};

[[nodiscard]] std::unique_ptr<SensorModel> model_of(std::unique_ptr<SensorForm> form, ModelObserver observer);
[[nodiscard]] std::unique_ptr<SensorModel> model_of(std::unique_ptr<SourceForm> form, ModelObserver observer);

}  // namespace ositrace::dummy
