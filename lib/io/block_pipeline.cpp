// SPDX-License-Identifier: MPL-2.0
#include "lib/io/block_pipeline.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace ositrace {

unsigned compression_threads(unsigned asked) noexcept
{
    return asked != 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
}

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

// Gives the full block to a helper, and makes room for the next.
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

// One slot always stays free, so that oldest_ == filling_ means that nothing is in flight.
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
        // No more threads to be had: those there are do the work.
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
