// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_stream.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/mcap/open_mcap.hpp"

namespace ositrace {

namespace {

/// Unpacked and not yet taken: a chunk of the usual size, or one large message.
constexpr std::size_t read_ahead_bytes = std::size_t{4} << 20;

std::size_t memory_of(const McapBatch& batch) { return batch.bytes + batch.frames.size() * sizeof(Frame) + 1; }

template <class T>
void move_behind(std::vector<T>& to, std::vector<T>& from)
{
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    from.clear();
}

}  // namespace

void note_chunk_compression(std::string& known, std::string_view compression)
{
    if (compression.empty() || (", " + known + ",").find(", " + std::string(compression) + ",") != std::string::npos)
        return;
    known += (known.empty() ? "" : ", ") + std::string(compression);
}

McapStream::McapStream(std::unique_ptr<McapReader> reader, std::string_view compression, const OpenOptions& options)
    : on_skip_(options.on_skip), reader_(std::move(reader))
{
    info_.file = reader_->source().name();
    info_.container = mcap_container;
    info_.compression = compression;
    try {
        while (batch_.frames.empty() && reader_->read(batch_, options.stop)) learn(batch_);
    } catch (const Error&) {
        if (info_.channels.empty()) throw;
        // What was learned is worth showing; the error comes again with the first read().
    }
    if (options.stop.stop_requested())
        throw Error(Cause::cancelled, {.file = info_.file}, "stopped while waiting for the first message");
    info_.profile = reader_->profile();
    info_.library = reader_->library();
}

bool McapStream::read(Frame& frame, std::stop_token stop)
{
    while (place_ == batch_.frames.size())
        if (!next_batch(stop)) return false;
    frame = std::move(batch_.frames[place_++]);
    return true;
}

bool McapStream::next_batch(const std::stop_token& stop)
{
    batch_ = {};  // lets go of its memory before the next is taken
    place_ = 0;
    auto next = take(stop);
    if (!next) return false;
    batch_ = std::move(*next);
    learn(batch_);
    return true;
}

void McapStream::learn(McapBatch& batch)
{
    move_behind(info_.channels, batch.channels);
    move_behind(info_.metadata, batch.metadata);
    move_behind(info_.attachments, batch.attachments);
    info_.application_records += std::exchange(batch.application_records, 0);
    note_chunk_compression(info_.chunk_compression, batch.chunk_compression);
    if (batch.skipped && on_skip_) on_skip_(*batch.skipped);
}

std::optional<McapBatch> McapStream::take(const std::stop_token& stop)
{
    if (stop.stop_requested()) return std::nullopt;
    if (!ahead_) {
        reader_->go_ahead();
        ahead_.emplace(batches_of<McapBatch>(*reader_), memory_of, read_ahead_bytes);
    }
    return ahead_->take(stop);
}

}  // namespace ositrace
