// SPDX-License-Identifier: MPL-2.0
#include "lib/io/block_compressor.hpp"

#include <algorithm>
#include <utility>

namespace ositrace {

BlockCompressor::BlockCompressor(ByteSink& next, std::unique_ptr<BlockFormat> format, unsigned threads)
    : next_(next),
      format_(std::move(format)),
      pipeline_([this] { return format_->encoder(); },
                [this](const GatheredBytes& block, const ByteBuffer& encoded) {
                    begin();
                    format_->put(block, encoded.bytes(), next_);
                },
                compression_threads(threads) == 1 ? 0 : compression_threads(threads), {})
{
}

void BlockCompressor::write(Bytes head, Bytes body)
{
    append(head);
    append(body);
}

void BlockCompressor::append(Bytes bytes)
{
    while (!bytes.empty()) {
        auto& block = pipeline_.block();
        if (block.empty()) block.clear(block_bytes);
        const auto count = std::min(bytes.size(), block_bytes - block.size());
        block.own().append(bytes.first(count));
        bytes = bytes.subspan(count);
        if (block.size() == block_bytes) pipeline_.hand_over();
    }
}

void BlockCompressor::flush()
{
    pipeline_.drain();
    next_.flush();
}

void BlockCompressor::hand_on()
{
    if (!pipeline_.block().empty()) pipeline_.hand_over();
    pipeline_.pass_on_encoded();
    next_.flush();
}

void BlockCompressor::finish()
{
    pipeline_.drain();
    begin();
    format_->end(next_);
}

void BlockCompressor::begin()
{
    if (!std::exchange(begun_, true)) format_->begin(next_);
}

}  // namespace ositrace
