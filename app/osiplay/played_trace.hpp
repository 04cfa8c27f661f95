// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <stop_token>

#include <ositrace/trace.hpp>

#include "app/osiplay/play_request.hpp"
#include "app/terminal/static_text.hpp"

namespace ositrace::app {

/// What is played: a trace that can be sought in, or a stream.
struct PlayedTrace {
    std::shared_ptr<const Trace> trace;
    std::unique_ptr<FrameSource> stream;  ///< where `trace` is null: begins with --time, has the channels of --topic
    TimeSpan time;                        ///< --time, resolved
};

/// Throws Error, cancelled when the stop comes before a stream has begun. `carried` and `around` must outlive the
/// stream.
[[nodiscard]] PlayedTrace open_played(const PlayRequest& request, CarriedReport& carried,
                                      const SinkSurroundings& around);

}  // namespace ositrace::app
