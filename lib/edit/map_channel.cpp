// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/map_channel.hpp>

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/utf8.hpp>

#include "lib/edit/edit_source.hpp"
#include "lib/open_drive/map_message.hpp"
#include "lib/open_drive/placed_map.hpp"

namespace ositrace {

namespace {

class MapChannelSource final : public EditSource {
public:
    MapChannelSource(std::unique_ptr<FrameSource> from, MapDocument document, const MapChannelOptions& options)
        : EditSource(std::move(from)),
          document_(std::move(document)),
          options_(options),
          info_(info_of_source()),
          place_(static_cast<std::uint32_t>(info_.channels.size()))
    {
        if (!is_utf8(document_.xml))
            throw Error(Cause::unsupported, {.file = document_.place()},
                        "the map is not UTF-8, which the message of a channel requires. Add it as an attachment.");
        if (const auto other = std::ranges::find_if(info_.channels, is_map_channel); other != info_.channels.end())
            throw Error(
                Cause::mismatch, {.file = info_.file},
                "the channel '" + other->topic + "' has a map already. Select the other channels with --topic.");
        info_.channels.push_back(map_channel());
    }

    const TraceInfo& info() const noexcept override { return info_; }

    bool read(Frame& frame, std::stop_token stop) override
    {
        if (waiting_) {
            frame = *std::exchange(waiting_, std::nullopt);
            return true;
        }
        const bool is_read = from().read(frame, stop);
        follow();
        if (is_read && frame.channel >= place_) ++frame.channel;
        if (is_written_ || (!is_read && stop.stop_requested())) return is_read;
        std::optional<FirstTruth> truth;
        if (is_read) {
            const auto& channel = info_.channels[frame.channel];
            if (!time_) time_ = first_time(frame, channel);
            truth = first_truth_in(frame, channel);
            if (!truth) return true;
            waiting_ = std::move(frame);
        }
        frame = map_frame(truth.value_or(FirstTruth{}));
        return is_written_ = true;
    }

private:
    /// The channels that the source has added come after the map.
    void follow()
    {
        const auto& channels = info_of_source().channels;
        for (auto i = info_.channels.size() - 1; i < channels.size(); ++i) info_.channels.push_back(channels[i]);
        follow_records(info_);
    }

    static std::optional<Nanoseconds> first_time(const Frame& frame, const Channel& channel)
    try {
        return frame.log_time ? frame.log_time : time_of(frame, channel);
    } catch (const Error&) {
        return std::nullopt;  // whoever reads the frame reports it
    }

    Frame map_frame(const FirstTruth& truth)
    {
        const auto& stated = truth.frame.reference;
        const auto message = map_message(stated.empty() ? document_.reference : stated, document_.xml);
        const auto map = placed_map(std::move(document_), truth, options_.max_message_bytes);
        if (options_.on_note) std::ranges::for_each(map->notes, options_.on_note);
        Frame frame;
        frame.bytes = message->bytes();
        frame.owner = message;
        frame.channel = place_;
        frame.index = waiting_ ? waiting_->index : 0;
        frame.log_time = frame.publish_time = time_.value_or(Nanoseconds{});
        return frame;
    }

    MapDocument document_;
    MapChannelOptions options_;
    TraceInfo info_;
    std::uint32_t place_;              ///< of the map channel
    std::optional<Nanoseconds> time_;  ///< of the first frame that has one
    std::optional<Frame> waiting_;     ///< the frame after the map
    bool is_written_ = false;
};

}  // namespace

std::unique_ptr<FrameSource> with_map_channel(std::unique_ptr<FrameSource> from, MapDocument document,
                                              const MapChannelOptions& options)
{
    return std::make_unique<MapChannelSource>(std::move(from), std::move(document), options);
}

}  // namespace ositrace
