// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/static.hpp>

#include <algorithm>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/trace_map.hpp>

#include "lib/edit/edit_source.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/static_part.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace {

namespace {

/// Writers that send their map once send it in the first frame or after the first simulation step.
constexpr std::uint64_t first_frames = 4;

class StaticEdit final : public EditSource {
public:
    using Edit = bool (StaticPart::*)(Bytes message, std::uint64_t frame, ByteBuffer& out);

    /// `map`: known before the first frame; may be null.
    StaticEdit(std::unique_ptr<FrameSource> from, Edit edit, StaticCounts& counts,
               std::shared_ptr<const TraceMap> map = nullptr)
        : EditSource(std::move(from)), edit_(edit), counts_(counts), map_(std::move(map))
    {
    }

    bool read(Frame& frame, std::stop_token stop) override
    {
        if (!from().read(frame, std::move(stop))) return false;
        ++counts_.frames;
        counts_.bytes_before += frame.bytes.size();
        if (auto* const channel = channel_of(frame)) {
            try {
                if (map_ && map_share(frame.bytes, info().channels[frame.channel]) == MapShare::road)
                    throw Error(Cause::mismatch, "the trace has lanes of its own, so no map is added");
                change(frame, *channel);
            } catch (const Error& e) {
                throw within_frame(e, frame, info().file);
            }
        }
        counts_.bytes_after += frame.bytes.size();
        return true;
    }

private:
    struct ChannelState {
        ProtobufForm form;
        StaticPart part;
    };

    void change(Frame& frame, ChannelState& channel)
    {
        if (!(channel.part.*edit_)(channel.form.of(frame.bytes), frame.index, edited_)) return;
        channel.form.replace(frame, edited_);
        ++counts_.changed;
    }

    /// nullptr: not an OSI channel.
    ChannelState* channel_of(const Frame& frame)
    {
        const auto& channels = info().channels;
        for (auto i = channels_.size(); i < channels.size(); ++i) {
            auto& state = channels_.emplace_back();
            if (!ProtobufForm::exists(channels[i])) continue;
            state =
                std::make_unique<ChannelState>(ChannelState{ProtobufForm(channels[i]), StaticPart(*channels[i].root)});
            if (map_) begin_with_map(*state, channels[i]);
        }
        return channels_.at(frame.channel).get();
    }

    void begin_with_map(ChannelState& state, Channel channel) const
    {
        channel.format = {};
        if (const auto frame = map_frame(*map_, channel)) state.part.skip(frame->bytes, 0);
    }

    Edit edit_;
    StaticCounts& counts_;
    std::shared_ptr<const TraceMap> map_;
    std::vector<std::unique_ptr<ChannelState>> channels_;
    ByteBuffer edited_;
};

/// The map beside the trace, if neither the frame nor the first ones have a road.
std::optional<Frame> map_that_lacks(const Trace& trace, const Frame& frame, std::uint64_t place)
{
    auto map = trace.map_beside(frame.channel);
    if (!map) return std::nullopt;
    const auto& channel = trace.info().channels[frame.channel];
    if (map_share(frame.bytes, channel) == MapShare::road) return std::nullopt;
    for (std::uint64_t i = 0; i < std::min(place, first_frames); ++i)
        if (map_share(trace.frame(frame.channel, i).bytes, channel) == MapShare::road) return std::nullopt;
    return std::move(map->frame);
}

}  // namespace

std::vector<std::string_view> map_fields(Bytes payload, const Channel& channel)
try {
    std::vector<std::string_view> found;
    if (channel.root == nullptr || payload.empty()) return found;
    for_each_ground_truth(MessageView(payload, *channel.root, channel.format), [&](const MessageView& ground_truth) {
        ground_truth.for_each_field([&](const FieldRow& row) {
            if (is_map_field(row.name)) found.push_back(row.name);
            return true;
        });
    });
    return found;
} catch (const Error&) {
    return {};
}

std::unique_ptr<FrameSource> expand_static(std::unique_ptr<FrameSource> from, StaticCounts& counts)
{
    return std::make_unique<StaticEdit>(std::move(from), &StaticPart::expand, counts);
}

std::unique_ptr<FrameSource> add_map(std::unique_ptr<FrameSource> from, std::shared_ptr<const TraceMap> map,
                                     MapFrames frames, StaticCounts& counts)
{
    const auto edit = frames == MapFrames::every ? &StaticPart::expand : &StaticPart::complete;
    return std::make_unique<StaticEdit>(std::move(from), edit, counts, std::move(map));
}

std::unique_ptr<FrameSource> compact_static(std::unique_ptr<FrameSource> from, StaticCounts& counts)
{
    return std::make_unique<StaticEdit>(std::move(from), &StaticPart::compact, counts);
}

std::optional<Frame> with_static_data(const Trace& trace, const Frame& frame, std::uint64_t place,
                                      const std::function<bool()>& is_stopped,
                                      const std::function<void(const CarriedPart&)>& on_carry)
try {
    const auto& declared = trace.info().channels[frame.channel];
    if (!ProtobufForm::exists(declared)) return std::nullopt;
    ProtobufForm form(declared);
    ByteBuffer buffer;
    const auto map = map_that_lacks(trace, frame, place);
    StaticPart look(*declared.root);
    if (map) look.skip(form.of(map->bytes), 0);
    for (std::uint64_t i = 0; i < std::min(place, first_frames); ++i)
        look.skip(form.of(trace.frame(frame.channel, i).bytes), i);
    if (!look.complete(form.of(frame.bytes), place, buffer)) return std::nullopt;

    StaticPart all(*declared.root);
    if (map) all.skip(form.of(map->bytes), 0);
    for (std::uint64_t i = 0; i < place; ++i) {
        if (is_stopped()) return std::nullopt;
        all.skip(form.of(trace.frame(frame.channel, i).bytes), i);
    }
    if (!all.complete(form.of(frame.bytes), place, buffer)) return std::nullopt;
    Frame whole = frame;
    form.replace(whole, buffer);
    if (on_carry && place != 0) on_carry({frame.channel, frame.index, all.carried()});
    return whole;
} catch (const Error& e) {
    throw within_frame(e, frame, trace.info().file);
}

}  // namespace ositrace
