// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/played_trace.hpp"

#include <utility>

#include <ositrace/calendar_time.hpp>
#include <ositrace/edit_cut.hpp>
#include <ositrace/error.hpp>

#include "app/osiplay/network.hpp"
#include "app/terminal/damage_behind.hpp"

namespace ositrace::app {
namespace {

/// A stream whose first frame with a time has been read already, and what came in front of it.
class Begun final : public FrameSource {
public:
    Begun(std::unique_ptr<FrameSource> from, const std::stop_token& stop) : from_(std::move(from))
    {
        for (Frame frame; !start_ && from_->read(frame, stop);) {
            if (!frame.time) frame.time = timestamp_of(frame.bytes, from_->info().channels.at(frame.channel));
            start_ = frame.time;
            waiting_.push_back(std::move(frame));
        }
    }
    [[nodiscard]] std::optional<Nanoseconds> start() const noexcept { return start_; }

    const TraceInfo& info() const noexcept override { return from_->info(); }
    bool read(Frame& frame, std::stop_token stop) override
    {
        if (next_ == waiting_.size()) return from_->read(frame, std::move(stop));
        frame = std::move(waiting_[next_++]);
        return true;
    }
    std::uint64_t bytes_consumed() const noexcept override { return from_->bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return from_->bytes_total(); }

private:
    std::unique_ptr<FrameSource> from_;
    std::vector<Frame> waiting_;
    std::size_t next_ = 0;
    std::optional<Nanoseconds> start_;
};

PlayedTrace open_stream_to_play(const PlayRequest& request, const OpenOptions& open, CarriedReport& carried,
                                const SinkSurroundings& around)
{
    PlayedTrace played;
    played.stream = request.is_live() ? open_network_source(request.words.front(), request.input, around)
                                      : open_stream(request.trace(), open);
    const auto range = request.time.range();
    TimeExtent extent;
    if (range && range->needs_start()) {
        auto begun = std::make_unique<Begun>(std::move(played.stream), open.stop);
        extent.start = begun->start();
        played.stream = std::move(begun);
    }
    if (range) played.time = range->resolve(extent, zero_time_of(played.stream->info()));
    if (!range && !request.topic) return played;
    CutOptions cut_options;
    cut_options.time = range;
    cut_options.extent = extent;
    cut_options.end_with_time = request.is_unbounded();
    cut_options.topic = request.topic;
    cut_options.carry_static = request.carry_static;
    cut_options.stop = open.stop;
    cut_options.on_damage_behind = warn_of_damage_behind(around.messages);
    cut_options.on_carry = [&](const CarriedPart& part) { carried.add(part); };
    played.stream = cut(std::move(played.stream), std::move(cut_options));
    return played;
}

bool is_damage(const Error& error)
{
    return error.cause() == Cause::malformed || error.cause() == Cause::truncated || error.cause() == Cause::limit;
}

PlayedTrace open_trace_to_play(const PlayRequest& request, const OpenOptions& open)
{
    PlayedTrace played;
    played.trace = open_trace(request.trace(), open);
    if (played.trace->info().channels.empty())
        throw Error(Cause::mismatch, {.file = request.trace()}, "has no channels");
    if (request.topic) played.trace = select_topics(played.trace, *request.topic);
    const auto range = request.time.range();
    if (!range && request.rounds == 1) return played;
    auto extent = time_extent(*played.trace);  // throws where the file breaks
    if (range && range->needs_step()) extent.step = median_step(*played.trace);
    if (range) played.time = range->resolve(extent, zero_time_of(played.trace->info()));
    return played;
}

}  // namespace

PlayedTrace open_played(const PlayRequest& request, CarriedReport& carried, const SinkSurroundings& around)
{
    auto options = request.input.open_options();
    options.follow = request.follow;
    options.stop = around.stop;
    options.skip_bad_frames = request.skip_bad_frames;
    options.on_skip = [&](const SkippedBytes& skipped) { around.damage.add(skipped); };
    if (request.is_stream()) return open_stream_to_play(request, options, carried, around);
    try {
        return open_trace_to_play(request, options);
    } catch (const Error& e) {
        if (!is_damage(e)) throw;
        if (const auto range = request.time.range(); request.rounds != 1 || (range && range->needs_all()))
            throw Error(e.cause(), e.where(),
                        e.reason() +
                            "; --loop, --time from the end and half-step need a whole file: save what is in it with "
                            "'osiconvert recover'");
    }
    return open_stream_to_play(request, options, carried, around);  // up to the damage
}

}  // namespace ositrace::app
