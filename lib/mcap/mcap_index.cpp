// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_index.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <ositrace/byte_buffer.hpp>

#include "formats/mcap/record_output.hpp"
#include "lib/mcap/mcap_reader.hpp"
#include "lib/mcap/open_mcap.hpp"

namespace ositrace {

namespace {

/// The finalizer of MurmurHash3, chained.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) noexcept
{
    auto x = seed * 0x9e3779b97f4a7c15 + value;
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

/// Messages outside of chunks that are read together.
constexpr std::uint64_t max_run_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t max_run_messages = 4096;

/// Builds the segments of a file from its messages.
class Segments {
public:
    Segments(McapIndex& index, std::filesystem::path file) : index_(index), file_(std::move(file)) {}

    void add(const McapBatch& batch)
    {
        if (batch.frames.empty()) return;
        if (!batch.in_place) return save(batch);
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
    /// Ends the list.
    void finish()
    {
        close();
        if (saved_) index_.saved = saved_->finish();
    }

private:
    void close()
    {
        if (open_.messages == 0) return;
        open_.counts.assign(counts_.begin(), counts_.end());
        counts_.clear();
        index_.segments.push_back(std::exchange(open_, {}));
    }

    /// Messages that are not where a reader of the file would find them.
    void save(const McapBatch& batch)
    {
        close();
        if (!saved_) saved_.emplace(file_, "saving messages of damaged chunks");
        open_.chunk = false;
        open_.offset = batch.frames.front().offset;
        open_.saved_at = saved_->size();
        for (const auto& frame : batch.frames) {
            scratch_.clear();
            mcap::append_front(scratch_,
                               mcap::Message{static_cast<std::uint16_t>(frame.channel),
                                             frame.sequence,
                                             static_cast<std::uint64_t>(frame.log_time->count()),
                                             static_cast<std::uint64_t>(frame.publish_time->count()),
                                             {}},
                               frame.bytes.size());
            saved_->append(scratch_.bytes());
            saved_->append(frame.bytes);
            count(frame);
        }
        open_.length = saved_->size() - *open_.saved_at;
        close();
    }
    void count(const Frame& frame)
    {
        const auto time = static_cast<std::uint64_t>(frame.log_time->count());
        open_.start = open_.messages == 0 ? time : std::min(open_.start, time);
        open_.end = std::max(open_.end, time);
        ++open_.messages;
        ++counts_[frame.channel];
    }

    McapIndex& index_;
    std::filesystem::path file_;
    std::optional<TemporaryFile> saved_;
    ByteBuffer scratch_;
    McapSegment open_;                               ///< none if it has no messages
    std::map<std::uint32_t, std::uint64_t> counts_;  ///< of it
};

/// Reads the data section to its end; what ends it too early becomes the damage of the index. `known`: chunks by offset
/// that need not be unpacked.
void read_data(const std::shared_ptr<const RandomAccess>& file, const OpenOptions& options,
               std::map<std::uint64_t, McapSegment> known, McapIndex& index)
{
    McapReader reader(file, options);
    if (!options.skip_bad_frames) reader.read_fronts_only();
    reader.pass_known_chunks([&](std::uint64_t offset) {
        const auto found = known.find(offset);
        return found == known.end()
                   ? std::nullopt
                   : std::optional(McapReader::KnownChunk{found->second.length, found->second.messages, {}, {}});
    });
    reader.go_ahead();
    if (!index.channels.all().empty()) {
        reader.channels() = std::move(index.channels);
        reader.channels().expect_declarations();
    }
    Segments segments(index, file->name());
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
    segments.finish();
    index.walked = true;
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

std::uint64_t hash_of(std::uint16_t channel, std::uint64_t log_time, std::uint64_t offset) noexcept
{
    return mixed(mixed(channel, log_time), offset);
}

McapIndex read_mcap_index(const std::shared_ptr<const RandomAccess>& file, const OpenOptions& options)
{
    if (options.skip_bad_frames) {
        if (options.before_whole_read) options.before_whole_read();
        McapIndex index(options);
        read_data(file, options, {}, index);
        return index;
    }
    const auto header = RecordCursor(file, McapLimits(options.max_message_bytes)).read_header({});
    auto summary = read_mcap_summary(file, options);
    if (summary && summary->complete) {
        summary->index.profile = header->profile;
        summary->index.library = header->library;
        return std::move(summary->index);
    }
    if (options.before_whole_read) options.before_whole_read();
    McapIndex index(options);
    auto walk = options;
    if (summary)
        index = std::move(summary->index);
    else if (options.on_warning)                                             // its damage was a warning
        walk.on_warning = [tell = options.on_warning](const Error& error) {  // channels keep it
            if (error.damage() != Damage::bad_summary_crc) tell(error);
        };
    read_data(file, walk, summary ? std::move(summary->chunks) : std::map<std::uint64_t, McapSegment>(), index);
    return index;
}

}  // namespace ositrace
