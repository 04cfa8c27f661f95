// SPDX-License-Identifier: MPL-2.0
#include "lib/play/step_queue.hpp"

#include <algorithm>
#include <utility>

namespace ositrace {

namespace {

// Passing steps to another thread costs microseconds: small steps are passed together.
constexpr std::size_t most_steps = 64;
constexpr std::size_t batch_bytes = std::size_t{64} << 10;

std::size_t cost_of(const std::vector<DueStep>& batch)
{
    std::size_t sum = 0;
    for (const auto& step : batch) sum += step.bytes();
    return sum;
}

}  // namespace

StepQueue::StepQueue(StepReader& reader, std::size_t prefetched_bytes, bool live)
    : reader_(reader), prefetched_bytes_(std::max<std::size_t>(prefetched_bytes, 1)), live_(live)
{
    begin();
}

void StepQueue::begin()
{
    batch_steps_ = 1;
    failure_ = nullptr;
    ahead_.emplace([this](const std::stop_token& stop) { return read(stop); }, cost_of, prefetched_bytes_,
                   prefetched_bytes_ / 2);
}

std::optional<StepQueue::Steps> StepQueue::read(const std::stop_token& stop)
{
    if (failure_) std::rethrow_exception(failure_);
    Steps batch;
    try {
        for (std::size_t bytes = 0; batch.size() < batch_steps_ && bytes < batch_bytes;) {
            auto step = reader_.next(stop);
            if (!step || (step->frames.empty() && !batch.empty())) break;
            if (step->frames.empty()) continue;
            bytes += step->bytes();
            batch.push_back(std::move(*step));
        }
    } catch (...) {
        if (batch.empty()) throw;
        failure_ = std::current_exception();
    }
    if (!live_) batch_steps_ = std::min(2 * batch_steps_, most_steps);  // the player waits for the first ones
    if (batch.empty()) return std::nullopt;
    return batch;
}

void StepQueue::put(Steps batch)
{
    ready_bytes_ += cost_of(batch);
    std::ranges::move(batch, std::back_inserter(ready_));
}

std::optional<DueStep> StepQueue::take(const std::stop_token& stop)
{
    if (ready_.empty()) {
        auto batch = ahead_->take(stop);
        if (!batch) return std::nullopt;
        put(std::move(*batch));
    }
    auto next = std::move(ready_.front());
    ready_.pop_front();
    ready_bytes_ -= next.bytes();
    return next;
}

const DueStep* StepQueue::look_ahead(std::size_t i)
{
    while (ready_.size() <= i && ready_bytes_ < prefetched_bytes_) {
        auto batch = ahead_->try_take();
        if (!batch) break;
        put(std::move(*batch));
    }
    return i < ready_.size() ? &ready_[i] : nullptr;
}

const DueStep* StepQueue::wait_ahead(std::size_t i, const std::stop_token& stop)
try {
    while (ready_.size() <= i && ready_bytes_ < prefetched_bytes_) {
        auto batch = ahead_->take(stop);
        if (!batch) break;
        put(std::move(*batch));
    }
    return i < ready_.size() ? &ready_[i] : nullptr;
} catch (...) {  // take() throws it again
    return nullptr;
}

void StepQueue::seek(Moment moment)
{
    ahead_.reset();  // ends the thread that uses the reader
    ready_.clear();
    ready_bytes_ = 0;
    reader_.seek(moment);
    begin();
}

}  // namespace ositrace
