// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/channel_lane.hpp"

#include <QPainter>
#include <QPalette>

namespace ositrace::gui {

namespace {

/// Messages further apart than this many steps leave a gap.
constexpr double gap_steps = 2.5;
constexpr double least_tick_distance = 4;

struct LaneColours {
    QColor bar;
    QColor tick;
};

LaneColours colours_of(const QPalette& palette, bool active, bool shown)
{
    auto bar = active ? palette.color(QPalette::Highlight) : palette.color(QPalette::Mid);
    auto tick = active ? palette.color(QPalette::Highlight) : palette.color(QPalette::WindowText);
    bar.setAlphaF(shown ? 0.55F : 0.2F);
    tick.setAlphaF(shown ? 0.9F : 0.35F);
    return {bar, tick};
}

/// In nanoseconds, of times from a file: their difference may not fit in Nanoseconds.
double between(Nanoseconds from, Nanoseconds to) noexcept
{
    return static_cast<double>(to.count()) - static_cast<double>(from.count());
}

/// Is this time between two messages that follow each other?
bool is_covered(const OpenChannel& channel, Nanoseconds time, double longest)
{
    const auto number = channel.last_until(time);
    if (!number) return false;
    const auto begin = channel.time_of(*number);
    if (*number + 1 >= channel.times->count) return between(begin, time) <= longest;
    return between(begin, channel.time_of(*number + channel.times->stride)) <=
           longest * static_cast<double>(channel.times->stride);
}

bool has_message(const OpenChannel& channel, Nanoseconds from, Nanoseconds to)
{
    const auto last = channel.last_until(to > from ? to - Nanoseconds(1) : from);
    return last && channel.time_of(*last) >= from;
}

}  // namespace

void paint_channel_lane(QPainter& painter, const QRect& lane, const OpenChannel& channel, const TimeScale& scale,
                        const QPalette& palette, bool active)
{
    const auto step = channel.times->typical_step();
    const auto colours = colours_of(palette, active, channel.shown);
    const auto bar = lane.adjusted(0, lane.height() / 4, 0, -lane.height() / 4);
    const auto longest = step ? gap_steps * static_cast<double>(step->count()) : 0.0;
    const bool room = !step || scale.x_of(shifted(scale.section().from, *step)) - scale.left() >= least_tick_distance;
    for (int x = lane.left(); x <= lane.right(); ++x) {
        const auto from = scale.time_at(x);
        const auto to = scale.time_at(x + 1);
        const bool message = has_message(channel, from, to);
        if (message || is_covered(channel, from, longest)) painter.fillRect(x, bar.top(), 1, bar.height(), colours.bar);
        if (message && room) painter.fillRect(x, lane.top() + 2, 1, lane.height() - 4, colours.tick);
    }
}

}  // namespace ositrace::gui
