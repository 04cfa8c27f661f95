// SPDX-License-Identifier: MPL-2.0
// The variants that convert the numbers of a message's elements to arrays. Every other library has a file of its own;
// the rows are in columns_command.cpp. All borrow the sample.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/bench/columns/elements.hpp"
#include "app/bench/core/python_process.hpp"
#include "app/bench/core/round.hpp"

namespace ositrace::bench {

/// Reads one frame; gives the columns of each sensor, one after the other.
using ReadColumns = std::function<void(Bytes frame, const TakeColumn&)>;

/// The steps of a reader that fills columns number by number, before and after a sensor.
inline void start(Columns& columns, std::size_t count)
{
    for (auto& column : columns) column.clear(), column.reserve(count);
}
inline void take_all(const Columns& columns, const TakeColumn& take)
{
    for (const auto& column : columns) take(column);
}

/// A variant that reads every frame of `frames`.
[[nodiscard]] Variant columns_variant(std::string name, std::string what, Role role,
                                      const std::vector<FrameBytes>& frames, ReadColumns read);

[[nodiscard]] Variant memcpy_of_columns(const Sample& sample, const Elements& elements);
[[nodiscard]] Variant libprotobuf_columns(const Sample& sample, const Elements& elements);
[[nodiscard]] Variant libprotobuf_columns_fresh(const Sample& sample, const Elements& elements);
[[nodiscard]] Variant libprotobuf_columns_arena(const Sample& sample, const Elements& elements);
[[nodiscard]] Variant flatbuffers_columns(const Sample& sample, const Elements& elements);
[[nodiscard]] Variant flatbuffers_columns_verified(const Sample& sample, const Elements& elements);
[[nodiscard]] Variant our_columns_of_protobuf(const Sample& sample, const Elements& elements);
[[nodiscard]] Variant our_columns_of_flat(const Sample& sample, const Elements& elements);

/// Empty if this Python lacks the package. Its times are those of another process.
[[nodiscard]] std::optional<Variant> ptars_columns(const Sample& sample, const Elements& elements,
                                                   const std::string& python, const std::filesystem::path& scratch);

/// The readers, for other benchmarks that need the numbers.
[[nodiscard]] ReadColumns our_reader(const MessageTable& root, const Elements& elements, const Format& format);
[[nodiscard]] ReadColumns libprotobuf_reader(const Elements& elements);
[[nodiscard]] ReadColumns libprotobuf_fresh_reader(const Elements& elements);
[[nodiscard]] ReadColumns flatbuffers_reader(const Elements& elements);
[[nodiscard]] ReadColumns flatbuffers_verified_reader(const Elements& elements);

}  // namespace ositrace::bench
