// SPDX-License-Identifier: MPL-2.0
// MCAP records as bytes. Every append() adds one whole record (opcode, length, content) to `out`.
#pragma once

#include <ositrace/byte_buffer.hpp>

#include "formats/mcap/records.hpp"

namespace ositrace::mcap {

void append(ByteBuffer& out, const Header& record);
void append(ByteBuffer& out, const Footer& record);
void append(ByteBuffer& out, const SchemaFields& record);
void append(ByteBuffer& out, const ChannelFields& record);
void append(ByteBuffer& out, const MessageIndex& record);
void append(ByteBuffer& out, const ChunkIndex& record);
void append(ByteBuffer& out, const AttachmentIndex& record);
void append(ByteBuffer& out, const Statistics& record);
void append(ByteBuffer& out, const Metadata& record);
void append(ByteBuffer& out, const MetadataIndex& record);
void append(ByteBuffer& out, const SummaryOffset& record);
void append(ByteBuffer& out, const DataEnd& record);

/// For large records: the bytes before `data_bytes` of data; `data` of the record itself is ignored.
void append_front(ByteBuffer& out, const Message& record, std::uint64_t data_bytes);
void append_front(ByteBuffer& out, const Chunk& record, std::uint64_t records_bytes);
/// The data of an attachment are followed by four bytes: the CRC of the content before them.
void append_front(ByteBuffer& out, const AttachmentFields& record, std::uint64_t data_bytes);

}  // namespace ositrace::mcap
