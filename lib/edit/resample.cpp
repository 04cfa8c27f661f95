// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/resample.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/edit/map_channel.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "lib/edit/edit_source.hpp"
#include "lib/edit/pose_blend.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/time_shift.hpp"

namespace ositrace {

namespace {

class Resample final : public EditSource {
public:
    Resample(std::unique_ptr<FrameSource> source, Nanoseconds period, ResampleCounts& counts)
        : EditSource(std::move(source)), period_(period), counts_(counts)
    {
        if (period.count() <= 0) throw Error(Cause::usage, "a period is more than 0 s");
    }

    bool read(Frame& frame, std::stop_token stop) override
    {
        for (;;) {
            if (earlier_ && later_ && next_ < later_->time) return give(frame, true);
            if (earlier_ && has_ended_) {
                if (next_ > earlier_->time) return false;
                return give(frame, false);
            }
            if (later_) earlier_ = std::exchange(later_, std::nullopt);
            if (has_ended_ || !from().read(frame, stop)) {
                if (stop.stop_requested()) return false;
                has_ended_ = true;
                if (!earlier_) return false;
                continue;
            }
            if (!follow(frame)) return true;
            take(frame);
        }
    }

private:
    struct Timed {
        Frame frame;
        Nanoseconds time{};
    };

    /// False: the frame is copied.
    bool follow(const Frame& frame)
    {
        const auto& channel = info().channels[frame.channel];
        if (!ProtobufForm::exists(channel) || is_map_channel(channel)) return false;
        if (!channel_) {
            channel_ = frame.channel;
            form_.emplace(channel);
            later_form_.emplace(channel);
            shift_.emplace(*channel.root);
            blend_.emplace(*channel.root);
        }
        if (*channel_ != frame.channel)
            throw Error(Cause::unsupported, {.file = info().file},
                        "several channels cannot be resampled together. Use 'osiconvert split --channels' first.");
        return true;
    }

    void take(const Frame& frame)
    {
        ++counts_.frames_in;
        try {
            const auto time = time_of(frame, info().channels[frame.channel]);
            if (!time) throw Error(Cause::mismatch, "has no time");
            if (earlier_ && *time <= earlier_->time)
                throw Error(Cause::mismatch,
                            "is not after the frame before it. Use 'osiconvert concat --retime' first.");
            if (earlier_) check_step(*time);
            later_ = Timed{frame, *time};
            if (earlier_) return;
            earlier_ = std::exchange(later_, std::nullopt);
            next_ = *time;
        } catch (const Error& e) {
            throw within_frame(e, frame, info().file);
        }
    }

    /// A wrong time must not fill the disk.
    void check_step(Nanoseconds time)
    {
        constexpr std::int64_t most_between = 100'000;
        std::int64_t step = 0;
        if (__builtin_sub_overflow(time.count(), earlier_->time.count(), &step) ||
            step / period_.count() > most_between)
            throw Error(Cause::limit,
                        "is more than " + std::to_string(most_between) +
                            " periods after the frame before it. Use 'osiconvert cut' for the part you need.");
        counts_.largest_gap = std::max(counts_.largest_gap, Nanoseconds(step));
    }

    /// The message at next_.
    bool give(Frame& frame, bool has_later)
    {
        frame = earlier_->frame;
        const auto by = next_ - earlier_->time;
        next_ += period_;
        ++counts_.frames_out;
        if (by.count() == 0) {
            ++counts_.unchanged;
            return true;
        }
        try {
            auto message = form_->of(frame.bytes);
            if (has_later && !blend_->empty()) {
                const auto span = later_->time - earlier_->time;
                const auto share = static_cast<double>(by.count()) / static_cast<double>(span.count());
                blend_->apply(message, later_form_->of(later_->frame.bytes), share, blended_, counts_);
                message = blended_.bytes();
            }
            shift_->apply(message, by, shifted_);
            form_->replace(frame, shifted_);
        } catch (const Error& e) {
            throw within_frame(e, earlier_->frame, info().file);
        }
        for (auto* time : {&frame.time, &frame.log_time, &frame.publish_time})
            if (*time) **time += by;
        return true;
    }

    Nanoseconds period_;
    ResampleCounts& counts_;
    std::optional<std::uint32_t> channel_;
    std::optional<ProtobufForm> form_, later_form_;
    std::optional<TimeShift> shift_;
    std::optional<PoseBlend> blend_;
    std::optional<Timed> earlier_, later_;
    Nanoseconds next_{};
    bool has_ended_ = false;
    ByteBuffer blended_, shifted_;
};

}  // namespace

std::unique_ptr<FrameSource> resample(std::unique_ptr<FrameSource> from, Nanoseconds period, ResampleCounts& counts)
{
    return std::make_unique<Resample>(std::move(from), period, counts);
}

}  // namespace ositrace
