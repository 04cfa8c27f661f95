// SPDX-License-Identifier: MPL-2.0
#include <ositrace/model_sink.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/trace_metadata.hpp>

#include "lib/trace/free_name.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

namespace {

/// Runs several actions even if some throw, then throws the first exception.
class FirstFailure {
public:
    /// False: it threw.
    template <class Action>
    bool survive(Action&& action) noexcept
    {
        try {
            action();
            return true;
        } catch (...) {
            if (!first_) first_ = std::current_exception();
            return false;
        }
    }
    void rethrow() const
    {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::exception_ptr first_;
};

/// For a recording of what models return: when the trace was recorded, but no other metadata of it.
std::vector<MetadataRecord> time_of_trace(const TraceInfo& info)
{
    using osi_metadata::trace_record, osi_metadata::zero_time_key;
    const auto zero = trace_entry(info, zero_time_key);
    if (!zero) return {};
    return {{std::string(trace_record), {{std::string(zero_time_key), *zero}}}};
}

/// The channels of several origins side by side in one TraceInfo, each with a topic of its own.
class CombinedChannels {
public:
    /// `name` is the prefix of the topics of this origin (`DummySensor.OSMPSensorDataOut`): of all, or only of those
    /// that are already in use.
    std::size_t add_origin(std::string name, bool always)
    {
        origins_.push_back({std::move(name), always, {}});
        return origins_.size() - 1;
    }
    /// Adds the channels that are new.
    void follow(std::size_t origin, const TraceInfo& info)
    {
        for (std::uint32_t i = 0; i < info.channels.size(); ++i) place_of(origins_.at(origin), i, info);
    }
    /// The frame as one of the combined channels; its channel is added if it is new.
    [[nodiscard]] Frame combined(std::size_t origin, Frame frame, const TraceInfo& info)
    {
        frame.channel = place_of(origins_.at(origin), frame.channel, info);
        return frame;
    }

    [[nodiscard]] const TraceInfo& info() const noexcept { return info_; }
    [[nodiscard]] TraceInfo& info() noexcept { return info_; }

private:
    struct Origin {
        std::string name;
        bool always = false;
        std::vector<std::optional<std::uint32_t>> places;  ///< in info_, by channel
    };

    std::uint32_t place_of(Origin& origin, std::uint32_t channel, const TraceInfo& info)
    {
        if (origin.places.size() <= channel) origin.places.resize(channel + 1);
        auto& place = origin.places[channel];
        if (place) return *place;
        place = static_cast<std::uint32_t>(info_.channels.size());
        auto& added = info_.channels.emplace_back(info.channels.at(channel));
        added.topic = free_topic(origin, added.topic);
        return *place;
    }
    [[nodiscard]] std::string free_topic(const Origin& origin, const std::string& topic)
    {
        const bool has_prefix = origin.name.empty() || topic.starts_with(origin.name + '.');
        const auto prefixed = has_prefix ? topic : origin.name + '.' + topic;
        const auto wanted = origin.always ? prefixed : topic;
        const auto is_taken = [&](const auto& name) { return !topics_.insert(name).second; };
        return is_taken(wanted) ? free_name(prefixed, is_taken) : wanted;
    }

    TraceInfo info_;
    std::vector<Origin> origins_;
    std::set<std::string> topics_;
};

/// Outputs with the same contents: with or without the inputs, with or without messages that are held.
class OutputGroup {
public:
    OutputGroup(bool with_inputs, bool held, const std::vector<SteppedModel>& models,
                const std::vector<ModelOutput>& outputs)
        : held_(held)
    {
        for (const auto& output : outputs)
            if (output.with_inputs == with_inputs && output.held == held) sinks_.push_back(output.sink);
        if (with_inputs) inputs_ = channels_.add_origin({}, false);
        for (const auto& model : models) origins_.push_back(channels_.add_origin(model.name, models.size() > 1));
    }

