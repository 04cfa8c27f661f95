// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_salvage.hpp"

#include "lib/mcap/chunk_salvage.hpp"

namespace ositrace {

void McapSalvage::add_chunk(const mcap::RawRecord& record, const std::shared_ptr<const void>& owner,
                            const Error& problem, McapBatch& batch)
{
    const auto before = filler_.frames();
    const auto found = salvage_chunk(record.content, filler_.channels(), is_whole_, limits_);
    batch.chunk_compression = chunk_compression_name(found.compression);
    for (const auto& message : found.messages) {
        const bool plain = found.owner == nullptr;
        const auto offset = plain ? record.content_offset() +
                                        static_cast<std::uint64_t>(message.content.data() - record.content.data()) -
                                        mcap::record_prefix_bytes
                                  : record.offset;
        filler_.add_message(message, offset, plain ? owner : found.owner, batch);
        batch.bytes += message.content.size();
    }
    const auto kept = filler_.frames() - before;
    batch.skipped = SkippedBytes{before, record.offset, kept != 0 ? found.lost_bytes : record.end() - record.offset,
                                 problem, found.proven ? 0 : kept};
    filler_.add_new_channels(batch);
}

void McapSalvage::check_message(const mcap::RawRecord& record, bool searched) const
{
    if (!is_whole_) return;
    const auto message = mcap::parse_message(record.content);
    auto& channels = filler_.channels();
    const auto place = channels.find(message.channel_id);
    if (!place || channels.all()[*place].root == nullptr || is_whole_(channels.all()[*place], message.data, searched))
        return;
    throw Error(Cause::malformed, "the content of a message is damaged");
}

}  // namespace ositrace
