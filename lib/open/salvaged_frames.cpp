// SPDX-License-Identifier: MPL-2.0
#include "lib/open/salvaged_frames.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <ositrace/frame_error.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

constexpr auto end_of_input = std::numeric_limits<std::uint64_t>::max();

std::uint64_t end_of(const Frame& frame) { return frame.offset + length_prefix::prefix_bytes + frame.bytes.size(); }

}  // namespace

SalvagedFrames::SalvagedFrames(const OpenOptions& options, bool framed, std::shared_ptr<CompressionLog> log,
                               Places places, const Open& open)
    : on_skip_(options.on_skip), depth_(options.depth), framed_(framed), places_(places), log_(std::move(log))
{
    auto inner = options;
    if (framed_) inner.on_skip = [this](const SkippedBytes& skipped) { lose(skipped); };
    source_ = open(inner);
}

bool SalvagedFrames::read(Frame& frame, std::stop_token stop)
{
    while (read_source(frame, stop)) {
        if (places_ != Places::unknown) read_log();
        if (places_ == Places::begins) pass_begin(frame.offset);
        if (!framed_) {
            frames_ = frame.index + 1;
            return true;
        }
        if (const auto problem = problem_of(frame)) {
            frame.index = frames_;
            lose({frames_, frame.offset, end_of(frame) - frame.offset, within_frame(*problem, frame, info().file), 0,
                  1});
            continue;
        }
        const auto time = readable_timestamp(frame.bytes, info().channels.front(), {.frame = frame.index});
        report_lost(time);
        pass_damages(frame.offset, time);
        if (places_ == Places::exact) count_unconfirmed(frame.offset, end_of(frame));
        frame.index = frames_++;
        if (time) last_time_ = time;
        return true;
    }
    end();
    if (!stop.stop_requested()) ended_ = true;
    return false;
}

bool SalvagedFrames::read_source(Frame& frame, const std::stop_token& stop)
try {
    return !ended_ && source_->read(frame, stop);
} catch (const Error& error) {
    if (!is_damage(error)) throw;
    end_with(error);
    return false;
}

/// The source cannot continue: everything after the place of the error is lost.
void SalvagedFrames::end_with(const Error& error)
{
    ended_ = true;
    const auto size = source_->bytes_total().value_or(source_->bytes_consumed());
    const auto offset = log_ ? source_->bytes_consumed() : error.where().offset.value_or(size);
    SkippedBytes rest{error.where().frame, offset, size - std::min(size, offset), error};
    rest.compressed = log_ != nullptr;
    if (on_skip_) on_skip_(rest);
}

std::optional<Error> SalvagedFrames::problem_of(const Frame& frame)
{
    const auto seam = std::ranges::find_if(unpassed_, [&](const Unpassed& each) {
        return each.damage.lacks_output() && each.damage.to > frame.offset && each.damage.to < end_of(frame);
    });
    if (seam != unpassed_.end())
        return Error(Cause::malformed, "bytes are missing inside, where the compressed file is damaged");
    if (frame.bytes.empty() || depth_ == DamageDepth::structure) return std::nullopt;
    if (!verifier_) verifier_.emplace(info().channels.front());
    return verifier_->problem_of(frame.bytes);
}

void SalvagedFrames::lose(const SkippedBytes& lost)
{
    if (!lost_) {
        auto where = lost.error.where();
        where.frame = frames_;
        lost_ = SkippedBytes{frames_, lost.offset, 0, lost.error.moved_to(std::move(where))};
        lost_->after = last_time_;
    }
    lost_->bytes = lost.offset + lost.bytes - lost_->offset;
    lost_->frames += lost.frames;
}

void SalvagedFrames::report_lost(std::optional<Nanoseconds> before)
{
    if (!lost_) return;
    auto lost = *std::exchange(lost_, std::nullopt);
    lost.before = before;
    if (on_skip_) on_skip_(lost);
}

void SalvagedFrames::read_log()
{
    if (!log_) return;
    auto news = log_->take();
    for (auto& damage : news.damages) {
        const auto kept = damage.from == open_from_ ? std::exchange(open_frames_, 0) : 0;
        unpassed_.push_back({std::move(damage), kept});
    }
    if (std::exchange(open_from_, news.open_from) != news.open_from) open_frames_ = 0;
}

/// A frame in this range of the output: of which compressed frame is it, if that is not proven whole?
void SalvagedFrames::count_unconfirmed(std::uint64_t begin, std::uint64_t end)
{
    if (!log_) return;
    const auto damaged = std::ranges::find_if(
        unpassed_, [&](const Unpassed& each) { return begin < each.damage.to && end > each.damage.from; });
    if (damaged != unpassed_.end())
        ++damaged->kept;
    else if (end > open_from_)
        ++open_frames_;
}

/// Of a frame that ends where the next one begins.
void SalvagedFrames::pass_begin(std::uint64_t offset)
{
    if (last_at_) count_unconfirmed(*last_at_, offset);
    pass_damages(offset, std::nullopt);
    last_at_ = offset;
}

/// Reports the damage before `offset` of the output.
void SalvagedFrames::pass_damages(std::uint64_t offset, std::optional<Nanoseconds> before)
{
    for (; !unpassed_.empty() && unpassed_.front().damage.to <= offset; unpassed_.pop_front()) {
        const auto& [damage, kept] = unpassed_.front();
        SkippedBytes skipped{std::nullopt, damage.offset, damage.bytes, damage.error, kept};
        if (places_ != Places::unknown) skipped.frame = frames_;
        skipped.compressed = true;
        skipped.after = last_time_;
        skipped.before = before;
        if (on_skip_) on_skip_(skipped);
    }
}

/// At the end of the source, which may be one for now only.
void SalvagedFrames::end()
{
    report_lost(std::nullopt);
    read_log();
    if (last_at_) count_unconfirmed(*std::exchange(last_at_, std::nullopt), end_of_input);
    pass_damages(end_of_input, std::nullopt);
}

}  // namespace ositrace