    void begin(const TraceInfo& info, const std::vector<SteppedModel>& models, const PlayStart& start)
    {
        start_ = {start.now, start.step, {}};
        channels_.info().file = info.file;
        follow_records(info);
        if (inputs_) channels_.follow(*inputs_, info);
        std::size_t outputs = 0;
        for (const auto& model : models) outputs += model.model->outputs().channels.size();
        if (outputs == 1) follow_outputs(models);
        if (outputs == 1 || inputs_) begin_sinks();
    }
    void add_inputs(std::span<const Frame> frames, const TraceInfo& info)
    {
        if (!inputs_ || sinks_.empty()) return;
        channels_.follow(*inputs_, info);
        for (const auto& frame : frames) frames_.push_back(channels_.combined(*inputs_, frame, info));
    }
    /// `fresh`: those that are not held.
    void add_returned(std::size_t model, std::span<const Frame> frames, std::span<const Frame> fresh,
                      const TraceInfo& info)
    {
        if (sinks_.empty()) return;
        for (const auto& frame : held_ ? frames : fresh)
            frames_.push_back(channels_.combined(origins_[model], frame, info));
    }
    void deliver(Nanoseconds now)
    {
        if (frames_.empty()) return;
        begin_sinks();
        for (auto* const sink : begun_) sink->take(frames_, now, channels_.info());
        frames_.clear();
    }
    void due(const PlayStatus& status)
    {
        for (auto* const sink : sinks_) sink->due(status);
    }
    void waiting(const PlayWait& wait)
    {
        for (auto* const sink : begun_) sink->waiting(wait);
    }
    void delivered(const PlayStatus& status)
    {
        for (auto* const sink : begun_) sink->delivered(status);
    }
    void failed(const std::string& why)
    {
        for (auto* const sink : begun_) sink->failed(why);
    }
    void source_ended(const TraceInfo& info)
    {
        follow_records(info);
        for (auto* const sink : begun_) sink->source_ended(channels_.info());
    }
    void finish(FirstFailure& failure)
    {
        for (auto* const sink : begun_) failure.survive([&] { sink->finish(); });
    }
    void give_up(FirstFailure& failure)
    {
        for (auto* const sink : begun_) failure.survive([&] { sink->give_up(); });
    }

private:
    void follow_outputs(const std::vector<SteppedModel>& models)
    {
        for (std::size_t i = 0; i < models.size(); ++i) channels_.follow(origins_[i], models[i].model->outputs());
    }
    void follow_records(const TraceInfo& info)
    {
        channels_.info().metadata = inputs_ ? info.metadata : time_of_trace(info);
        if (inputs_) channels_.info().attachments = info.attachments;
    }
    void begin_sinks()
    {
        while (begun_.size() < sinks_.size()) {
            begun_.push_back(sinks_[begun_.size()]);
            begun_.back()->begin(channels_.info(), start_);
        }
    }

    bool held_;
    std::vector<FrameSink*> sinks_;
    std::vector<FrameSink*> begun_;
    PlayStart start_;
    CombinedChannels channels_;
    std::optional<std::size_t> inputs_;
    std::vector<std::size_t> origins_;  ///< by model
    std::vector<Frame> frames_;         ///< of this step
};

/// The input of a model: the frames that are played, and what models before it return in the same step.
class ModelInputs {
public:
    /// Throws Error (usage) for a topic that the trace has as well.
    ModelInputs(const TraceInfo& trace, const std::vector<SteppedModel>& models, std::size_t own)
        : info_(trace), of_trace_(trace.channels.size())
    {
        for (const auto& topic : models[own].topics)
            for (std::size_t i = 0; i < own; ++i) add(topic, models[i], i);
    }

    [[nodiscard]] const TraceInfo& info() const noexcept { return info_; }
    [[nodiscard]] bool are_the_trace() const noexcept { return sources_.empty(); }
    /// `returned`: in this step, by model. Lives until the next call.
    [[nodiscard]] std::span<const Frame> of(std::span<const Frame> played,
                                            const std::vector<std::span<const Frame>>& returned)
    {
        if (are_the_trace()) return played;
        frames_.clear();
        // The number of a channel that a stream added since the beginning is that of one of ours.
        std::ranges::copy_if(played, std::back_inserter(frames_),
                             [&](const Frame& frame) { return frame.channel < of_trace_; });
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            for (const auto& frame : returned[sources_[i].model]) {
                if (frame.channel != sources_[i].channel) continue;
                frames_.push_back(frame);
                frames_.back().channel = static_cast<std::uint32_t>(of_trace_ + i);
            }
        }
        return frames_;
    }

private:
    struct Source {
        std::size_t model = 0;
        std::uint32_t channel = 0;
    };
    void add(const std::string& topic, const SteppedModel& model, std::size_t place)
    {
        const auto& channels = model.model->outputs().channels;
        for (std::uint32_t i = 0; i < channels.size(); ++i) {
            if (channels[i].topic != topic && model.name + "." + channels[i].topic != topic) continue;
            if (std::ranges::find(info_.channels, topic, &Channel::topic) != info_.channels.end())
                throw Error(Cause::usage, "'" + topic +
                                              "' is a topic of the trace and of a model. Give the model another name: "
                                              "?name=NAME");
            sources_.push_back({place, i});
            info_.channels.push_back(channels[i]);
            info_.channels.back().topic = topic;
        }
    }

    TraceInfo info_;
    std::size_t of_trace_;
    std::vector<Source> sources_;  ///< by channel, from of_trace_ on
    std::vector<Frame> frames_;
};

class SteppingSink final : public ModelSink {
public:
    SteppingSink(std::vector<SteppedModel> models, const std::vector<ModelOutput>& outputs, OnEqualTime on_equal_time)
        : models_(std::move(models)),
          on_equal_time_(std::move(on_equal_time)),
          groups_{OutputGroup(false, false, models_, outputs), OutputGroup(false, true, models_, outputs),
                  OutputGroup(true, false, models_, outputs), OutputGroup(true, true, models_, outputs)},
          last_returned_(models_.size())
    {
    }

