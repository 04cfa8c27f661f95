// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/chunk_decoder.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/record_parser.hpp"
#include "lib/io/random_access.hpp"
#include "lib/mcap/chunk_compression.hpp"
#include "lib/mcap/mcap_limits.hpp"
#include "lib/system/processors.hpp"

namespace ositrace {

namespace {

/// The first step of memory: no lz4 unpacks to more of this, and a zstd that does shows it as it goes.
constexpr std::size_t least_step = std::size_t{4} << 20;
constexpr std::size_t usual_ratio = 256;
/// Of a Chunk record: what shows that it is compressed.
constexpr std::size_t compression_front_bytes = 512;

[[noreturn]] void fail_size(std::string_view found, std::uint64_t announced)
{
    throw Error(Cause::malformed,
                "a chunk unpacks to " + std::string(found) + " bytes, expected " + std::to_string(announced));
}

void check_crc(Bytes bytes, std::uint32_t expected)
{
    if (expected == 0) return;
    if (const auto found = crc32(bytes); found != expected)
        throw Error(Cause::malformed, "a chunk is damaged: the CRC of its bytes is " + std::to_string(found) +
                                          ", expected " + std::to_string(expected));
}

/// Of the memory for `size` bytes that `stored` bytes are said to unpack to.
std::size_t first_capacity(std::size_t size, std::size_t stored)
{
    return std::max<std::size_t>(1, std::min(size, std::max(least_step, stored * usual_ratio)));
}

/// Fills a block as bytes come out.
class Unpacking {
public:
    Unpacking(Decompressor& decompressor, const mcap::Chunk& chunk, BufferPool& pool)
        : decompressor_(decompressor),
          in_(chunk.records),
          size_(static_cast<std::size_t>(chunk.uncompressed_size)),
          block_(pool.take(first_capacity(size_, chunk.records.size())))
    {
    }

    ChunkBytes run()
    {
        while (step()) {
        }
        if (made_ != size_ || !decompressor_.complete()) fail_size(std::to_string(made_), size_);
        return {{block_->data(), made_}, block_};
    }

private:
    bool step()
    {
        if (made_ == block_->capacity() && made_ < size_) block_->grow(std::min(size_, made_ * 2));
        const auto room = made_ < size_ ? std::span(block_->data() + made_, std::min(size_, block_->capacity()) - made_)
                                        : std::span(spare_);
        const auto done = decompressor_.decompress(in_, room);
        if (made_ == size_ && done.made != 0) fail_size("more than " + std::to_string(size_), size_);
        made_ += done.made;
        in_ = in_.subspan(done.taken);
        return done.made != 0 || done.taken != 0;
    }

