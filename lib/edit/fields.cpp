// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/fields.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <ositrace/frame_error.hpp>

#include "lib/edit/edit_source.hpp"
#include "lib/edit/field_walk.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/time_shift.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

namespace {

class FieldEditSource final : public EditSource {
public:
    FieldEditSource(std::unique_ptr<FrameSource> source, FieldEditOptions options, FieldEditCounts& counts)
        : EditSource(std::move(source)), options_(std::move(options)), counts_(counts)
    {
        for (const auto& edit : options_.edits) counts_.edits.push_back({edit});
        follow_channels();
        if (!from().info().may_grow) check_paths();
    }

    bool read(Frame& frame, std::stop_token stop) override
    {
        const bool more = from().read(frame, stop);
        follow_channels();
        if (!more) {
            if (!stop.stop_requested()) check_paths();
            return false;
        }
        ++counts_.frames;
        try {
            change(frame, channels_.at(frame.channel));
        } catch (const Error& e) {
            throw within_frame(e, frame, info().file);
        }
        return true;
    }

private:
    struct ChannelState {
        std::optional<ProtobufForm> form;
        std::optional<FieldWalk> fields;
        std::optional<TimeShift> shift;
        bool edits_time = false;
    };

    void follow_channels()
    {
        const auto& channels = info().channels;
        for (auto i = channels_.size(); i < channels.size(); ++i) add(channels[i]);
    }

    void add(const Channel& channel)
    {
        auto& state = channels_.emplace_back();
        if (!ProtobufForm::exists(channel)) return;
        auto plan = plan_of(*channel.root, options_.edits);
        const bool keeps = std::ranges::any_of(
            options_.edits, [](const FieldEdit& edit) { return edit.kind == FieldEdit::Kind::keep; });
        // Of a message without a kept path nothing would be left.
        if (keeps && !plan.keep) plan = {};
        if (plan.empty() && options_.shift.count() == 0) return;
        state.form.emplace(channel);
        state.edits_time = plan.touches("timestamp") || plan.touches("global_ground_truth");
        if (plan.empty())
            counts_.unchanged_topics.push_back(channel.topic);
        else
            state.fields.emplace(std::move(plan), counts_);
        if (options_.shift.count() != 0) state.shift.emplace(*channel.root);
    }

    /// A path is that of a type of message that is there.
    void check_paths() const
    {
        for (const auto& edit : options_.edits) {
            std::optional<Error> problem;
            bool is_found = false;
            for (const auto& channel : info().channels) {
                if (channel.root == nullptr) continue;
                try {
                    static_cast<void>(path_to_every_element(*channel.root, edit.path));
                    is_found = true;
                } catch (const Error& e) {
                    if (!problem) problem = e;
                }
            }
            if (is_found || !problem) continue;
            throw is_path_of_osi(edit.path) ? Error(Cause::mismatch, {.file = info().file}, problem->reason())
                                            : *problem;
        }
    }

    void change(Frame& frame, ChannelState& channel)
    {
        move_times(frame);
        if (!channel.form) return;
        const auto message = channel.form->of(frame.bytes);
        bool has_changed = channel.fields && channel.fields->apply(message, edited_);
        if (channel.shift) {
            channel.shift->apply(has_changed ? edited_.bytes() : message, options_.shift, shifted_);
            std::swap(edited_, shifted_);
            has_changed = true;
        }
        if (!has_changed) return;
        ++counts_.changed;
        channel.form->replace(frame, edited_);
        if (!channel.edits_time) return;
        frame.time.reset();
        frame.time = time_in_range_of(frame, info().channels[frame.channel]);
    }

    void move_times(Frame& frame) const
    {
        if (options_.shift.count() == 0) return;
        for (auto* time : {&frame.time, &frame.log_time, &frame.publish_time})
            if (*time) *time = moved(**time);
    }

    [[nodiscard]] Nanoseconds moved(Nanoseconds time) const
    {
        std::int64_t sum = 0;
        if (__builtin_add_overflow(time.count(), options_.shift.count(), &sum))
            throw Error(Cause::limit, "a shifted time does not fit into 64 bits of nanoseconds");
        return Nanoseconds(sum);
    }

    FieldEditOptions options_;
    FieldEditCounts& counts_;
    std::vector<ChannelState> channels_;
    ByteBuffer edited_, shifted_;
};

}  // namespace

std::unique_ptr<FrameSource> edit_fields(std::unique_ptr<FrameSource> from, FieldEditOptions options,
                                         FieldEditCounts& counts)
{
    return std::make_unique<FieldEditSource>(std::move(from), std::move(options), counts);
}

}  // namespace ositrace