    void begin(const TraceInfo& info, const PlayStart& start) override
    {
        first_step_ = start.step;
        for (const auto& model : models_) {
            const auto& inputs = inputs_.emplace_back(info, models_, inputs_.size());
            model.model->initialize(inputs.info(), start);
            ++initialized_;
        }
        for (auto& group : groups_) group.begin(info, models_, start);
    }

    void prepare(std::span<const Frame> frames, const TraceInfo&) override
    {
        for (std::size_t i = 0; i < models_.size(); ++i)
            if (inputs_[i].are_the_trace()) models_[i].model->prepare(frames);
    }

    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override
    {
        if (last_ && now <= *last_ && on_equal_time_ && !frames.empty())
            std::exchange(on_equal_time_, {})(frames.front());
        const auto step = last_ ? std::max(distance(*last_, now), Nanoseconds(1)) : first_step_;
        last_ = now;
        ++steps_;
        for (auto& group : groups_) group.add_inputs(frames, info);
        FirstFailure failure;
        failure.survive([&] { step_models(frames, now, step); });
        for (auto& group : groups_) failure.survive([&] { group.deliver(now); });
        failure.rethrow();
    }

    void due(const PlayStatus& status) override
    {
        for (auto& group : groups_) group.due(status);
    }

    void waiting(const PlayWait& wait) override
    {
        for (auto& group : groups_) group.waiting(wait);
    }

    void delivered(const PlayStatus& status) override
    {
        for (auto& group : groups_) group.delivered(status);
    }

    void failed(const std::string& why) override
    {
        for (auto& group : groups_) group.failed(why);
    }

    void source_ended(const TraceInfo& info) override
    {
        for (auto& group : groups_) group.source_ended(info);
    }

    void finish() override
    {
        FirstFailure failure;
        finish_models(failure);
        for (auto& group : groups_) group.finish(failure);
        failure.rethrow();
    }

    Nanoseconds other_processor_time() const noexcept override
    {
        Nanoseconds sum{};
        for (const auto& model : models_) sum += model.model->other_processor_time();
        return sum;
    }

    void give_up() override
    {
        FirstFailure failure;
        for (auto& group : groups_)
            group.give_up(failure);  // the recordings are safe before anything of a broken model is called
        finish_models(failure);
        failure.rethrow();
    }

    std::uint64_t steps() const noexcept override { return steps_; }
    std::uint64_t returned() const noexcept override { return returned_; }

private:
    void step_models(std::span<const Frame> frames, Nanoseconds now, Nanoseconds step)
    {
        returned_now_.assign(models_.size(), {});
        for (std::size_t i = 0; i < models_.size(); ++i) {
            auto& model = *models_[i].model;
            const auto returned = returned_now_[i] = model.step(inputs_[i].of(frames, returned_now_), now, step);
            returned_ += returned.size();
            keep_fresh(i, returned);
            for (auto& group : groups_) group.add_returned(i, returned, fresh_, model.outputs());
        }
    }
    void keep_fresh(std::size_t model, std::span<const Frame> returned)
    {
        fresh_.clear();
        for (const auto& frame : returned) {
            auto& last = last_returned_[model][frame.channel];
            if (last && frame.time && last->time == frame.time && std::ranges::equal(last->bytes, frame.bytes))
                continue;
            last = frame;
            fresh_.push_back(frame);
        }
    }
    void finish_models(FirstFailure& failure)
    {
        for (; initialized_ > 0; --initialized_) failure.survive([&] { models_[initialized_ - 1].model->finish(); });
    }

    std::vector<SteppedModel> models_;
    OnEqualTime on_equal_time_;  ///< null once it was called
    std::array<OutputGroup, 4> groups_;
    std::vector<std::map<std::uint32_t, std::optional<Frame>>> last_returned_;  ///< by model and channel
    std::vector<ModelInputs> inputs_;                                           ///< by model
    std::vector<std::span<const Frame>> returned_now_;
    std::vector<Frame> fresh_;  ///< what a model returned in this step, without messages that are held
    std::size_t initialized_ = 0;
    std::uint64_t steps_ = 0;
    std::uint64_t returned_ = 0;
    Nanoseconds first_step_{};
    std::optional<Nanoseconds> last_;
};

}  // namespace

std::unique_ptr<ModelSink> step_models(std::vector<SteppedModel> models, const std::vector<ModelOutput>& outputs,
                                       OnEqualTime on_equal_time)
{
    return std::make_unique<SteppingSink>(std::move(models), outputs, std::move(on_equal_time));
}

}  // namespace ositrace