    Decompressor& decompressor_;
    Bytes in_;
    std::size_t size_;
    std::shared_ptr<Block> block_;
    std::size_t made_ = 0;
    std::array<std::byte, 1> spare_{};  ///< for what there should not be
};

/// The bytes of a record in a file, one piece after the other in the same memory.
class RecordPieces {
public:
    RecordPieces(const RandomAccess& file, std::uint64_t offset, std::uint64_t length, std::span<std::byte> memory)
        : file_(file), offset_(offset), left_(length), memory_(memory)
    {
    }
    /// Empty: there is none.
    Bytes next() { return next(memory_.size()); }
    Bytes next(std::size_t most)
    {
        const auto piece = memory_.first(static_cast<std::size_t>(std::min<std::uint64_t>(most, left_)));
        read_exactly(file_, offset_, piece);
        offset_ += piece.size();
        left_ -= piece.size();
        return piece;
    }

private:
    const RandomAccess& file_;
    std::uint64_t offset_, left_;
    std::span<std::byte> memory_;
};

/// At the front of a record of `length` bytes, whose lengths must agree. Its records are those at hand.
std::optional<mcap::Chunk> chunk_at(Bytes front, std::uint64_t length)
{
    constexpr auto prefix_bytes = mcap::record_prefix_bytes;
    if (front.size() < prefix_bytes) return std::nullopt;
    const auto [opcode, stated] = mcap::prefix_at(front);
    const auto content = front.subspan(prefix_bytes);
    if (opcode != mcap::Opcode::chunk || stated != length - prefix_bytes || mcap::chunk_length(content) != stated)
        return std::nullopt;
    return mcap::parse_damaged_chunk(content);
}

}  // namespace

ChunkBytes ChunkDecoder::decode(const mcap::Chunk& chunk, std::shared_ptr<const void> owner)
{
    if (chunk.uncompressed_size > max_bytes_) throw too_long("a chunk", chunk.uncompressed_size, max_bytes_);
    ChunkBytes result;
    if (chunk.compression.empty()) {
        if (chunk.records.size() != chunk.uncompressed_size)
            throw Error(Cause::malformed, "a chunk holds " + std::to_string(chunk.records.size()) +
                                              " bytes, expected " + std::to_string(chunk.uncompressed_size));
        result = {chunk.records, std::move(owner)};
    } else {
        result = unpack(chunk);
    }
    check_crc(result.bytes, chunk.uncompressed_crc);
    result.confirmed = chunk.uncompressed_crc != 0;
    result.set_times(chunk);
    return result;
}

ChunkBytes ChunkDecoder::unpack(const mcap::Chunk& chunk)
{
    const auto kind = mcap::chunk_compression_in_record(chunk.compression).decompressor;
    auto decompressor = take(kind);
    auto result = Unpacking(*decompressor, chunk, pool_).run();
    put_back(kind, std::move(decompressor));
    return result;
}

std::optional<DecodedChunk> ChunkDecoder::decode(const RandomAccess& file, std::uint64_t offset, std::uint64_t length,
                                                 bool wants_record_crc)
try {
    if (!file.is_local()) return std::nullopt;
    const auto buffer = pieces_.take(piece_bytes_);
    RecordPieces pieces(file, offset, length, {buffer->data(), piece_bytes_});
    auto in = pieces.next(std::min(piece_bytes_, compression_front_bytes));
    const auto chunk = chunk_at(in, length);
    if (!chunk || chunk->uncompressed_size > max_bytes_) return std::nullopt;
    if (chunk->compression.empty()) return read_plain(file, offset, in, *chunk, length, wants_record_crc);
    const auto size = static_cast<std::size_t>(chunk->uncompressed_size);
    const auto before = in.size() - chunk->records.size();
    if (first_capacity(size, static_cast<std::size_t>(length) - before) < size) return std::nullopt;
    const auto& row = mcap::chunk_compression_in_record(chunk->compression);
    auto decompressor = take(row.in_place_decompressor);
    auto block = pool_.take(std::max<std::size_t>(1, size));
    std::span<std::byte> left(block->data(), size);
    std::uint32_t crc = 0;
    std::optional<std::uint32_t> record_crc;
    const auto next_piece = [&] {
        in = pieces.next();
        if (record_crc) record_crc = crc32(in, *record_crc);
        return !in.empty();
    };
    if (wants_record_crc) record_crc = crc32(in);
    DecodedChunk decoded{row.mcap_name, stated_by(*chunk), {}, 0, {}};
    const auto stated_crc = decoded.stated.uncompressed_crc;
    for (in = chunk->records; !in.empty() || next_piece();) {
        const auto done = decompressor->decompress(in, left);
        if (done.made == 0 && done.taken == 0) return std::nullopt;
        if (stated_crc != 0) crc = crc32(left.first(done.made), crc);
        left = left.subspan(done.made);
        in = in.subspan(done.taken);
    }
    if (!left.empty() || !decompressor->complete() || crc != stated_crc) return std::nullopt;
    put_back(row.in_place_decompressor, std::move(decompressor));
    decoded.record_crc = record_crc;
    decoded.records = {{block->data(), size}, block, 0, stated_crc != 0};
    decoded.records.set_times(decoded.stated);
    return decoded;
} catch (const Error&) {
    return std::nullopt;
}

/// `front`: the first bytes of the record, up to some of its records.
std::optional<DecodedChunk> ChunkDecoder::read_plain(const RandomAccess& file, std::uint64_t offset, Bytes front,
                                                     const mcap::Chunk& chunk, std::uint64_t length,
                                                     bool wants_record_crc)
{
    const auto before = static_cast<std::size_t>(chunk.records.data() - front.data());
    const auto size = static_cast<std::size_t>(chunk.uncompressed_size);
    if (length != before + chunk.uncompressed_size) return std::nullopt;
    const auto block = pool_.take(std::max<std::size_t>(1, size));
    const std::span<std::byte> records(block->data(), size);
    DecodedChunk decoded{chunk_compression_name({}), stated_by(chunk), {}, offset + before, {}};
    const auto stated_crc = decoded.stated.uncompressed_crc;
    const bool wants_crc = stated_crc != 0 || wants_record_crc;
    std::uint32_t crc = 0;
    for (std::size_t at = 0; at != size;) {
        const auto piece = records.subspan(at, std::min(piece_bytes_, size - at));
        read_exactly(file, decoded.records_offset + at, piece);
        if (wants_crc) crc = crc32(piece, crc);
        at += piece.size();
    }
    if (stated_crc != 0 && crc != stated_crc) return std::nullopt;
    if (wants_record_crc) decoded.record_crc = crc32_joined(crc32(front.first(before)), crc, size);
    decoded.records = {records, block, 0, stated_crc != 0};
    decoded.records.set_times(decoded.stated);
    return decoded;
}

std::unique_ptr<Decompressor> ChunkDecoder::take(CreateDecompressor kind)
{
    {
        const std::scoped_lock lock(mutex_);
        if (const auto found = std::ranges::find(idle_, kind, &Idle::kind); found != idle_.end()) {
            auto decompressor = std::move(found->decompressor);
            idle_.erase(found);
            return decompressor;
        }
    }
    return kind();
}

void ChunkDecoder::put_back(CreateDecompressor kind, std::unique_ptr<Decompressor> decompressor)
{
    const std::scoped_lock lock(mutex_);
    idle_.push_back({kind, std::move(decompressor)});
}

unsigned unpacking_threads(unsigned asked) noexcept
{
    constexpr unsigned enough = 8;
    const auto usable = usable_processors();
    if (usable == 1) return 0;
    return asked != 0 ? asked : std::min(usable, enough);
}

mcap::Chunk stated_by(mcap::Chunk chunk) noexcept
{
    chunk.compression = {};
    chunk.records = {};
    return chunk;
}

std::uint32_t chunk_record_crc(Bytes record)
{
    const auto chunk = mcap::parse_chunk(record.subspan(mcap::record_prefix_bytes));
    if (!chunk.compression.empty() || chunk.uncompressed_crc == 0) return crc32(record);
    const auto front = static_cast<std::size_t>(chunk.records.data() - record.data());
    const auto joined = crc32_joined(crc32(record.first(front)), chunk.uncompressed_crc, chunk.records.size());
    return crc32(record.subspan(front + chunk.records.size()), joined);
}

std::string_view chunk_compression_name(std::string_view compression) noexcept
{
    return compression.empty() ? "none" : compression;
}

}  // namespace ositrace
