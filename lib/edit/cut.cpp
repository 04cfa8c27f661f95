// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/cut.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <ositrace/calendar_time.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/trace_map.hpp>

#include "lib/edit/carried_maps.hpp"
#include "lib/edit/edit_source.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/static_part.hpp"
#include "lib/trace/frame_by_time.hpp"
#include "lib/trace/topic_check.hpp"

namespace ositrace {

namespace {

class Cut final : public EditSource {
public:
    Cut(std::unique_ptr<FrameSource> from, CutOptions options)
        : EditSource(std::move(from)), options_(std::move(options))
    {
        if (options_.every == 0) throw Error(Cause::usage, "--every 0 is invalid (expected 1 or more)");
        if (options_.time && (!options_.time->needs_start() || options_.extent.start)) resolve();
        follow_source();
        if (options_.topic) find_topic();
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;

private:
    struct ChannelState {
        std::optional<std::uint32_t> place;  ///< in info_; empty: dropped
        std::uint64_t in_range = 0;
        std::optional<Nanoseconds> time;   ///< of the last frame
        std::optional<ProtobufForm> form;  ///< if static data is carried over
        std::optional<StaticPart> part;
    };

    void resolve();
    void follow_source();
    void find_topic();
    bool next(Frame& frame, const std::stop_token& stop);
    void add(const Channel& channel);
    [[nodiscard]] bool is_wanted(const Frame& frame, ChannelState& channel);
    [[nodiscard]] bool is_in_time(const Frame& frame, ChannelState& channel);
    [[nodiscard]] bool is_past_end(const ChannelState& channel) const
    {
        return span_ && span_->to && channel.time && *channel.time >= *span_->to;
    }
    void carry_into(Frame& frame, ChannelState& channel);
    /// Is this a map channel whose message is carried into every part?
    [[nodiscard]] bool is_carried_map(const Channel& channel) const
    {
        return options_.carry_static && is_map_channel(channel);
    }
    [[nodiscard]] bool expects_map() const;
    void put_map_before(Frame& frame);
    [[nodiscard]] bool put_late_map(Frame& frame);

    CutOptions options_;
    const bool grows_ = from().info().may_grow;  ///< then it is read to its end, which may contain records
    std::optional<TimeSpan> span_;
    std::uint64_t next_index_ = 0;
    bool past_end_ = false;  ///< the time of the last frame is after the requested range
    bool has_ended_ = false;
    std::optional<Frame> waiting_;  ///< read by find_topic()
    CarriedMaps maps_;
    std::optional<Frame> after_map_;  ///< a frame of the part that waits for the maps before it
    std::optional<Frame> last_;       ///< of the part, without its bytes
    bool was_cut_ = false;            ///< a frame is dropped
    TraceInfo info_;
    std::vector<ChannelState> channels_;
    ByteBuffer edited_;
};

void Cut::resolve()
{
    const auto zero_time = zero_time_of(info_of_source());
    if (grows_ && !zero_time && options_.time->needs_zero_time())
        throw Error(Cause::unsupported,
                    "a calendar time requires the metadata zero_time, which an MCAP stream may contain at its end. "
                    "Use a file instead of a pipe.");
    span_ = options_.time->resolve(options_.extent, zero_time);
}

/// A channel of the topic may begin after frames of others.
void Cut::find_topic()
{
    while (info_.channels.empty() && grows_) {
        Frame frame;
        const bool more = from().read(frame, options_.stop);
        follow_source();
        if (!more) break;
        if (channels_.at(frame.channel).place) waiting_ = std::move(frame);
    }
    if (options_.stop.stop_requested())
        throw Error(Cause::cancelled, {.file = info_.file, .frame = {}, .offset = {}, .field = {}}, "stopped");
    if (info_.channels.empty()) throw_no_match(info_of_source(), *options_.topic);
}

void Cut::follow_source()
{
    const auto& source = info_of_source();
    if (channels_.empty()) {
        info_ = source;
        info_.channels.clear();
        info_.channels.reserve(source.channels.size());
        channels_.reserve(source.channels.size());
    }
    for (auto i = channels_.size(); i < source.channels.size(); ++i) add(source.channels[i]);
    follow_records(info_);
}

void Cut::add(const Channel& channel)
{
    auto& state = channels_.emplace_back();
    if (options_.channel && *options_.channel != channels_.size() - 1) return;
    if (options_.topic && !options_.topic->matches(channel.topic)) return;
    state.place = static_cast<std::uint32_t>(info_.channels.size());
    info_.channels.push_back(channel);
    if (!options_.carry_static || !ProtobufForm::exists(channel)) return;
    state.form.emplace(channel);
    state.part.emplace(*channel.root);
}

bool Cut::is_in_time(const Frame& frame, ChannelState& channel)
{
    if (const auto time = time_of(frame, info_of_source().channels[frame.channel])) channel.time = time;
    if (!span_ && channel.time) {
        options_.extent.start = channel.time;
        resolve();
    }
    past_end_ = is_past_end(channel);
    return channel.time && span_->contains(*channel.time);
}

bool Cut::is_wanted(const Frame& frame, ChannelState& channel)
{
    if (options_.time && !is_in_time(frame, channel)) return false;
    return options_.frames.contains(frame.index) && channel.in_range++ % options_.every == 0;
}

void Cut::carry_into(Frame& frame, ChannelState& channel)
{
    if (!channel.part->complete(channel.form->of(frame.bytes), frame.index, edited_)) return;
    channel.form->replace(frame, edited_);
    if (options_.on_carry) options_.on_carry({frame.channel, frame.index, channel.part->carried()});
}

/// Ends with the requested range, unless the source may add records later. Damage after the range is no error.
bool Cut::next(Frame& frame, const std::stop_token& stop)
{
    if (waiting_) {
        frame = *std::exchange(waiting_, std::nullopt);
        return true;
    }
    const bool is_past_frames = !grows_ && next_index_ >= options_.frames.to;
    if (has_ended_ || (is_past_frames && !expects_map())) return false;
    try {
        if (!from().read(frame, stop)) return false;
    } catch (const Error& e) {
        const bool is_after_part = past_end_ || is_past_frames;
        if (grows_ || !is_after_part || e.cause() == Cause::io || e.cause() == Cause::cancelled) throw;
        if (options_.on_damage_after) options_.on_damage_after(e);
        return false;
    }
    next_index_ = frame.index + 1;
    return true;
}

/// A writer may put the map after the frames.
bool Cut::expects_map() const
{
    const auto& channels = info_of_source().channels;
    for (std::uint32_t i = 0; i < channels_.size(); ++i)
        if (channels_[i].place && is_carried_map(channels[i]) && !maps_.has(i)) return true;
    return false;
}

/// The frame waits until the maps before it are read.
void Cut::put_map_before(Frame& frame)
{
    auto map = maps_.next(frame);
    if (!map) return;
    if (was_cut_ && options_.on_carry) options_.on_carry({map->channel, map->index, {}});
    map->channel = *channels_[map->channel].place;
    after_map_ = std::exchange(frame, *std::move(map));
}

/// A map after the frames of the part, or that is all of it.
bool Cut::put_late_map(Frame& frame)
{
    const auto is_no_map = [](const Channel& channel) { return !is_map_channel(channel); };
    if (!last_ && std::ranges::any_of(info_.channels, is_no_map)) return false;
    auto map = maps_.next(last_.value_or(Frame{}));
    if (!map) return false;
    map->channel = *channels_[map->channel].place;
    frame = *std::move(map);
    return true;
}

bool Cut::read(Frame& frame, std::stop_token stop)
{
    if (after_map_) {
        frame = *std::exchange(after_map_, std::nullopt);
        put_map_before(frame);
        return true;
    }
    while (next(frame, stop)) {
        follow_source();
        auto& channel = channels_.at(frame.channel);
        if (!channel.place) continue;
        if (options_.carry_static && maps_.take(frame, info_of_source().channels[frame.channel])) continue;
        try {
            const bool wanted = is_wanted(frame, channel);
            if (!wanted && channel.part) channel.part->skip(channel.form->of(frame.bytes), frame.index);
            if (!wanted && options_.end_with_time && is_past_end(channel)) break;
            was_cut_ = was_cut_ || !wanted;
            if (!wanted) continue;
            if (channel.part && channel.part->has_pending()) carry_into(frame, channel);
        } catch (const Error& e) {
            throw within_frame(e, frame, info_.file);
        }
        frame.channel = *channel.place;
        last_ = Frame{.log_time = frame.log_time, .publish_time = frame.publish_time};
        put_map_before(frame);
        return true;
    }
    has_ended_ = true;
    follow_source();
    return !stop.stop_requested() && put_late_map(frame);
}

/// The time of the first frame of a trace with one channel.
std::optional<Nanoseconds> first_time(const Trace& trace)
try {
    return trace.info().channels.size() == 1 ? trace.frame_time(0, 0) : std::nullopt;
} catch (const Error&) {
    return std::nullopt;  // the reader of the frames reports the error, with its place
}

/// nullopt: the range is relative to the first time, which is not known yet.
std::optional<TimeSpan> resolved(const TraceInfo& info, const CutOptions& options)
{
    if (options.time->needs_start() && !options.extent.start) return std::nullopt;
    return options.time->resolve(options.extent, zero_time_of(info));
}

/// Must the frames before the requested range be read, too?
bool needs_earlier_frames(const Trace& trace, const CutOptions& options)
{
    const auto& channels = trace.info().channels;
    if (options.time && options.time->needs_start() && !options.extent.start) return true;
    return channels.size() != 1 ||
           (options.carry_static && (ProtobufForm::exists(channels.front()) || is_map_channel(channels.front())));
}

}  // namespace

std::unique_ptr<FrameSource> cut(std::unique_ptr<FrameSource> from, CutOptions options)
{
    return std::make_unique<Cut>(std::move(from), std::move(options));
}

std::unique_ptr<FrameSource> cut(const Trace& from, CutOptions options)
{
    auto reader = from.reader();
    if (options.time && options.time->needs_end()) options.extent = time_extent(from);
    if (options.time && options.time->needs_step()) options.extent.step = median_step(from);
    if (options.time && options.time->needs_start() && !options.extent.start) options.extent.start = first_time(from);
    const auto span = options.time ? resolved(from.info(), options) : std::nullopt;
    if (const auto in_time = span ? frames_in_time(from, *span) : std::nullopt) {
        options.frames.from = std::max(options.frames.from, in_time->from);
        options.frames.to = std::min(options.frames.to, in_time->to);
    }
    if (options.frames.from != 0 && !needs_earlier_frames(from, options)) reader->seek_frame(options.frames.from);
    return cut(std::move(reader), std::move(options));
}

}  // namespace ositrace
