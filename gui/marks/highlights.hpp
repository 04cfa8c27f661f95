// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include <QString>

#include <ositrace/picture.hpp>
#include <ositrace/traffic_frame.hpp>
#include <ositrace/traffic_table.hpp>

#include "gui/marks/event_row.hpp"

namespace ositrace::gui {

/// A moment that one looks for first in a trace.
struct Highlight {
    QString what;  ///< `hardest braking`, `red light`
    QString text;  ///< `object 2, -4.44 m/s²`
    Nanoseconds time{};
    std::uint64_t id = 0;  ///< of the object or the light
    Category category = Category::moving_object;
    friend bool operator==(const Highlight&, const Highlight&) = default;
};

/// Finds the hardest braking and the hardest acceleration of a channel, however gentle (0.1 m/s² is the least), by the
/// definitions of the table `events`, and when lights become red. One thread at a time.
class HighlightFinder {
public:
    static constexpr std::size_t most_red_lights = 4;  ///< the first ones, at different times

    /// A channel that `events` reads.
    explicit HighlightFinder(const Channel& channel);
    HighlightFinder(HighlightFinder&&) noexcept;
    HighlightFinder& operator=(HighlightFinder&&) noexcept;
    ~HighlightFinder();
    /// The next message. Throws Error with the place in the payload.
    void add(const Frame& frame, const Channel& channel);
    /// Call once, after the last message.
    [[nodiscard]] std::vector<Highlight> finish(const TimesRead& times);

private:
    class Extremes;

    std::unique_ptr<TrafficTable> motion_;
    std::unique_ptr<Extremes> extremes_;
    TrafficReader lights_;
    std::set<std::uint64_t> red_;  ///< now
    std::vector<Highlight> red_lights_;
};

}  // namespace ositrace::gui
