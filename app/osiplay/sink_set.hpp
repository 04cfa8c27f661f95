// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include <ositrace/model_sink.hpp>

#include "app/osiplay/play_request.hpp"

namespace ositrace::app {

/// The sinks that were asked for, made and put together: models return into recordings; without any model these keep what is played.
class SinkSet {
public:
    /// `trace`: for messages. Throws what the makers throw. The surroundings must outlive it.
    SinkSet(const std::vector<RequestedSink>& requested, const std::filesystem::path& trace, const SinkSurroundings& around);

    /// For the player: live sinks first, because nothing should keep them waiting.
    [[nodiscard]] std::span<FrameSink* const> sinks() const noexcept { return sinks_; }
    [[nodiscard]] const ModelSink* models() const noexcept { return models_.get(); }

private:
    std::vector<MadeSink> made_;
    std::unique_ptr<ModelSink> models_;
    std::vector<FrameSink*> sinks_;
};

}  // namespace ositrace::app
