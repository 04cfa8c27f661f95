// SPDX-License-Identifier: MPL-2.0
#include "gui/command/screenshot.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <QEventLoop>

#include <ositrace/error.hpp>

#include "gui/command/requested_scene.hpp"
#include "gui/screenshot/arranged_images.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/session/snapshot.hpp"
#include "gui/viewer/viewer.hpp"

namespace ositrace::gui {

namespace {

bool shows_nothing(const Snapshot& snapshot)
{
    return std::none_of(snapshot.channels.begin(), snapshot.channels.end(),
                        [](const ShownFrame& shown) { return shown.frame.has_value(); });
}

/// Waits until the files are open and the time is reached, as the window does; needs a QCoreApplication. Throws Error:
/// what opening a file throws, usage for an invalid time, io if there is nothing to show.
void open_at_time(Viewer& viewer, const std::vector<std::filesystem::path>& files, const ViewOptions& options)
{
    viewer.open(files, options.type);
    if (!options.time.empty()) viewer.go_to(options.time);
    const auto& session = viewer.session();
    // With several files the first one does not determine what the others contain at its beginning.
    const bool needs_index = !options.time.empty() || files.size() > 1;
    const auto is_reached = [&] {
        return session.all_opened() && (!needs_index || session.is_complete()) && viewer.is_settled() &&
               viewer.snapshot();
    };
    while (true) {
        if (session.all_opened()) refuse_unopened(session);
        if (is_reached() || (session.is_complete() && session.channels()->empty())) break;
        QEventLoop().processEvents(QEventLoop::WaitForMoreEvents);
    }
    const auto problems = viewer.problems();
    if (viewer.is_out_of_reach()) throw Error(Cause::mismatch, problems.front().toStdString());
    if (viewer.snapshot() && !shows_nothing(*viewer.snapshot())) return;
    throw Error(Cause::io,
                problems.empty() ? "no message to show" : "no message to show: " + problems.front().toStdString());
}

QImage image_of_scene(const ViewOptions& options)
{
    auto scene = arranged_scene(options);
    const auto files = paths_of(options.files);
    Viewer viewer;
    viewer.set_trail(scene.trail);
    open_at_time(viewer, files, options);
    for (const auto& problem : viewer.problems()) print_error(problem.toStdString());
    const auto& snapshot = *viewer.snapshot();
    const auto& first = scene.first.state;
    refuse_colouring(first, *snapshot.picture);
    if (!first.options.cloud_field.empty() && snapshot.picture->clouds.empty())
        print_error("nothing is coloured by '" + first.options.cloud_field + "': no points are shown at this time");
    ArrangedImages images(std::move(scene), options.size);
    auto image = images.draw({.picture = snapshot.picture,
                              .time = viewer.shown_time(),
                              .files = caption_of(files),
                              .channels = names_of(*viewer.session().channels()),
                              .notes = viewer.problems(),
                              .marks = {}});
    if (!images.why_painted().empty()) print_error("drawn from above by Qt's painter: " + images.why_painted());
    return image;
}

}  // namespace

void take_screenshot(const ViewOptions& options)
{
    const std::filesystem::path output = options.screenshot.toStdString();
    refuse_existing(output, options.overwrite);
    const auto application = offscreen_application();
    write_png(image_of_scene(options), output, options.overwrite);
}

}  // namespace ositrace::gui
