// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <ositrace/export.hpp>

namespace ositrace {

/// The encoding of the bytes of a message.
enum class Encoding : std::uint8_t { protobuf, flatbuffers };

/// Which FlatBuffers slot a field has.
enum class Layout : std::uint8_t {
    numbered,  ///< slot = Protobuf field number - 1: stable over OSI releases; the default
    declared,  ///< slot = place in the .proto file: what `flatc --proto` wrote for OSI 3.4 to 3.7; needs the descriptor
               ///< set of its release
};

/// Encoding and layout together. For Protobuf the layout has no meaning and is always `numbered`.
struct Format {
    Encoding encoding = Encoding::protobuf;
    Layout layout = Layout::numbered;
    friend bool operator==(const Format&, const Format&) = default;
};

struct EncodingRow {
    Encoding encoding;
    std::string_view name;            ///< as on the command line
    std::string_view file_extension;  ///< of a length-prefixed file, with the dot
    std::string_view mcap_name;       ///< message encoding in an MCAP channel
};

/// The encodings, in the order of the enum.
[[nodiscard]] OSITRACE_API std::span<const EncodingRow> encodings() noexcept;
[[nodiscard]] OSITRACE_API const EncodingRow& row_of(Encoding encoding) noexcept;
[[nodiscard]] OSITRACE_API std::optional<Encoding> encoding_named(std::string_view name) noexcept;
[[nodiscard]] OSITRACE_API std::optional<Encoding> encoding_by_mcap_name(std::string_view mcap_name) noexcept;

[[nodiscard]] OSITRACE_API std::string_view name_of(Layout layout) noexcept;
[[nodiscard]] OSITRACE_API std::optional<Layout> layout_named(std::string_view name) noexcept;

}  // namespace ositrace
