// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/batch_filler.hpp"

#include <utility>

#include "lib/mcap/mcap_frame.hpp"

namespace ositrace {

using mcap::Opcode;

void BatchFiller::add_message(const mcap::RawRecord& record, std::uint64_t offset,
                              const std::shared_ptr<const void>& owner, McapBatch& batch)
{
    const auto message = mcap::parse_message(record.content);
    auto frame = mcap_frame(message, channels_.find(message.channel_id), max_message_bytes_);
    frame.owner = owner;
    frame.offset = offset;
    frame.index = frames_++;
    batch.frames.push_back(std::move(frame));
}

void BatchFiller::add_chunk(const UnpackedChunk& chunk, McapBatch& batch,
                            const std::function<void(const mcap::RawRecord&)>& check)
{
    const auto before = frames_, records_before = batch.application_records;
    try {
        add_records(chunk, batch, check);
    } catch (...) {
        frames_ = before;
        batch.application_records = records_before;
        batch.frames.clear();
        batch.bytes = 0;
        throw;
    }
}

void BatchFiller::add_records(const UnpackedChunk& chunk, McapBatch& batch,
                              const std::function<void(const mcap::RawRecord&)>& check)
{
    const bool plain = chunk.compression.empty();
    batch.chunk_compression = chunk_compression_name(chunk.compression);
    batch.bytes += chunk.records.bytes.size();
    mcap::ChunkWalker walker(chunk.records.bytes);
    for (mcap::RawRecord inner; walker.next(inner);) {
        switch (inner.opcode) {
        case Opcode::schema: channels_.add(mcap::parse_schema(inner.content)); break;
        case Opcode::channel: channels_.add(mcap::parse_channel(inner.content)); break;
        default:
            if (check) check(inner);
            add_message(inner, plain ? chunk.records_offset + inner.offset : chunk.offset, chunk.records.owner, batch);
        }
    }
    batch.application_records += walker.application_records();
}

void BatchFiller::add_new_channels(McapBatch& batch)
{
    const auto& all = channels_.all();
    for (; channels_given_ != all.size(); ++channels_given_) batch.channels.push_back(all[channels_given_]);
}

}  // namespace ositrace
