// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/split.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "lib/edit/carried_maps.hpp"
#include "lib/edit/edit_source.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/static_part.hpp"
#include "lib/trace/ground_truths.hpp"
#include "lib/trace/osi_metadata.hpp"

namespace ositrace {

/// The source up to the end of the current piece. The first frame of the next piece waits.
class Splitter::Piece final : public EditSource {
public:
    Piece(std::unique_ptr<FrameSource> from, SplitOptions options)
        : EditSource(std::move(from)), options_(std::move(options))
    {
    }

    bool begin(std::stop_token stop)
    {
        Frame left_over;
        while (piece_ != 0 && read(left_over, stop)) {
        }
        if (piece_ != 0) state_versions();
        complete_ = false;
        for (auto& channel : channels_) channel.begin_piece();
        if (piece_++ != 0) maps_.begin_part();
        bytes_ = 0;
        consumed_before_ = EditSource::bytes_consumed();
        if (!waiting_ && !ended_) fetch(stop);
        return waiting_.has_value() || (piece_ == 1 && !maps_.empty());
    }

    bool read(Frame& frame, std::stop_token stop) override
    {
        if (complete_) return false;
        if (!waiting_) fetch(stop);
        if (!waiting_) return read_late_map(frame, stop);
        auto& channel = channel_of(*waiting_);
        complete_ = ends_before(*waiting_, channel);
        if (complete_) return false;
        if (auto map = maps_.next(*waiting_)) {
            if (piece_ > 1 && options_.on_carry) options_.on_carry({map->channel, map->index, {}});
            frame = *std::move(map);
            return true;
        }
        frame = std::move(*waiting_);
        waiting_.reset();
        last_ = Frame{.log_time = frame.log_time, .publish_time = frame.publish_time};
        bytes_ += frame.bytes.size();
        ++channel.frames;
        if (!channel.version) channel.version = claimed_osi_version(frame.bytes, info().channels[frame.channel]);
        try {
            if (channel.part) follow(frame, channel);
        } catch (const Error& e) {
            throw within_frame(e, frame, info().file);
        }
        return true;
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override
    {
        return versioned_ ? *versioned_ : EditSource::info();
    }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override
    {
        return EditSource::bytes_consumed() - consumed_before_;
    }

    [[nodiscard]] bool has_times() const noexcept { return boundary_.has_value(); }

private:
    struct ChannelState {
        std::uint64_t frames = 0;           ///< in this piece
        std::optional<OsiVersion> version;  ///< of the first frame that states one
        std::optional<ProtobufForm> form;
        std::optional<StaticPart> part;

        void begin_piece()
        {
            frames = 0;
            if (part) part->mark_all_pending();
        }
    };

    /// For the pieces after the first: the frames of a trace may state its OSI version once.
    void state_versions()
    {
        if (versioned_ || info().may_grow) return;
        auto info = info_of_source();
        for (std::size_t i = 0; i != std::min(channels_.size(), info.channels.size()); ++i)
            if (channels_[i].version)
                info.channels[i].metadata.emplace(osi_metadata::channel_osi_version_key,
                                                  channels_[i].version->to_string());
        versioned_ = std::move(info);
    }

    /// A map after the last frame, or that is all of the trace.
    bool read_late_map(Frame& frame, const std::stop_token& stop)
    {
        auto map = stop.stop_requested() ? std::nullopt : maps_.next(last_);
        if (!map) return false;
        frame = *std::move(map);
        return true;
    }

    void fetch(const std::stop_token& stop)
    {
        Frame frame;
        while (!waiting_ && !ended_)
            if (!from().read(frame, stop))
                ended_ = true;
            else if (!options_.carry_static || !maps_.take(frame, info().channels[frame.channel]))
                waiting_ = std::move(frame);
    }

    ChannelState& channel_of(const Frame& frame)
    {
        const auto& channels = info().channels;
        for (auto i = channels_.size(); i < channels.size(); ++i) {
            auto& state = channels_.emplace_back();
            if (!options_.carry_static || !ProtobufForm::exists(channels[i])) continue;
            state.form.emplace(channels[i]);
            state.part.emplace(*channels[i].root);
        }
        return channels_.at(frame.channel);
    }

    bool ends_before(const Frame& frame, const ChannelState& channel)
    {
        const bool is_late = options_.every_time.count() > 0 && passes_boundary(frame);
        if (is_empty()) return false;
        return is_late || (options_.every_frames != 0 && channel.frames >= options_.every_frames) ||
               (options_.every_bytes != 0 && bytes_ + frame.bytes.size() > options_.every_bytes);
    }

    [[nodiscard]] bool is_empty() const noexcept
    {
        for (const auto& channel : channels_)
            if (channel.frames != 0) return false;
        return true;
    }

    /// Moves the boundary past the frame.
    bool passes_boundary(const Frame& frame)
    {
        const auto time = time_of(frame, info().channels[frame.channel]);
        if (!time) return false;
        if (!boundary_) boundary_ = later(*time);
        if (*time < *boundary_) return false;
        const auto pieces = (*time - *boundary_).count() / options_.every_time.count();
        boundary_ = later(Nanoseconds(boundary_->count() + pieces * options_.every_time.count()));
        return true;
    }

    [[nodiscard]] Nanoseconds later(Nanoseconds time) const
    {
        std::int64_t sum = 0;
        return __builtin_add_overflow(time.count(), options_.every_time.count(), &sum) ? Nanoseconds::max()
                                                                                       : Nanoseconds(sum);
    }

    void follow(Frame& frame, ChannelState& channel)
    {
        const auto message = channel.form->of(frame.bytes);
        if (channel.frames > 1) return channel.part->skip(message, frame.index);
        if (!channel.part->complete(message, frame.index, edited_)) return;
        channel.form->replace(frame, edited_);
        if (options_.on_carry) options_.on_carry({frame.channel, frame.index, channel.part->carried()});
    }

    SplitOptions options_;
    std::vector<ChannelState> channels_;
    std::optional<TraceInfo> versioned_;  ///< the info, from the second piece on
    std::optional<Frame> waiting_;
    CarriedMaps maps_;
    Frame last_;               ///< without its bytes
    std::uint64_t piece_ = 0;  ///< from 1; 0: not begun
    bool complete_ = false;    ///< the waiting frame belongs to the next piece
    bool ended_ = false;
    std::uint64_t bytes_ = 0;
    std::uint64_t consumed_before_ = 0;
    std::optional<Nanoseconds> boundary_;
    ByteBuffer edited_;
};

Splitter::Splitter(std::unique_ptr<FrameSource> from, SplitOptions options)
    : piece_(std::make_unique<Piece>(std::move(from), std::move(options)))
{
}
Splitter::~Splitter() = default;
bool Splitter::next(std::stop_token stop) { return piece_->begin(std::move(stop)); }
FrameSource& Splitter::piece() noexcept { return *piece_; }
bool Splitter::has_times() const noexcept { return piece_->has_times(); }

}  // namespace ositrace
