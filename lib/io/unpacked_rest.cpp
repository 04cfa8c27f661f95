// SPDX-License-Identifier: MPL-2.0
#include "lib/io/unpacked_rest.hpp"

#include <algorithm>
#include <optional>

#include "lib/io/decompressors.hpp"

namespace ositrace {

namespace {

constexpr std::size_t min_match = 4;
constexpr std::uint32_t stored_block = 0x8000'0000;  // the block is not compressed

struct FrameHeader {
    bool independent_blocks = false;
    bool block_checksums = false;
    std::size_t max_block = 0;
    std::size_t bytes = 0;  ///< of the header itself
};

std::optional<FrameHeader> header_of(Bytes frame)
{
    if (!is_lz4(frame) || frame.size() < 7) return std::nullopt;
    const auto flags = std::to_integer<unsigned>(frame[4]);
    const auto size_code = std::to_integer<unsigned>(frame[5]) >> 4 & 7;
    if (size_code < 4) return std::nullopt;
    FrameHeader header;
    header.independent_blocks = (flags & 0x20) != 0;
    header.block_checksums = (flags & 0x10) != 0;
    header.max_block = std::size_t{1} << (8 + 2 * size_code);
    header.bytes = 7 + ((flags & 0x08) != 0 ? 8 : 0) + ((flags & 0x01) != 0 ? 4 : 0);
    return header;
}

/// One block, as far as it can be followed.
class BlockRest {
public:
    /// Matches reach back to `history` in `out`, which grows up to `end`.
    BlockRest(Bytes in, std::vector<std::byte>& out, std::size_t history, std::size_t end)
        : in_(in), out_(out), history_(history), end_(end)
    {
    }

    /// To its end?
    bool run()
    {
        while (sequence()) {
        }
        return whole_;
    }

private:
    /// False: the block ends or breaks here.
    bool sequence()
    {
        if (at_ == in_.size()) return false;
        const auto token = std::to_integer<unsigned>(in_[at_++]);
        const auto literals = length(token >> 4);
        if (!literals || !copy_literals(*literals)) return false;
        if (at_ == in_.size()) {
            whole_ = true;
            return false;
        }
        if (in_.size() - at_ < 2) return false;
        const std::size_t distance = load<std::uint16_t>(in_.data() + at_);
        at_ += 2;
        const auto match = length(token & 15);
        return match && copy_match(distance, *match + min_match);
    }

    std::optional<std::size_t> length(std::size_t start)
    {
        if (start != 15) return start;
        for (;;) {
            if (at_ == in_.size() || start > end_) return std::nullopt;
            const auto more = std::to_integer<std::size_t>(in_[at_++]);
            start += more;
            if (more != 255) return start;
        }
    }

    bool copy_literals(std::size_t count)
    {
        const auto there = std::min({count, in_.size() - at_, end_ - out_.size()});
        out_.insert(out_.end(), in_.begin() + static_cast<std::ptrdiff_t>(at_),
                    in_.begin() + static_cast<std::ptrdiff_t>(at_ + there));
        at_ += there;
        return there == count;
    }

    bool copy_match(std::size_t distance, std::size_t count)
    {
        if (distance == 0 || distance > out_.size() - history_) return false;
        const auto room = std::min(count, end_ - out_.size());
        // They may overlap: byte by byte.
        for (std::size_t i = 0; i != room; ++i) out_.push_back(out_[out_.size() - distance]);
        return room == count;
    }

    Bytes in_;
    std::vector<std::byte>& out_;
    std::size_t history_;
    std::size_t end_;
    std::size_t at_ = 0;
    bool whole_ = false;
};

bool unpack_block(Bytes block, bool is_stored, std::vector<std::byte>& out, std::size_t history, std::size_t end)
{
    out.reserve(end);
    if (!is_stored) return BlockRest(block, out, history, end).run();
    const auto count = std::min(block.size(), end - out.size());
    out.insert(out.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
    return count == block.size();
}

}  // namespace

UnpackedRest unpack_lz4_rest(Bytes frame, std::size_t max_bytes)
{
    UnpackedRest rest;
    const auto header = header_of(frame);
    if (!header) return rest;
    constexpr std::size_t prefix = 4;
    for (auto at = header->bytes; at + prefix < frame.size();) {
        const auto word = load_le32(frame.data() + at);
        const std::size_t size = word & ~stored_block;
        at += prefix;
        if (size == 0 || size > header->max_block) break;
        const auto block = frame.subspan(at, std::min(size, frame.size() - at));
        const auto start = rest.bytes.size();
        const auto end = std::min(max_bytes, start + header->max_block);
        const bool whole =
            unpack_block(block, (word & stored_block) != 0, rest.bytes, header->independent_blocks ? start : 0, end) &&
            block.size() == size;
        at += block.size() + (header->block_checksums ? prefix : 0);
        if (whole) continue;
        if (!header->independent_blocks) break;
        // All blocks but the last are full.
        if (rest.bytes.size() != end) rest.holes.emplace_back(rest.bytes.size(), end);
        rest.bytes.resize(end);
    }
    return rest;
}

UnpackedRest unpack_rest(Bytes block, std::string_view compression, std::size_t max_bytes)
{
    if (compression.empty()) return {{block.begin(), block.begin() + std::min(block.size(), max_bytes)}, {}};
    if (compression == "lz4" || is_lz4(block)) return unpack_lz4_rest(block, max_bytes);
    constexpr std::size_t step = std::size_t{256} << 10;
    UnpackedRest rest;
    const auto decompressor = create_zstd_decompressor_by_blocks();
    std::size_t made = 0;
    try {
        while (made != max_bytes) {
            if (rest.bytes.size() - made < step)
                rest.bytes.resize(std::min(max_bytes, std::max(made + step, 2 * made)));
            const auto done = decompressor->decompress(block, std::span(rest.bytes).subspan(made));
            if (done.made == 0 && done.taken == 0) break;
            made += done.made;
            block = block.subspan(done.taken);
        }
    } catch (const Error&) {  // the bytes before the damage are what is wanted
    }
    rest.bytes.resize(made);
    return rest;
}

}  // namespace ositrace
