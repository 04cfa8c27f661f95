// SPDX-License-Identifier: MPL-2.0
#include "lib/io/block_pipeline.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "lib/io/buffer_pool.hpp"
#include "lib/system/large_memory.hpp"
#include "lib/system/processors.hpp"

namespace ositrace {

void GatheredBytes::borrow(Bytes bytes, std::shared_ptr<const void> owner)
{
    borrowed_.push_back({own_.size(), bytes, std::move(owner)});
    borrowed_bytes_ += bytes.size();
}

std::vector<Bytes> GatheredBytes::parts() const
{
    std::vector<Bytes> parts;
    const auto add = [&](Bytes bytes) {
        if (!bytes.empty()) parts.push_back(bytes);
    };
    std::size_t from = 0;
    for (const auto& each : borrowed_) {
        add(own_.bytes().subspan(from, each.at - from));
        add(each.bytes);
        from = each.at;
    }
    add(own_.bytes().subspan(from));
    return parts;
}

Bytes GatheredBytes::joined(ByteBuffer& scratch) const
{
    if (borrowed_.empty()) return own_.bytes();
    scratch.clear(size());
    for (const auto part : parts()) scratch.append(part);
    return scratch.bytes();
}

void GatheredBytes::clear(std::size_t capacity)
{
    const auto had = own_.capacity();
    own_.clear(capacity);
    if (own_.capacity() != had) prefer_large_pages(own_.data() - ByteBuffer::headroom, own_.capacity());
    borrowed_.clear();
    borrowed_bytes_ = 0;
}

Bytes EqualPieces::next()
{
    scratch_.clear(piece_bytes_);
    while (part_ != parts_.size()) {
        const auto rest = parts_[part_].subspan(taken_);
        const auto count = std::min(piece_bytes_ - scratch_.size(), rest.size());
        const auto piece = rest.first(count);
        taken_ += count;
        if (count == rest.size()) {
            ++part_;
            taken_ = 0;
        }
        if (scratch_.empty() && (count == piece_bytes_ || part_ == parts_.size())) return piece;
        scratch_.append(piece);
        if (scratch_.size() == piece_bytes_) break;
    }
    return scratch_.bytes();
}

unsigned compression_threads(unsigned asked) noexcept { return asked != 0 ? asked : usable_processors(); }

BlockPipeline::BlockPipeline(MakeEncoder make_encoder, PassOn pass_on, unsigned helpers, Limits limits)
    : make_encoder_(std::move(make_encoder)),
      pass_on_(std::move(pass_on)),
      encoder_(make_encoder_()),
      most_helpers_(helpers),
      most_own_bytes_(limits.own_bytes),
      slots_(helpers == 0 ? 1 : std::max(2 * helpers + 2, limits.slots))
{
}

BlockPipeline::~BlockPipeline()
{
    end_helpers(Ending::at_once);
    for (auto& helper : helpers_) helper.join();
}

void BlockPipeline::end_helpers(Ending ending)
{
    {
        const std::scoped_lock lock(mutex_);
        ending_ = ending;
    }
    changed_.notify_all();
}

// Passes the full block to a helper and frees a slot for the next.
void BlockPipeline::hand_over()
{
    check_failure();
    start_helper();
    if (helpers_.empty() || ending_ != Ending::no) return encode_here();
    in_flight_ += block().size();
    own_in_flight_ += block().own().size();
    {
        const std::scoped_lock lock(mutex_);
        slots_[filling_].state = Slot::State::waiting;
    }
    changed_.notify_all();
    filling_ = next(filling_);
    while (oldest_ != filling_ && too_much_in_flight()) take_back(slots_[oldest_]);
    take_spare_memory(slots_[filling_]);
}

// One slot is always free, so that oldest_ == filling_ means that no block is in flight.
bool BlockPipeline::too_much_in_flight() const
{
    const bool too_much_of_own = own_in_flight_ > most_own_bytes_ && blocks_in_flight() > helpers_.size();
    return in_flight_ > enough_in_flight || too_much_of_own || next(filling_) == oldest_;
}

void BlockPipeline::check_failure() const
{
    if (failure_) std::rethrow_exception(failure_);
}

void BlockPipeline::encode_here()
{
    auto& slot = slots_[filling_];
    try {
        encoder_->encode(slot.block, slot.encoded);
    } catch (...) {
        slot.error = std::current_exception();
    }
    pass_on(slot);
}

void BlockPipeline::pass_on(Slot& slot)
{
    failure_ = slot.error;
    try {
        check_failure();
        pass_on_(slot.block, slot.encoded);
    } catch (...) {
        failure_ = std::current_exception();
        throw;
    }
    slot.block.clear();
}

void BlockPipeline::take_back(Slot& slot)
{
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return slot.state == Slot::State::encoded; });
        slot.state = Slot::State::free;
    }
    oldest_ = next(oldest_);
    in_flight_ -= slot.block.size();
    own_in_flight_ -= slot.block.own().size();
    pass_on(slot);
    if (ending_ != Ending::no) {
        slot = {};
        return;
    }
    spare_blocks_.push_back(std::move(slot.block));
    spare_.push_back(std::move(slot.encoded));
}

void BlockPipeline::take_spare_memory(Slot& slot)
{
    if (slot.block.own().capacity() == 0 && !spare_blocks_.empty()) {
        slot.block = std::move(spare_blocks_.back());
        spare_blocks_.pop_back();
    }
    if (slot.encoded.capacity() == 0 && !spare_.empty()) {
        slot.encoded = std::move(spare_.back());
        spare_.pop_back();
    }
}

void BlockPipeline::drain()
{
    check_failure();
    if (oldest_ == filling_ && !block().empty()) return encode_here();
    if (!block().empty()) hand_over();
    while (oldest_ != filling_) take_back(slots_[oldest_]);
}

void BlockPipeline::finish()
{
    if (oldest_ != filling_ && !block().empty()) hand_over();
    spare_blocks_.clear();
    spare_.clear();
    end_helpers(Ending::when_done);
    drain();
}

void BlockPipeline::pass_on_encoded()
{
    check_failure();
    const auto is_encoded = [this](const Slot& slot) {
        const std::scoped_lock lock(mutex_);
        return slot.state == Slot::State::encoded;
    };
    while (oldest_ != filling_ && is_encoded(slots_[oldest_])) take_back(slots_[oldest_]);
}

void BlockPipeline::start_helper()
{
    if (helpers_.size() >= most_helpers_) return;
    try {
        helpers_.emplace_back([this, encoder = make_encoder_()] { help(*encoder); });
    } catch (const std::system_error&) {
        // No more threads available: the existing ones do the work.
    }
}

void BlockPipeline::help(BlockEncoder& encoder)
{
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto has_work = [&] { return slots_[encoding_].state == Slot::State::waiting; };
        changed_.wait(lock, [&] { return ending_ != Ending::no || has_work(); });
        if (ending_ == Ending::at_once || !has_work()) return;
        auto& slot = slots_[encoding_];
        slot.state = Slot::State::encoding;
        encoding_ = next(encoding_);
        lock.unlock();
        try {
            encoder.encode(slot.block, slot.encoded);
        } catch (...) {
            slot.error = std::current_exception();
        }
        lock.lock();
        slot.state = Slot::State::encoded;
        changed_.notify_all();
    }
}

}  // namespace ositrace
