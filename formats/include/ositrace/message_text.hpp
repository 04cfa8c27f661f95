// SPDX-License-Identifier: MPL-2.0
// Messages as text, from views: no object is built. The other way needs libprotobuf: see <ositrace/text_parser.hpp>.
#pragma once

#include <cstdint>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace {

/// How many fields of a message, on all levels, cannot be stored in its text because the schema does not know them.
struct LeftOut {
    std::uint64_t unknown_fields = 0;
};

struct TextFormatOptions {
    bool single_line = false;  ///< `a: 1 b { c: 2 }` instead of a line per field
};

/// Appends a message in Protobuf's text format, as libprotobuf's TextFormat prints it; multi-line text ends in a
/// newline unless the message is empty. Every string is kept to the byte (escaped in octal), an enum number without a
/// name is a number; the sign and payload of a NaN are lost. Numbers are the shortest that give the value back, which
/// is at times shorter than libprotobuf's. Throws what MessageView throws, with the path of the field, and Error
/// (limit) beyond 2^31 - 1 bytes of text; `out` then holds a part.
OSITRACE_API LeftOut append_text_format(const MessageView& message, ByteBuffer& out,
                                        const TextFormatOptions& options = {});

/// Appends a message as one JSON object in one line, without a newline: Protobuf's JSON mapping with the names of the
/// .proto file. Unset fields are left out, explicit zeros are not. 64-bit integers, NaN and infinities are strings,
/// bytes are base64, an enum number without a name is a number. A negative zero is `-0.0`; characters beyond ASCII
/// are printed unchanged. Throws as append_text_format(), and Error (malformed) for a string that is not UTF-8, which
/// JSON does not support.
OSITRACE_API LeftOut append_json(const MessageView& message, ByteBuffer& out);

/// One value of `field` as JSON; of a repeated field one element. monostate is `null`.
OSITRACE_API LeftOut append_json(const Value& value, const FieldRow& field, ByteBuffer& out);

}  // namespace ositrace
