// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "lib/io/byte_source.hpp"

namespace ositrace {

/// The messages in a file whose frames are SensorDataSeries (repeated SensorData, in Protobuf), each after a length
/// prefix: the bytes of a trace of SensorData. Some tools write such files as `_sd_` traces (open-simulation-interface
/// #900). Memory: a buffer of 64 KiB, whatever the lengths are. read() throws Error (malformed, truncated) with the
/// frame and the byte of `series`.
[[nodiscard]] std::unique_ptr<ByteSource> unpacked_series(std::unique_ptr<ByteSource> series);

}  // namespace ositrace
