// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/omega_prime.hpp>

#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "formats/protobuf/message_writer.hpp"
#include "lib/check/profile_check.hpp"
#include "lib/edit/edit_source.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/static_part.hpp"
#include "lib/mcap/open_mcap.hpp"

namespace ositrace {

namespace {

/// Repeats the facts of a trace in every GroundTruth, and names its channel.
class RepeatedFacts final : public EditSource {
public:
    /// `reference`: map_reference where the trace states none; empty: then it stays so.
    RepeatedFacts(std::unique_ptr<FrameSource> from, std::string reference, std::map<std::string, std::uint64_t>& added)
        : EditSource(std::move(from)), reference_(std::move(reference)), added_(added), info_(info_of_source())
    {
        info_.channels.clear();
        follow();
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }

    bool read(Frame& frame, std::stop_token stop) override
    {
        const bool is_read = from().read(frame, std::move(stop));
        follow();
        if (!is_read || !states_[frame.channel]) return is_read;
        auto& state = *states_[frame.channel];
        try {
            if (!state.facts.repeat_facts(state.form.of(frame.bytes), frame.index, edited_)) return true;
            for (const auto& field : state.facts.carried()) ++added_[field.path];
            state.form.replace(frame, edited_);
        } catch (const Error& error) {
            throw within_frame(error, frame, info_.file);
        }
        return true;
    }

private:
    struct ChannelState {
        ProtobufForm form;
        StaticPart facts;
    };

    void follow()
    {
        const auto& channels = info_of_source().channels;
        for (auto i = states_.size(); i < channels.size(); ++i) {
            auto& channel = info_.channels.emplace_back(channels[i]);
            auto& state = states_.emplace_back();
            if (!is_truth(channel)) continue;
            channel.topic = truth_topic;
            state = std::make_unique<ChannelState>(ChannelState{ProtobufForm(channel), StaticPart(*channel.root)});
            if (!reference_.empty()) state->facts.skip(stated_reference(channel).bytes(), 0);
        }
        follow_records(info_);
    }

    [[nodiscard]] ByteBuffer stated_reference(const Channel& channel) const
    {
        ByteBuffer message;
        MessageWriter to(message);
        to.text(FieldTag(*channel.root, "map_reference"), reference_);
        return message;
    }

    std::string reference_;
    std::map<std::string, std::uint64_t>& added_;
    TraceInfo info_;
    std::vector<std::unique_ptr<ChannelState>> states_;  ///< null: not GroundTruth
    ByteBuffer edited_;
};

/// Checks all that passes.
class CheckedProfile final : public EditSource {
public:
    CheckedProfile(std::unique_ptr<FrameSource> from, CheckResult& result, std::size_t max_map_bytes)
        : EditSource(std::move(from)), result_(result), max_map_bytes_(max_map_bytes)
    {
    }

    bool read(Frame& frame, std::stop_token stop) override
    {
        const bool is_read = from().read(frame, stop);
        if (is_read) {
            ++frames_;
            check_.check(frame, info().channels[frame.channel]);
        } else if (!stop.stop_requested()) {
            check_.finish(info(), mcap_container, {}, max_map_bytes_);
            result_ = findings_.take(frames_);
        }
        return is_read;
    }

private:
    CheckResult& result_;
    std::size_t max_map_bytes_;
    CheckOptions options_{.listed_per_kind = 1, .profile = Profile::omega_prime};
    Findings findings_{info().file, options_};
    ProfileCheck check_{false, findings_};
    std::uint64_t frames_ = 0;
};

}  // namespace

std::unique_ptr<FrameSource> as_omega_prime(std::unique_ptr<FrameSource> from, std::optional<MapDocument> map,
                                            OmegaPrimeResult& result, const MapChannelOptions& options)
{
    std::unique_ptr<FrameSource> source =
        std::make_unique<RepeatedFacts>(std::move(from), map ? map->reference : std::string(), result.added);
    if (map) source = with_map_channel(std::move(source), *std::move(map), options);
    return std::make_unique<CheckedProfile>(std::move(source), result.check, options.max_message_bytes);
}

}  // namespace ositrace
