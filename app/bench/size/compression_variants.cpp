// SPDX-License-Identifier: MPL-2.0
#include "app/bench/size/compression_variants.hpp"

namespace ositrace::bench {
namespace {

constexpr std::size_t block_bytes = std::size_t{4} << 20;

struct Work {
    std::unique_ptr<BlockCodec> codec;
    std::vector<Block> packed;
    Block unpacked;

    std::size_t compress(const std::vector<Block>& blocks)
    {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            codec->compress(blocks[i], packed[i]);
            bytes += packed[i].size();
        }
        return bytes;
    }
    Bytes decompress(std::size_t i, std::size_t size)
    {
        if (unpacked.size() < size) unpacked.resize(size);
        const std::span out(unpacked.data(), size);
        codec->decompress(packed[i], out);
        return out;
    }
};

Variant variant_of(const CodecRow& row, const std::vector<Block>& blocks, const std::shared_ptr<Work>& work)
{
    Variant variant{.name = row.name,
                    .what = row.what,
                    .role = row.compression == Compression::none ? Role::yardstick : Role::other};
    variant.answer = [work, &blocks](Answer& answer) {
        for (std::size_t i = 0; i < blocks.size(); ++i) answer.add(work->decompress(i, blocks[i].size()));
    };
    return variant;
}

std::shared_ptr<Work> work_for(const CodecRow& row, const std::vector<Block>& blocks)
{
    auto work = std::make_shared<Work>();
    work->codec = make_codec(row);
    work->packed.resize(blocks.size());
    return work;
}

std::size_t bytes_of_all(const std::vector<Block>& blocks)
{
    std::size_t bytes = 0;
    for (const auto& block : blocks) bytes += block.size();
    return bytes;
}

}  // namespace

std::vector<Block> blocks_of(const std::vector<FrameBytes>& frames)
{
    std::vector<Block> blocks;
    for (const auto& frame : frames) {
        if (blocks.empty() || blocks.back().size() + frame.size() > block_bytes) blocks.emplace_back();
        blocks.back().insert(blocks.back().end(), frame.begin(), frame.end());
    }
    return blocks;
}

Variant compress_variant(const CodecRow& row, const std::vector<Block>& blocks)
{
    const auto work = work_for(row, blocks);
    auto variant = variant_of(row, blocks, work);
    variant.bytes_in = bytes_of_all(blocks);
    variant.run = [work, &blocks] { return work->compress(blocks); };
    return variant;
}

Variant decompress_variant(const CodecRow& row, const std::vector<Block>& blocks)
{
    const auto work = work_for(row, blocks);
    work->compress(blocks);
    auto variant = variant_of(row, blocks, work);
    variant.bytes_in = bytes_of_all(blocks);  // the rate is that of the contents, as other tools state it
    variant.run = [work, &blocks] {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) bytes += work->decompress(i, blocks[i].size()).size();
        return bytes;
    };
    return variant;
}

}  // namespace ositrace::bench
