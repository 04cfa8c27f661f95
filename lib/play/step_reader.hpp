// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <stop_token>

#include "lib/play/section_reader.hpp"

namespace ositrace {

/// Reads the steps of a replay in order.
class StepReader {
public:
    virtual ~StepReader() = default;
    /// nullopt at the end, or if a stop was requested.
    virtual std::optional<DueStep> next(const std::stop_token& stop) = 0;
    virtual void seek(Moment moment) = 0;
};

/// One step per time: frames of several channels with the same time form a step; a second one of a channel is a step of
/// its own. Each frame of a live source is a step, because the reader does not wait for the next one.
class MomentReader final : public StepReader {
public:
    MomentReader(SectionReader& reader, bool together) : reader_(reader), together_(together) {}

    std::optional<DueStep> next(const std::stop_token& stop) override;
    void seek(Moment moment) override;

private:
    [[nodiscard]] bool joins(const DueStep& step) const;

    SectionReader& reader_;
    bool together_;
    std::optional<DueFrame> ahead_;  ///< already read, but part of the next step
    std::exception_ptr failure_;     ///< of reading it; thrown after the previous step
};

/// At every multiple of a step, counted from the start: the last frame of every channel at or before it, even if it
/// lies before the section. Ticks without a frame are skipped.
class HoldReader final : public StepReader {
public:
    HoldReader(SectionReader& reader, const PlayedSource& source, const PlayedSection& section, Nanoseconds step);

    std::optional<DueStep> next(const std::stop_token& stop) override;
    void seek(Moment moment) override;

private:
    void begin_round(std::uint64_t round);
    void hold_frames_before(Nanoseconds time, const std::stop_token& stop);
    bool read_ahead(const std::stop_token& stop);
    bool find_start(const std::stop_token& stop);
    bool hold_up_to(Nanoseconds tick, const std::stop_token& stop);
    [[nodiscard]] std::optional<Nanoseconds> tick_time() const noexcept;
    void pass_over_empty_ticks();
    [[nodiscard]] std::uint64_t first_tick_at(Nanoseconds time) const noexcept;

    SectionReader& reader_;
    PlayedSource source_;
    PlayedSection section_;
    Nanoseconds step_;
    std::optional<Nanoseconds> start_;  ///< the first tick; of a live source the time of its first frame
    std::uint64_t round_ = 0;
    std::uint64_t tick_ = 0;                ///< of the round; the next one
    std::optional<Nanoseconds> held_from_;  ///< frames before it are not held yet
    std::optional<DueFrame> ahead_;         ///< already read, but not due at the last tick
    bool ended_ = false;                    ///< the source has
    std::exception_ptr failure_;            ///< of reading ahead; thrown after the previous tick
    std::map<std::uint32_t, Frame> held_;   ///< by channel
};

}  // namespace ositrace
