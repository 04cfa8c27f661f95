// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/chunk_decoder.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/core/crc32.hpp"
#include "lib/mcap/chunk_compression.hpp"
#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

namespace {

/// The first step of memory: no lz4 unpacks to more of this, and a zstd that does shows it as it goes.
constexpr std::size_t least_step = std::size_t{4} << 20;
constexpr std::size_t usual_ratio = 256;

[[noreturn]] void fail_size(std::string_view found, std::uint64_t announced)
{
    throw Error(Cause::malformed,
                "a chunk unpacks to " + std::string(found) + " bytes, announced are " + std::to_string(announced));
}

void check_crc(Bytes bytes, std::uint32_t expected)
{
    if (expected == 0) return;
    if (const auto found = crc32(bytes); found != expected)
        throw Error(Cause::malformed, "a chunk is damaged: the CRC of its bytes is " + std::to_string(found) +
                                          ", expected " + std::to_string(expected));
}

/// Fills a block as bytes come out.
class Unpacking {
public:
    Unpacking(Decompressor& decompressor, const mcap::Chunk& chunk, BufferPool& pool)
        : decompressor_(decompressor),
          in_(chunk.records),
          size_(static_cast<std::size_t>(chunk.uncompressed_size)),
          block_(pool.take(
              std::max<std::size_t>(1, std::min(size_, std::max(least_step, chunk.records.size() * usual_ratio)))))
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

}  // namespace

ChunkBytes ChunkDecoder::decode(const mcap::Chunk& chunk, std::shared_ptr<const void> owner)
{
    if (chunk.uncompressed_size > max_bytes_) throw too_long("a chunk", chunk.uncompressed_size, max_bytes_);
    ChunkBytes result;
    if (chunk.compression.empty()) {
        if (chunk.records.size() != chunk.uncompressed_size)
            throw Error(Cause::malformed, "a chunk holds " + std::to_string(chunk.records.size()) +
                                              " bytes, announced are " + std::to_string(chunk.uncompressed_size));
        result = {chunk.records, std::move(owner)};
    } else {
        result = unpack(chunk);
    }
    check_crc(result.bytes, chunk.uncompressed_crc);
    return result;
}

ChunkBytes ChunkDecoder::unpack(const mcap::Chunk& chunk)
{
    const auto& row = mcap::chunk_compression_in_record(chunk.compression);
    Idle unpacker{row.name, nullptr};
    {
        const std::scoped_lock lock(mutex_);
        if (const auto found = std::ranges::find(idle_, row.name, &Idle::compression); found != idle_.end()) {
            unpacker = std::move(*found);
            idle_.erase(found);
        }
    }
    if (!unpacker.decompressor) unpacker.decompressor = row.decompressor();
    auto result = Unpacking(*unpacker.decompressor, chunk, pool_).run();
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(unpacker));  // one that failed halfway is not used again
    return result;
}

unsigned unpacking_threads(unsigned asked) noexcept
{
    constexpr unsigned enough = 8;
    return asked != 0 ? asked : std::clamp(std::thread::hardware_concurrency(), 1u, enough);
}

std::string_view chunk_compression_name(std::string_view compression) noexcept
{
    return compression.empty() ? "none" : compression;
}

}  // namespace ositrace
