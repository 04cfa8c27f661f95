// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>

#include "app/bench/core/report.hpp"
#include "app/bench/core/sample.hpp"

namespace ositrace::bench {

/// Protobuf or FlatBuffers? What the rounds of the other verbs have found on a sample, in a table and some sentences.
[[nodiscard]] Table short_answer(const Sample& sample, std::span<const RoundResult> rounds);

}  // namespace ositrace::bench
