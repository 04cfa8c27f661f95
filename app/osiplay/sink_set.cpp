// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/sink_set.hpp"

#include <algorithm>

#include <ositrace/error.hpp>

#include "app/terminal/printable.hpp"

namespace ositrace::app {

SinkSet::SinkSet(const std::vector<RequestedSink>& requested, const std::filesystem::path& trace,
                 const SinkSurroundings& around)
{
    std::vector<SteppedModel> models;
    std::vector<ModelOutput> outputs;
    std::vector<FrameSink*> recordings;
    for (const auto& [kind, request] : requested) {
        auto& made = made_.emplace_back(kind->make(request, around));
        if (made.model) {
            if (request.file.words.contains("name") &&
                std::ranges::find(models, made.name, &SteppedModel::name) != models.end())
                throw Error(Cause::usage, "two models are named '" + made.name + "'");
            models.push_back({made.model.get(), made.name, made.topics});
        } else if (kind->role == SinkRole::record) {
            recordings.push_back(made.sink.get());
            outputs.push_back(
                {made.sink.get(), request.file.words.contains("inputs"), request.file.words.contains("held")});
        } else {
            sinks_.push_back(made.sink.get());
        }
    }
    records_ = !recordings.empty();
    if (models.empty()) {
        sinks_.insert(sinks_.end(), recordings.begin(), recordings.end());
    } else {
        models_ = std::make_unique<
            ModelSink>(std::move(models), std::move(outputs), [trace, &messages = around.messages](const Frame& frame) {
            messages.warning(
                shown_file(trace, "standard input") + ": frame " + std::to_string(frame.index) +
                ": its time is not after that of the step before; such steps of the models last 1 ns (reported once)");
        });
        sinks_.push_back(models_.get());
    }
}

}  // namespace ositrace::app
