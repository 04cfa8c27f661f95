// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include <ositrace/model_sink.hpp>

#include "app/osiplay/play_request.hpp"

namespace ositrace::app {

/// The sinks that were asked for, made and put together: models return into recordings; without any model these keep
/// what is played.
class SinkSet {
public:
    /// `trace`: for messages. Throws what the makers throw. The surroundings must outlive it.
    SinkSet(const std::vector<RequestedSink>& requested, const std::filesystem::path& trace,
            const SinkSurroundings& around);

    /// For the player: live sinks first, because nothing should keep them waiting.
    [[nodiscard]] std::span<FrameSink* const> sinks() const noexcept { return sinks_; }
    /// Models have returned no message, and a recording was to keep them.
    [[nodiscard]] bool records_nothing_of_models() const noexcept
    {
        return models_ && records_ && models_->returned() == 0;
    }

private:
    std::vector<MadeSink> made_;
    std::unique_ptr<ModelSink> models_;
    bool records_ = false;
    std::vector<FrameSink*> sinks_;
};

}  // namespace ositrace::app
