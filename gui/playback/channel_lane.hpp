// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QRect>

#include "gui/playback/time_scale.hpp"
#include "gui/session/open_channel.hpp"

class QPainter;
class QPalette;

namespace ositrace::gui {

/// The messages of a channel in its lane of the timeline: a bar where they follow each other, open where there are
/// none, ticks where there is room for them. Cost: that of the pixels, not of the messages.
void paint_channel_lane(QPainter& painter, const QRect& lane, const OpenChannel& channel, const TimeScale& scale,
                        const QPalette& palette, bool active);

}  // namespace ositrace::gui
