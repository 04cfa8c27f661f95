// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/sink_set.hpp"

#include <algorithm>

#include "app/osiplay/recording.hpp"

namespace ositrace::app {
namespace {

/// What stands in front of a model's topics: `DummySensor` of `fmu:out/DummySensor.fmu`.
std::string name_of(const SinkRequest& request)
{
    const auto stem = std::filesystem::path(request.rest).stem().string();
    return stem.empty() ? request.text : stem;
}

}  // namespace

SinkSet::SinkSet(const std::vector<RequestedSink>& requested, const SinkSurroundings& around)
{
    std::vector<SteppedModel> models;
    std::vector<ModelOutput> outputs;
    std::vector<FrameSink*> recordings;
    for (const auto& [kind, request] : requested) {
        auto& made = made_.emplace_back(kind->make(request, around));
        if (made.model) {
            models.push_back({made.model.get(), name_of(request)});
        } else if (kind->role == SinkRole::record) {
            recordings.push_back(made.sink.get());
            outputs.push_back({made.sink.get(), parse_record(request.rest).with_inputs});
        } else {
            sinks_.push_back(made.sink.get());
        }
    }
    if (models.empty()) {
        sinks_.insert(sinks_.end(), recordings.begin(), recordings.end());
    } else {
        models_ = std::make_unique<ModelSink>(std::move(models), std::move(outputs));
        sinks_.push_back(models_.get());
    }
}

}  // namespace ositrace::app
