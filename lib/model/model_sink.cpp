// SPDX-License-Identifier: MPL-2.0
#include <ositrace/model_sink.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/mcap/osi_names.hpp"
#include "lib/model/combined_channels.hpp"
#include "lib/trace/time_distance.hpp"

namespace ositrace {

namespace {

/// Does all of it, then throws the first of what was thrown.
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

/// Of a recording of what models return: when the trace was, but not what else is said about it.
std::vector<MetadataRecord> time_of_trace(const TraceInfo& info)
{
    for (const auto& record : info.metadata) {
        const auto zero = record.entries.find(std::string(mcap::osi::zero_time_key));
        if (record.name == mcap::osi::trace_record && zero != record.entries.end()) return {{record.name, {*zero}}};
    }
    return {};
}

/// Outputs that get the same: with the inputs or without, with messages that are held or without.
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
    /// `fresh`: those of them that are not held.
    void add_returned(std::size_t model, std::span<const Frame> frames, std::span<const Frame> fresh,
                      const TraceInfo& info)
    {
        if (sinks_.empty()) return;
        for (const auto& frame : held_ ? frames : fresh)
            frames_.push_back(channels_.combined(origins_[model], frame, info));
    }
    void hand_on(Nanoseconds now)
    {
        if (frames_.empty()) return;
        begin_sinks();
        for (auto* const sink : begun_) sink->take(frames_, now, channels_.info());
        frames_.clear();
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

}  // namespace

/// What a model is given: the frames that are played, and what models in front of it return in the same step.
class ModelInputs {
public:
    /// Throws Error (usage) for a topic that is one of the trace, too.
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
        // A channel that a stream added since the beginning would be mistaken for one of ours.
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
                                              "' is more than one topic: of the trace and of models; give the models "
                                              "other names (?name=NAME)");
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

class ModelSink::Implementation {
public:
    Implementation(std::vector<SteppedModel> models, const std::vector<ModelOutput>& outputs, OnEqualTime on_equal_time)
        : models_(std::move(models)),
          on_equal_time_(std::move(on_equal_time)),
          groups_{OutputGroup(false, false, models_, outputs), OutputGroup(false, true, models_, outputs),
                  OutputGroup(true, false, models_, outputs), OutputGroup(true, true, models_, outputs)},
          last_returned_(models_.size())
    {
    }

    void begin(const TraceInfo& info, const PlayStart& start)
    {
        first_step_ = start.step;
        for (const auto& model : models_) {
            const auto& inputs = inputs_.emplace_back(info, models_, inputs_.size());
            model.model->initialize(inputs.info(), start);
            ++initialized_;
        }
        for (auto& group : groups_) group.begin(info, models_, start);
    }

    void prepare(std::span<const Frame> frames)
    {
        for (std::size_t i = 0; i < models_.size(); ++i)
            if (inputs_[i].are_the_trace()) models_[i].model->prepare(frames);
    }

    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info)
    {
        if (last_ && now <= *last_ && on_equal_time_ && !frames.empty())
            std::exchange(on_equal_time_, {})(frames.front());
        const auto step = last_ ? std::max(distance(*last_, now), Nanoseconds(1)) : first_step_;
        last_ = now;
        ++steps_;
        for (auto& group : groups_) group.add_inputs(frames, info);
        FirstFailure failure;
        failure.survive([&] { step_models(frames, now, step); });
        for (auto& group : groups_) failure.survive([&] { group.hand_on(now); });
        failure.rethrow();
    }

    void source_ended(const TraceInfo& info)
    {
        for (auto& group : groups_) group.source_ended(info);
    }

    void finish()
    {
        FirstFailure failure;
        finish_models(failure);
        for (auto& group : groups_) group.finish(failure);
        failure.rethrow();
    }

    Nanoseconds other_processor_time() const noexcept
    {
        Nanoseconds sum{};
        for (const auto& model : models_) sum += model.model->other_processor_time();
        return sum;
    }

    void give_up()
    {
        FirstFailure failure;
        for (auto& group : groups_)
            group.give_up(failure);  // what is recorded is safe before a broken model is asked for anything
        finish_models(failure);
        failure.rethrow();
    }

    std::uint64_t steps_ = 0;
    std::uint64_t returned_ = 0;

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
    std::vector<Frame> fresh_;  ///< of those returned by a model in this step, without those that are held
    std::size_t initialized_ = 0;
    Nanoseconds first_step_{};
    std::optional<Nanoseconds> last_;
};

ModelSink::ModelSink(std::vector<SteppedModel> models, std::vector<ModelOutput> outputs, OnEqualTime on_equal_time)
    : implementation_(std::make_unique<Implementation>(std::move(models), outputs, std::move(on_equal_time)))
{
}

ModelSink::~ModelSink() = default;

void ModelSink::begin(const TraceInfo& info, const PlayStart& start) { implementation_->begin(info, start); }
void ModelSink::prepare(std::span<const Frame> frames, const TraceInfo&) { implementation_->prepare(frames); }
void ModelSink::take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info)
{
    implementation_->take(frames, now, info);
}
void ModelSink::source_ended(const TraceInfo& info) { implementation_->source_ended(info); }
void ModelSink::finish() { implementation_->finish(); }
void ModelSink::give_up() { implementation_->give_up(); }
Nanoseconds ModelSink::other_processor_time() const noexcept { return implementation_->other_processor_time(); }
std::uint64_t ModelSink::steps() const noexcept { return implementation_->steps_; }
std::uint64_t ModelSink::returned() const noexcept { return implementation_->returned_; }

}  // namespace ositrace
