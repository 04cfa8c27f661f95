// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>

#include <ositrace/network_source.hpp>

#include "app/osiplay/sink_kinds.hpp"
#include "app/terminal/common_options.hpp"

namespace ositrace::app {

/// A socket; says when it waits for a receiver, and at the end how many frames found none.
[[nodiscard]] MadeSink make_network_sink(const SinkRequest& request, const SinkSurroundings& around);

/// The live stream that stands where a trace could. Says where it waits for the first message, and which messages were
/// lost. The surroundings must outlive it.
[[nodiscard]] std::unique_ptr<FrameSource> open_network_source(const std::string& address, const InputOptions& input,
                                                               const SinkSurroundings& around);

}  // namespace ositrace::app
