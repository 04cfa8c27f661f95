// SPDX-License-Identifier: MPL-2.0
#include <ositrace/model_sink.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

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

/// Outputs that get the same channels: with the inputs, or without.
class OutputGroup {
public:
    OutputGroup(bool with_inputs, const std::vector<SteppedModel>& models, const std::vector<ModelOutput>& outputs)
    {
        for (const auto& output : outputs)
            if (output.with_inputs == with_inputs) sinks_.push_back(output.sink);
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
        if (outputs <= 1 || inputs_) begin_sinks();
    }
    void add_inputs(std::span<const Frame> frames, const TraceInfo& info)
    {
        if (!inputs_ || sinks_.empty()) return;
        channels_.follow(*inputs_, info);
        for (const auto& frame : frames) frames_.push_back(channels_.combined(*inputs_, frame, info));
    }
    void add_returned(std::size_t model, std::span<const Frame> frames, const TraceInfo& info)
    {
        if (sinks_.empty()) return;
        for (const auto& frame : frames) frames_.push_back(channels_.combined(origins_[model], frame, info));
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
    void finish(const std::vector<SteppedModel>& models, FirstFailure& failure)
    {
        // A recording of nothing says what there might have been.
        if (channels_.info().channels.empty()) follow_outputs(models);
        if (!failure.survive([&] { begin_sinks(); })) return give_up(failure);
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

    std::vector<FrameSink*> sinks_;
    std::vector<FrameSink*> begun_;
    PlayStart start_;
    CombinedChannels channels_;
    std::optional<std::size_t> inputs_;
    std::vector<std::size_t> origins_;  ///< by model
    std::vector<Frame> frames_;         ///< of this step
};

}  // namespace

class ModelSink::Implementation {
public:
    Implementation(std::vector<SteppedModel> models, const std::vector<ModelOutput>& outputs)
        : models_(std::move(models)), groups_{OutputGroup(false, models_, outputs), OutputGroup(true, models_, outputs)}
    {
    }

    void begin(const TraceInfo& info, const PlayStart& start)
    {
        first_step_ = std::max(start.step, Nanoseconds(1));
        for (const auto& model : models_) {
            model.model->initialize(info, start);
            ++initialized_;
        }
        for (auto& group : groups_) group.begin(info, models_, start);
    }

    void prepare(std::span<const Frame> frames)
    {
        for (const auto& model : models_) model.model->prepare(frames);
    }

    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info)
    {
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
        for (auto& group : groups_) group.finish(models_, failure);
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
        for (auto& group : groups_) group.give_up(failure);  // what is recorded is safe before a broken model is asked for anything
        finish_models(failure);
        failure.rethrow();
    }

    std::uint64_t steps_ = 0;
    std::uint64_t returned_ = 0;

private:
    void step_models(std::span<const Frame> frames, Nanoseconds now, Nanoseconds step)
    {
        for (std::size_t i = 0; i < models_.size(); ++i) {
            auto& model = *models_[i].model;
            const auto returned = model.step(frames, now, step);
            returned_ += returned.size();
            for (auto& group : groups_) group.add_returned(i, returned, model.outputs());
        }
    }
    void finish_models(FirstFailure& failure)
    {
        for (; initialized_ > 0; --initialized_) failure.survive([&] { models_[initialized_ - 1].model->finish(); });
    }

    std::vector<SteppedModel> models_;
    std::array<OutputGroup, 2> groups_;
    std::size_t initialized_ = 0;
    Nanoseconds first_step_{1};
    std::optional<Nanoseconds> last_;
};

ModelSink::ModelSink(std::vector<SteppedModel> models, std::vector<ModelOutput> outputs)
    : implementation_(std::make_unique<Implementation>(std::move(models), outputs))
{
}

ModelSink::~ModelSink() = default;

void ModelSink::begin(const TraceInfo& info, const PlayStart& start) { implementation_->begin(info, start); }
void ModelSink::prepare(std::span<const Frame> frames, const TraceInfo&) { implementation_->prepare(frames); }
void ModelSink::take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) { implementation_->take(frames, now, info); }
void ModelSink::source_ended(const TraceInfo& info) { implementation_->source_ended(info); }
void ModelSink::finish() { implementation_->finish(); }
void ModelSink::give_up() { implementation_->give_up(); }
Nanoseconds ModelSink::other_processor_time() const noexcept { return implementation_->other_processor_time(); }
std::uint64_t ModelSink::steps() const noexcept { return implementation_->steps_; }
std::uint64_t ModelSink::returned() const noexcept { return implementation_->returned_; }

}  // namespace ositrace
