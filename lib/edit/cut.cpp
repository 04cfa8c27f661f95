// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit_cut.hpp>

#include <algorithm>
#include <vector>

#include <ositrace/calendar_time.hpp>
#include <ositrace/error.hpp>

#include "lib/edit/edit_source.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/static_part.hpp"
#include "lib/trace/frame_error.hpp"
#include "lib/trace/frames_in_time.hpp"
#include "lib/trace/no_topic.hpp"

namespace ositrace {

namespace {

class Cut final : public EditSource {
public:
    Cut(std::unique_ptr<FrameSource> from, CutOptions options) : EditSource(std::move(from)), options_(std::move(options))
    {
        if (options_.every == 0) throw Error(Cause::usage, "every 0th frame cannot be meant");
        if (options_.time && (!options_.time->needs_start() || options_.extent.start)) resolve();
        follow_source();
        if (options_.topic && info_.channels.empty()) throw_no_topic(info_of_source(), *options_.topic);
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;

private:
    struct ChannelState {
        std::optional<std::uint32_t> place;  ///< in info_; empty: left out
        std::uint64_t in_range = 0;
        std::optional<Nanoseconds> time;     ///< of the last frame
        std::optional<ProtobufForm> form;    ///< where the static part is followed
        std::optional<StaticPart> part;
    };

    void resolve() { span_ = options_.time->resolve(options_.extent, zero_time_of(info_of_source())); }
    void follow_source();
    void add(const Channel& channel);
    [[nodiscard]] bool is_wanted(const Frame& frame, ChannelState& channel);
    [[nodiscard]] bool is_in_time(const Frame& frame, ChannelState& channel);
    [[nodiscard]] bool is_behind_time(const ChannelState& channel) const { return span_ && span_->to && channel.time && *channel.time >= *span_->to; }
    void carry_into(Frame& frame, ChannelState& channel);

    CutOptions options_;
    bool numbered_in_order_ = info_of_source().container != "mcap";  ///< an MCAP file is read in the order of its log times
    std::optional<TimeSpan> span_;
    TraceInfo info_;
    std::vector<ChannelState> channels_;
    ByteBuffer edited_;
};

void Cut::follow_source()
{
    const auto& source = info_of_source();
    if (channels_.empty()) {
        info_ = source;
        info_.channels.clear();
    }
    for (auto i = channels_.size(); i < source.channels.size(); ++i) add(source.channels[i]);
    for (auto i = info_.metadata.size(); i < source.metadata.size(); ++i) info_.metadata.push_back(source.metadata[i]);
    for (auto i = info_.attachments.size(); i < source.attachments.size(); ++i) info_.attachments.push_back(source.attachments[i]);
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

bool Cut::read(Frame& frame, std::stop_token stop)
{
    while (from().read(frame, stop)) {
        follow_source();
        if (numbered_in_order_ && frame.index >= options_.frames.to) return false;
        auto& channel = channels_.at(frame.channel);
        if (!channel.place) continue;
        try {
            const bool wanted = is_wanted(frame, channel);
            if (!wanted && channel.part) channel.part->skip(channel.form->of(frame.bytes), frame.index);
            if (!wanted && options_.end_with_time && is_behind_time(channel)) break;
            if (!wanted) continue;
            if (channel.part && channel.part->owes()) carry_into(frame, channel);
        } catch (const Error& e) {
            throw within_frame(e, frame, info_.file);
        }
        frame.channel = *channel.place;
        return true;
    }
    follow_source();
    return false;
}

/// nullopt: the first frame that has a time must be known for that.
std::optional<TimeSpan> resolved(const TraceInfo& info, const CutOptions& options)
{
    if (options.time->needs_start() && !options.extent.start) return std::nullopt;
    return options.time->resolve(options.extent, zero_time_of(info));
}

/// Does the frame need nothing of those in front of it? True when it brings a map of its own and all else that frame 0 has: its writer
/// then sends these with every frame, or just did.
bool stands_alone(const Trace& trace, std::uint64_t frame)
{
    const auto& channel = trace.info().channels.front();
    if (!ProtobufForm::exists(channel)) return true;
    const auto own = trace.frame(0, frame);
    const auto first = trace.frame(0, 0);
    ProtobufForm form(channel);
    ProtobufForm form_of_first(channel);
    return StaticPart(*channel.root).stands_alone(form.of(own.bytes), form_of_first.of(first.bytes));
}

}  // namespace

std::unique_ptr<FrameSource> cut(std::unique_ptr<FrameSource> from, CutOptions options)
{
    return std::make_unique<Cut>(std::move(from), std::move(options));
}

std::unique_ptr<FrameSource> cut(const Trace& from, CutOptions options)
{
    auto reader = from.reader();
    const bool one_channel = from.info().channels.size() == 1;
    if (options.time && (options.time->needs_end() || options.time->needs_start())) options.extent = time_extent(from);
    const auto span = options.time ? resolved(from.info(), options) : std::nullopt;
    if (const auto in_time = span ? frames_in_time(from, *span) : std::nullopt) {
        options.frames.from = std::max(options.frames.from, in_time->from);
        options.frames.to = std::min(options.frames.to, in_time->to);
    }
    const auto first = options.frames.from;
    if (first != 0 && one_channel && first < from.frame_count() && (!options.carry_static || stands_alone(from, first)))
        reader->seek_frame(first);
    return cut(std::move(reader), std::move(options));
}

}  // namespace ositrace
