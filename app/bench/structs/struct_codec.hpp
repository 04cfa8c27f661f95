// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <span>
#include <string>

#include <ositrace/bytes.hpp>

#include "app/bench/core/round.hpp"
#include "app/bench/structs/sensor_data.hpp"

namespace ositrace::bench {

/// Serialises one struct at a time. It keeps what its library recommends to keep between calls. One thread at a time.
class StructCodec {
public:
    /// The most bytes that any codec writes.
    static constexpr std::size_t max_bytes = 1024;

    virtual ~StructCodec() = default;
    /// Writes to `to`, which has room for max_bytes; returns the number of bytes. Throws Error (limit).
    virtual std::size_t write(const SensorData& data, std::byte* to) = 0;
    /// Throws Error (malformed).
    virtual void read(Bytes bytes, SensorData& data) = 0;
};

/// Values with their keys, or in the order of the struct.
enum class Shape : bool { map, array };

/// What a codec leaves for the reader.
enum class Leaves : bool {
    bytes,
    objects,  ///< a pointer to objects in memory, as the published program does: only a reader in this process can use
              ///< it; every write must be read
};

/// A row of the report.
struct StructRow {
    const char* name;
    const char* what;
    Role role = Role::other;
    std::unique_ptr<StructCodec> (*make)();
    Leaves leaves = Leaves::bytes;
};

/// All that were built; the two copies of the reference first.
[[nodiscard]] std::span<const StructRow> struct_rows();
/// The libraries that were missing when this program was built, each with its Debian package.
[[nodiscard]] std::span<const std::string> missing_libraries();

[[nodiscard]] std::unique_ptr<StructCodec> memcpy_codec();
[[nodiscard]] std::unique_ptr<StructCodec> string_codec(Shape shape);
[[nodiscard]] std::unique_ptr<StructCodec> json_c_codec(Shape shape, Leaves leaves);
[[nodiscard]] std::unique_ptr<StructCodec> fastjson_codec(Shape shape, Leaves leaves);
[[nodiscard]] std::unique_ptr<StructCodec> nlohmann_codec(Shape shape);
[[nodiscard]] std::unique_ptr<StructCodec> cbor_codec(Shape shape, Leaves leaves);
[[nodiscard]] std::unique_ptr<StructCodec> protobuf_codec();
[[nodiscard]] std::unique_ptr<StructCodec> protobuf_c_codec();
[[nodiscard]] std::unique_ptr<StructCodec> xdr_codec();
enum class FlatForm : std::uint8_t { trusted, verified, fixed };
[[nodiscard]] std::unique_ptr<StructCodec> flat_codec(FlatForm form);
[[nodiscard]] std::unique_ptr<StructCodec> our_codec();

}  // namespace ositrace::bench
