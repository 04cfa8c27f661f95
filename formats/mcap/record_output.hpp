// SPDX-License-Identifier: MPL-2.0
// MCAP records as bytes. Every append() puts one whole record (opcode, length, content) behind what is in `out`.
#pragma once

#include <ositrace/byte_buffer.hpp>

#include "formats/mcap/records.hpp"

namespace ositrace::mcap {

void append(ByteBuffer& out, const Header& record);
void append(ByteBuffer& out, const Footer& record);
void append(ByteBuffer& out, const Schema& record);
void append(ByteBuffer& out, const Channel& record);
void append(ByteBuffer& out, const MessageIndex& record);
void append(ByteBuffer& out, const ChunkIndex& record);
void append(ByteBuffer& out, const AttachmentIndex& record);
void append(ByteBuffer& out, const Statistics& record);
void append(ByteBuffer& out, const Metadata& record);
void append(ByteBuffer& out, const MetadataIndex& record);
void append(ByteBuffer& out, const SummaryOffset& record);
void append(ByteBuffer& out, const DataEnd& record);

/// Large records: what stands in front of the data, for `data_bytes` of them; `data` of the record itself is not looked
/// at.
void append_front(ByteBuffer& out, const Message& record, std::uint64_t data_bytes);
void append_front(ByteBuffer& out, const Chunk& record, std::uint64_t records_bytes);
/// Behind the data of an attachment stand four bytes: the CRC of its content before them.
void append_front(ByteBuffer& out, const Attachment& record, std::uint64_t data_bytes);

}  // namespace ositrace::mcap
