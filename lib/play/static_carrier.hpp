// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <ositrace/edit/static.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Adds static data that a trace sends only once to the first frames that are played.
/// - The first frame of a channel receives the static part of the frames before it that it lacks. If it has all that
///   the first frames of the channel have, only those are read; otherwise all frames before it are, once per starting
///   point: later rounds of a loop reuse the result.
/// - Where the trace has no road, that frame receives the map beside the trace (Trace::map_beside()).
/// - A channel whose only frame lies before the start delivers it with the first step: a map, a calibration.
/// One thread at a time.
class StaticCarrier {
public:
    using OnCarry = std::function<void(const CarriedPart&)>;
    /// `on_carry`: see PlayOptions. The trace must outlive it.
    StaticCarrier(const Trace& trace, OnCarry on_carry);
    ~StaticCarrier();

    /// The next frame of each channel is its first one at or after `time`.
    void begin_at(Nanoseconds time);
    /// No frame lies before the next one.
    void begin_at_first_frame();
    /// The only frames of their channels, if they lie before the start; in the order of channels, once per start.
    [[nodiscard]] std::vector<Frame> sent_once();
    /// Completes a frame, in the order of the trace. Throws Error naming the frame. After a stop the frame stays
    /// unchanged.
    void complete(Frame& frame, const std::stop_token& stop);
    /// Completes frame number `place` of its channel, in any order.
    void complete(Frame& frame, std::uint64_t place, const std::stop_token& stop);

private:
    struct ChannelState;
    [[nodiscard]] std::optional<std::uint64_t> before_first_frame(std::uint32_t channel) const;
    void carry_into(Frame& frame, ChannelState& channel, std::uint64_t place, const std::stop_token& stop);

    const Trace& trace_;
    OnCarry on_carry_;
    std::vector<ChannelState> channels_;
    std::optional<Nanoseconds> start_;
    std::vector<std::uint32_t> sent_once_;       ///< channels
    std::optional<Nanoseconds> reported_start_;  ///< reported to on_carry_
};

}  // namespace ositrace
