// SPDX-License-Identifier: MPL-2.0
#include "gui/command/requested_section.hpp"

#include <algorithm>
#include <cstdio>

#include <QEventLoop>
#include <QTimer>

#include <ositrace/error.hpp>

#include "gui/command/requested_scene.hpp"
#include "gui/command/video_command.hpp"
#include "gui/playback/time_text.hpp"
#include "gui/text/quantity.hpp"
#include "gui/viewer/viewer.hpp"

namespace ositrace::gui {

namespace {

/// A bound of `--time A..B`.
Nanoseconds bound_of(const std::string& text, Viewer& viewer)
{
    const auto time = parse_time(text, {*viewer.playback().extent(), viewer.zero_time()});
    if (!time) throw Error(Cause::mismatch, "--time: '" + text + "' cannot be shown: this trace has no calendar time");
    if (const auto* const number = std::get_if<std::uint64_t>(&*time)) {
        const auto& channel = (*viewer.session().channels())[viewer.session().active()];
        return channel.time_of(*number);
    }
    return std::get<Nanoseconds>(*time);
}

}  // namespace

void wait_until_read(Viewer& viewer, const HeldSignals& held)
{
    QTimer wakes;  // a signal is no event
    constexpr int signal_check_ms = 50;
    wakes.start(signal_check_ms);
    auto& session = viewer.session();
    while (!session.is_complete()) {
        held.refuse_any();
        if (session.all_opened()) refuse_unopened(session);
        QEventLoop().processEvents(QEventLoop::WaitForMoreEvents);
    }
    refuse_unopened(session);
    if (viewer.playback().can_play()) return;
    const auto problems = viewer.problems();
    throw Error(Cause::io,
                problems.empty() ? "no message to show" : "no message to show: " + problems.front().toStdString());
}

TimeSection requested_section(const ViewOptions& options, Viewer& viewer)
{
    const auto whole = *extent_of(*viewer.session().channels());
    auto section = whole;
    if (const auto typed = split_section(options.time)) {
        if (!typed->from.empty()) section.from = bound_of(typed->from, viewer);
        if (!typed->to.empty()) section.to = bound_of(typed->to, viewer);
    }
    const auto text = [](const TimeSection& each) {
        return (seconds_text(each.from) + QStringLiteral(" to ") + seconds_text(each.to)).toStdString();
    };
    const TimeSection common{std::max(section.from, whole.from), std::min(section.to, whole.to)};
    if (section.from >= whole.to || section.to <= whole.from)
        throw Error(Cause::mismatch, "--time: " + options.time + " is outside of the trace, " + text(whole));
    if (common.from >= common.to)
        throw Error(Cause::usage, "--time: " + options.time + " is empty: B must be later than A");
    if (common != section) print_error("--time: shortened to the times of the trace, " + text(whole));
    return common;
}

void print_line(const QString& line, bool to_standard_error)
{
    auto* const to = to_standard_error ? stderr : stdout;
    if (std::fprintf(to, "%s\n", qUtf8Printable(line)) < 0 || std::fflush(to) != 0)
        throw Error(Cause::io, {.file = "standard output"}, "the summary cannot be printed");
}

}  // namespace ositrace::gui
