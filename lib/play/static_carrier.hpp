// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <ositrace/edit_static.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Carries what was sent once to wherever playing begins.
/// - The first frame of a channel gets the static part that the frames in front of it had and it lacks. A frame that
/// has all that the first
///   frames of its channel have needs no more than a look at those; for another one all frames in front are read, once
///   for a starting point: rounds of a loop take what was found in the first.
/// - A channel that has one frame in all, and in front of the start, gives it to the first step: a map, a calibration.
/// One thread at a time.
class StaticCarrier {
public:
    using OnCarry = std::function<void(const CarriedPart&)>;
    /// `on_carry`: see PlayOptions. The trace must outlive it.
    StaticCarrier(const Trace& trace, OnCarry on_carry);
    ~StaticCarrier();

    /// The next frame of each channel is the first one at or behind `time`.
    void begin_at(Nanoseconds time);
    /// Nothing is in front of the next frame.
    void begin_at_first_frame() noexcept;
    /// The frames of channels that have no other, where they are in front of the start; in the order of their channels,
    /// once for each start.
    [[nodiscard]] std::vector<Frame> sent_once();
    /// A frame in the order of the trace. Throws Error naming the frame. A stop leaves it as it is.
    void complete(Frame& frame, const std::stop_token& stop);
    /// Frame number `place` of its channel, in no order.
    void complete(Frame& frame, std::uint64_t place, const std::stop_token& stop);

private:
    struct ChannelState;
    void carry_into(Frame& frame, ChannelState& channel, std::uint64_t place, const std::stop_token& stop);
    [[nodiscard]] std::optional<Frame> completed(const Frame& frame, std::uint64_t place,
                                                 const std::stop_token& stop) const;

    const Trace& trace_;
    OnCarry on_carry_;
    std::vector<ChannelState> channels_;
    std::optional<Nanoseconds> start_;
    std::vector<std::uint32_t> sent_once_;       ///< channels
    std::optional<Nanoseconds> told_sent_once_;  ///< the start of which on_carry_ knows
};

}  // namespace ositrace
