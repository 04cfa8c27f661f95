// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/export.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// The two text forms of a message.
enum class TextForm : std::uint8_t {
    text_format,  ///< Protobuf's text format: `.txth`
    json,         ///< one JSON object a line: `.jsonl`
};

/// Converts the text of a message to Protobuf. The library has no parser of its own: link `ositrace::ositrace_text` and
/// pass its libprotobuf_text_parser() to OpenOptions. Thread-safe.
class OSITRACE_API TextParser {
public:
    virtual ~TextParser() = default;
    /// Replaces the contents of `out` by canonical Protobuf. Throws Error (malformed, limit) with the offset in the
    /// text, to which the caller adds line and column; unsupported, without it, where no text can be read.
    virtual void parse(std::string_view text, TextForm form, const MessageTable& root, const Schema& schema,
                       ByteBuffer& out) const = 0;
};

}  // namespace ositrace
