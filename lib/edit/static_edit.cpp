// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/static.hpp>

#include <algorithm>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/message_view.hpp>

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

    StaticEdit(std::unique_ptr<FrameSource> from, Edit edit, StaticCounts& counts)
        : EditSource(std::move(from)), edit_(edit), counts_(counts)
    {
    }

    bool read(Frame& frame, std::stop_token stop) override
    {
        if (!from().read(frame, std::move(stop))) return false;
        ++counts_.frames;
        counts_.bytes_before += frame.bytes.size();
        if (auto* const channel = channel_of(frame)) {
            try {
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
            if (ProtobufForm::exists(channels[i]))
                state = std::make_unique<ChannelState>(
                    ChannelState{ProtobufForm(channels[i]), StaticPart(*channels[i].root)});
        }
        return channels_.at(frame.channel).get();
    }

    Edit edit_;
    StaticCounts& counts_;
    std::vector<std::unique_ptr<ChannelState>> channels_;
    ByteBuffer edited_;
};

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
    StaticPart look(*declared.root);
    for (std::uint64_t i = 0; i < std::min(place, first_frames); ++i)
        look.skip(form.of(trace.frame(frame.channel, i).bytes), i);
    if (!look.complete(form.of(frame.bytes), place, buffer)) return std::nullopt;

    StaticPart all(*declared.root);
    for (std::uint64_t i = 0; i < place; ++i) {
        if (is_stopped()) return std::nullopt;
        all.skip(form.of(trace.frame(frame.channel, i).bytes), i);
    }
    if (!all.complete(form.of(frame.bytes), place, buffer)) return std::nullopt;
    Frame whole = frame;
    form.replace(whole, buffer);
    if (on_carry) on_carry({frame.channel, frame.index, all.carried()});
    return whole;
} catch (const Error& e) {
    throw within_frame(e, frame, trace.info().file);
}

}  // namespace ositrace
