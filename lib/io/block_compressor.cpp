// SPDX-License-Identifier: MPL-2.0
#include "lib/io/block_compressor.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace ositrace {

namespace {

unsigned thread_count(unsigned asked) { return asked != 0 ? asked : std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace

BlockCompressor::BlockCompressor(ByteSink& next, std::unique_ptr<BlockFormat> format, unsigned threads)
    : next_(next), format_(std::move(format)), encoder_(format_->encoder()), threads_(thread_count(threads)),
      slots_(threads_ == 1 ? 1 : 2 * std::size_t{threads_})
{
}

BlockCompressor::~BlockCompressor()
{
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    for (auto& helper : helpers_) helper.join();
}

void BlockCompressor::write(Bytes head, Bytes body)
{
    append(head);
    append(body);
}

void BlockCompressor::append(Bytes bytes)
{
    while (!bytes.empty()) {
        auto& block = slots_[filling_].block;
        if (block.empty()) block.clear(block_bytes);
        const auto count = std::min(bytes.size(), block_bytes - block.size());
        block.append(bytes.first(count));
        bytes = bytes.subspan(count);
        if (block.size() == block_bytes) hand_over();
    }
}

void BlockCompressor::flush()
{
    drain();
    next_.flush();
}

void BlockCompressor::finish()
{
    drain();
    begin();
    format_->end(next_);
}

void BlockCompressor::begin()
{
    if (!std::exchange(begun_, true)) format_->begin(next_);
}

// Gives the full block to a helper, and empties the oldest slot to be filled next.
void BlockCompressor::hand_over()
{
    if (threads_ > 1) start_helper();
    if (helpers_.empty()) return encode_here();
    {
        const std::scoped_lock lock(mutex_);
        slots_[filling_].state = Slot::State::waiting;
    }
    changed_.notify_all();
    filling_ = (filling_ + 1) % slots_.size();
    take_back(slots_[filling_]);
}

void BlockCompressor::encode_here()
{
    auto& slot = slots_[filling_];
    encoder_->encode(slot.block.bytes(), slot.encoded);
    pass_on(slot);
}

void BlockCompressor::take_back(Slot& slot)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return slot.state == Slot::State::free || slot.state == Slot::State::encoded; });
    const auto before = std::exchange(slot.state, Slot::State::free);
    lock.unlock();
    if (before == Slot::State::encoded) pass_on(slot);
}

void BlockCompressor::pass_on(Slot& slot)
{
    if (slot.error) std::rethrow_exception(slot.error);
    begin();
    format_->put(slot.block.bytes(), slot.encoded.bytes(), next_);
    slot.block.clear();
}

void BlockCompressor::drain()
{
    for (std::size_t i = 1; i <= slots_.size(); ++i) take_back(slots_[(filling_ + i) % slots_.size()]);
    if (!slots_[filling_].block.empty()) encode_here();
}

void BlockCompressor::start_helper()
{
    if (helpers_.size() >= threads_) return;
    try {
        helpers_.emplace_back([this, encoder = format_->encoder()] { help(*encoder); });
    } catch (const std::system_error&) {
        // No more threads to be had: those there are do the work.
    }
}

void BlockCompressor::help(BlockEncoder& encoder)
{
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return stopping_ || slots_[encoding_].state == Slot::State::waiting; });
        if (stopping_) return;
        auto& slot = slots_[encoding_];
        slot.state = Slot::State::encoding;
        encoding_ = (encoding_ + 1) % slots_.size();
        lock.unlock();
        try {
            encoder.encode(slot.block.bytes(), slot.encoded);
        } catch (...) {
            slot.error = std::current_exception();
        }
        lock.lock();
        slot.state = Slot::State::encoded;
        changed_.notify_all();
    }
}

}  // namespace ositrace
