// SPDX-License-Identifier: MPL-2.0
#include "lib/play/moment_reader.hpp"

#include <algorithm>
#include <utility>

namespace ositrace {

bool MomentReader::joins(const DueStep& step) const
{
    const auto same_channel = [&](const Frame& frame) { return frame.channel == ahead_->frame.channel; };
    return ahead_->moment == step.moment && std::ranges::none_of(step.frames, same_channel);
}

std::optional<DueStep> MomentReader::next(const std::stop_token& stop)
{
    if (failure_) std::rethrow_exception(failure_);
    if (!ahead_) ahead_ = reader_.next(stop);
    if (!ahead_) return std::nullopt;
    DueStep step;
    if (ahead_->pause) {
        ahead_.reset();
        return step;
    }
    step.moment = ahead_->moment;
    step.placed = ahead_->placed;
    try {
        do {
            step.frames.push_back(std::move(ahead_->frame));
            ahead_.reset();
            if (together_) ahead_ = reader_.next(stop);
        } while (ahead_ && !ahead_->pause && joins(step));
    } catch (...) {
        failure_ = std::current_exception();
    }
    step.info = reader_.info();
    return step;
}

void MomentReader::seek(Moment moment)
{
    reader_.seek(moment);
    ahead_.reset();
    failure_ = nullptr;
}

}  // namespace ositrace
