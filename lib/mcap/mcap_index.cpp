// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_index.hpp"

#include <algorithm>
#include <utility>

#include "lib/mcap/mcap_reader.hpp"
#include "lib/mcap/open_mcap.hpp"

namespace ositrace {

namespace {

/// Messages outside of chunks that are read together.
constexpr std::uint64_t max_run_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t max_run_messages = 4096;

/// Builds the segments of a file from its messages.
class Segments {
public:
    explicit Segments(McapIndex& index) : index_(index) {}

    void add(const McapBatch& batch)
    {
        if (batch.frames.empty()) return;
        if (batch.chunk) {
            close();
            open_.offset = batch.chunk->offset;
            open_.unpacked = batch.chunk->unpacked;
            for (const auto& frame : batch.frames) count(frame);
            open_.length = batch.chunk->length;
            return close();
        }
        for (std::size_t i = 0; i != batch.frames.size(); ++i) {
            const auto& frame = batch.frames[i];
            const auto end = i + 1 == batch.frames.size() ? batch.end : batch.frames[i + 1].offset;
            const bool follows = open_.messages != 0 && open_.offset + open_.length == frame.offset &&
                                 open_.length < max_run_bytes && open_.messages < max_run_messages;
            if (!follows) {
                close();
                open_.chunk = false;
                open_.offset = frame.offset;
            }
            count(frame);
            open_.length = end - open_.offset;
        }
    }
    void add(McapSegment known)
    {
        close();
        index_.segments.push_back(std::move(known));
    }
    void close()
    {
        if (open_.messages == 0) return;
        open_.counts.assign(counts_.begin(), counts_.end());
        counts_.clear();
        index_.segments.push_back(std::exchange(open_, {}));
    }

private:
    void count(const Frame& frame)
    {
        const auto time = static_cast<std::uint64_t>(frame.log_time->count());
        open_.start = open_.messages == 0 ? time : std::min(open_.start, time);
        open_.end = std::max(open_.end, time);
        ++open_.messages;
        ++counts_[frame.channel];
    }

    McapIndex& index_;
    McapSegment open_;                               ///< none if it has no messages
    std::map<std::uint32_t, std::uint64_t> counts_;  ///< of it
};

/// Reads the data section to its end; what ends it too early becomes the damage of the index. `known`: chunks by offset
/// that need not be unpacked.
void read_data(const std::shared_ptr<const RandomAccess>& file, const OpenOptions& options,
               std::map<std::uint64_t, McapSegment> known, McapIndex& index)
{
    McapReader reader(file, options);
    reader.read_fronts_only();
    reader.pass_known_chunks([&](std::uint64_t offset) {
        const auto found = known.find(offset);
        return found == known.end() ? nullptr : &found->second;
    });
    reader.go_ahead();
    if (!index.channels.all().empty()) reader.channels() = std::move(index.channels);
    Segments segments(index);
    McapBatch batch;
    try {
        while (reader.read(batch, options.stop)) {
            for (const auto& skipped : batch.skipped)
                if (options.on_skip) options.on_skip(skipped);
            if (batch.chunk && batch.chunk->known) segments.add(std::move(known.at(batch.chunk->offset)));
            segments.add(batch);
            note_chunk_compression(index.chunk_compression, batch.chunk_compression);
            index.application_records += batch.application_records;
            append_moved(index.metadata, batch.metadata);
            append_moved(index.attachments, batch.attachments);
        }
        if (options.stop.stop_requested()) throw Error(Cause::cancelled, {.file = file->name()}, "cancelled");
    } catch (const Error& error) {
        if (error.cause() == Cause::io || error.cause() == Cause::cancelled) throw;
        note_chunk_compression(index.chunk_compression, batch.chunk_compression);
        index.damage = error;
    }
    segments.close();
    index.channels = std::move(reader.channels());
    index.profile = reader.header().profile;
    index.library = reader.header().library;
}

}  // namespace

std::uint64_t McapSegment::count_of(std::uint32_t channel) const noexcept
{
    const auto found = std::lower_bound(counts.begin(), counts.end(), channel,
                                        [](const auto& each, std::uint32_t value) { return each.first < value; });
    return found != counts.end() && found->first == channel ? found->second : 0;
}

Error contradicts_index(std::uint64_t found, std::uint64_t listed, Location where)
{
    return {Cause::malformed, std::move(where),
            "number of messages in a chunk: found " + std::to_string(found) + ", its message index lists " +
                std::to_string(listed),
            Damage::message_index};
}

McapIndex read_mcap_index(const std::shared_ptr<const RandomAccess>& file, const OpenOptions& options)
{
    const auto header = RecordCursor(file, McapLimits(options.max_message_bytes)).read_header({});
    auto summary = read_mcap_summary(file, options);
    if (summary && summary->complete) {
        summary->index.profile = header->profile;
        summary->index.library = header->library;
        return std::move(summary->index);
    }
    if (options.before_whole_read) options.before_whole_read();
    McapIndex index(options);
    if (summary) index = std::move(summary->index);
    read_data(file, options, summary ? std::move(summary->chunks) : std::map<std::uint64_t, McapSegment>(), index);
    return index;
}

}  // namespace ositrace
