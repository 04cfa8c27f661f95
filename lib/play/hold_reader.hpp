// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "lib/play/moment_reader.hpp"

namespace ositrace {

/// At every multiple of a step, counted from the start, the last frame at or before it of every channel: also one from
/// in front of the section. Ticks without any frame are passed over.
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
    std::optional<Nanoseconds> held_from_;  ///< frames in front of it are still to be held
    std::optional<DueFrame> ahead_;         ///< read, and not yet due at the last tick
    bool ended_ = false;                    ///< the source has
    std::exception_ptr failure_;            ///< of reading ahead, behind the tick in front
    std::map<std::uint32_t, Frame> held_;   ///< by channel
};

}  // namespace ositrace
