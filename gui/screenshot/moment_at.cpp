// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/moment_at.hpp"

#include <algorithm>

#include <QEventLoop>

#include <ositrace/error.hpp>

#include "gui/window/viewer.hpp"

namespace ositrace::gui {

namespace {

/// A file that is not opened is an error, even if its first messages are known; one that breaks somewhere is shown as
/// far as it goes.
void refuse_unopened(const Session& session)
{
    for (const auto& trace : session.traces()) {
        if (!trace.whole) throw Error(Cause::io, trace.problem.toStdString());
    }
}

bool is_found(Viewer& viewer, bool waits_for_index)
{
    return viewer.session().all_opened() && (!waits_for_index || viewer.session().is_complete()) &&
           viewer.is_settled() && viewer.moment();
}

bool shows_nothing(const Moment& moment)
{
    return std::none_of(moment.channels.begin(), moment.channels.end(),
                        [](const ShownFrame& shown) { return shown.frame.has_value(); });
}

}  // namespace

FoundMoment moment_at(const std::vector<std::filesystem::path>& files, const std::string& time,
                      std::optional<MessageType> type)
{
    Viewer viewer;
    viewer.open(files, type);
    if (!time.empty() && !viewer.go_to(time)) {
        throw Error(
            Cause::usage,
            "'" + time + "' is no time: 12.5, +3 from the start, -3 from the end, #42 a message, 2021-08-18T15:05:42Z");
    }
    const auto& session = viewer.session();
    const bool waits_for_index =
        !time.empty() || files.size() > 1;  // where they begin says nothing of what the others have then
    while (true) {
        if (session.all_opened()) refuse_unopened(session);
        if (is_found(viewer, waits_for_index) || (session.is_complete() && session.channels()->empty())) break;
        QEventLoop turn;
        turn.processEvents(QEventLoop::WaitForMoreEvents);
    }
    FoundMoment found{.moment = viewer.moment()};
    if (viewer.is_out_of_reach()) throw Error(Cause::usage, viewer.problems().front().toStdString());
    for (const auto& line : viewer.problems()) found.problems.push_back(line.toStdString());
    if (!found.moment || shows_nothing(*found.moment)) {
        throw Error(Cause::io,
                    found.problems.empty() ? "no message to show" : "no message to show: " + found.problems.front());
    }
    return found;
}

}  // namespace ositrace::gui
