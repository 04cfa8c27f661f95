// SPDX-License-Identifier: MPL-2.0
// The rows that have counterparts in the published reports.
#pragma once

namespace ositrace::bench::row {

inline constexpr const char* protobuf = "Protobuf, fresh";
inline constexpr const char* builder = "FlatBuffers, fresh";
inline constexpr const char* objects = "FlatBuffers object API";
inline constexpr const char* update = "FlatBuffers object API, update";
inline constexpr const char* structs = "FlatBuffers structs";

}  // namespace ositrace::bench::row
