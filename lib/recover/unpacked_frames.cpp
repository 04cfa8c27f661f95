// SPDX-License-Identifier: MPL-2.0
#include "lib/recover/unpacked_frames.hpp"

#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

constexpr std::size_t max_damages = 65'536;

}  // namespace

bool UnpackedFrames::read(Frame& frame, std::stop_token stop)
{
    if (!source_.read(frame, stop)) {
        if (!stop.stop_requested())
            while (next_ != damages_.size()) report(frames_, std::nullopt);
        return false;
    }
    const auto time = readable_timestamp(frame.bytes, info().channels.front());
    while (next_ != damages_.size() && frame.offset >= damages_[next_].to) report(frames_, time);
    ++frames_;
    // A frame that reaches from a damaged compressed frame into the next has its beginning in the damaged one.
    if (next_ != damages_.size() && frame.offset >= damages_[next_].from) ++kept_;
    if (time) last_time_ = time;
    return true;
}

void UnpackedFrames::report(std::uint64_t before_frame, std::optional<Nanoseconds> before)
{
    const auto& damage = damages_[next_++];
    LostBytes loss{before_frame, damage.offset,         damage.bytes,           last_time_,
                   before,       damage.error.reason(), std::exchange(kept_, 0)};
    loss.compressed = true;
    on_loss_(loss);
}

void add_damage(std::vector<CompressionDamage>& damages, const CompressionDamage& damage)
{
    if (damages.size() < max_damages) return damages.push_back(damage);
    auto& last = damages.back();
    last.bytes += damage.bytes;
    last.to = damage.to;
}

}  // namespace ositrace
