// SPDX-License-Identifier: MPL-2.0
// One sensor's reflections as a SensorView that holds nothing else, in the forms that are compared: an element each, or
// plain columns.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace::bench {

/// The numbers to be written, as an algorithm has them.
struct ReflectionArrays {
    std::vector<double> signal_strength, time_of_flight;
    [[nodiscard]] std::size_t size() const noexcept { return signal_strength.size(); }
};

/// Writes and reads one form. Keeps its memory.
class ReflectionForm {
public:
    virtual ~ReflectionForm() = default;
    /// The message, until the next call.
    [[nodiscard]] virtual Bytes write(const ReflectionArrays& arrays) = 0;
    /// Into the arrays below: the floats where the form keeps floats, else the doubles.
    virtual void read(Bytes message) = 0;

    ReflectionArrays arrays;
    std::vector<float> float_signal_strength, float_time_of_flight;
};

/// libprotobuf, message reused: a Reflection each.
[[nodiscard]] std::unique_ptr<ReflectionForm> protobuf_elements();
/// FlatBufferBuilder reused, read without the Verifier: a Reflection each.
[[nodiscard]] std::unique_ptr<ReflectionForm> flat_elements();

/// The study's recommendation: a `bytes` field (here number 10000, an extension) of the same LidarSensorView, by
/// libprotobuf. It holds the two columns one behind the other. A measurement, not a format.
enum class ColumnNumbers : std::uint8_t { doubles, floats };
[[nodiscard]] std::unique_ptr<ReflectionForm> plain_columns(ColumnNumbers numbers);

}  // namespace ositrace::bench
