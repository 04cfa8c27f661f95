// SPDX-License-Identifier: MPL-2.0
// What the first ground truth of a trace says about the map beside it.
#pragma once

#include <optional>
#include <vector>

#include <ositrace/message_view.hpp>
#include <ositrace/trace_map.hpp>

namespace ositrace {

struct TruthPlace {
    double x = 0, y = 0;
    std::optional<double> z = {};  ///< empty: not stated
};

/// A Vector3d.
[[nodiscard]] TruthPlace truth_place(const std::optional<MessageView>& vector);

struct FirstTruth {
    MapFrame frame;
    std::vector<TruthPlace> objects;  ///< places of the moving ones
};

/// Of the first ground truth in a frame of this channel; empty where there is none, or it cannot be read.
[[nodiscard]] std::optional<FirstTruth> first_truth_in(const Frame& frame, const Channel& channel);

/// Of the first frame of the first channel that has one; all empty where none has.
[[nodiscard]] FirstTruth first_truth_of(const Trace& trace);

}  // namespace ositrace
