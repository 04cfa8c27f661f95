// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/chunks_ahead.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/file_records.hpp"

namespace ositrace {

ChunksAhead::ChunksAhead(std::shared_ptr<const SeekableFile> file, std::size_t max_chunk_bytes, unsigned threads)
    : file_(std::move(file)), decoders_(max_chunk_bytes), threads_(threads), workers_(threads)
{
}

void ChunksAhead::begin(std::uint64_t offset, std::uint64_t length, std::uint64_t unpacked_bytes)
{
    begun_.push_back({offset, std::max(length, std::min(unpacked_bytes, enough_bytes))});  // it may announce anything
    begun_bytes_ += begun_.back().bytes;
    workers_.add([this, offset, length] { return read(offset, length); });
}

UnpackedChunk ChunksAhead::take()
{
    begun_bytes_ -= begun_.front().bytes;
    begun_.pop_front();
    return workers_.take();
}

void ChunksAhead::clear()
{
    workers_.clear();
    begun_.clear();
    begun_bytes_ = 0;
}

UnpackedChunk ChunksAhead::read(std::uint64_t offset, std::uint64_t length)
{
    const auto content_offset = offset + mcap::record_prefix_bytes;
    auto block = decoders_.pool().take(static_cast<std::size_t>(std::max<std::uint64_t>(1, length)));
    const std::span<std::byte> content(block->data(), static_cast<std::size_t>(length));
    read_exactly(*file_, content_offset, content);
    const auto chunk = mcap::parse_chunk(content);
    const auto before_records = static_cast<std::uint64_t>(chunk.records.data() - content.data());
    UnpackedChunk result{{}, std::string(chunk.compression), offset, content_offset + before_records};
    result.records = decoders_.decode(chunk, std::move(block));
    return result;
}

}  // namespace ositrace
