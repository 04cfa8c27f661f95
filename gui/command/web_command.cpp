// SPDX-License-Identifier: MPL-2.0
#include "gui/command/web_command.hpp"

#include <filesystem>

#include <ositrace/check_report.hpp>

#include "gui/command/progress_line.hpp"
#include "gui/command/requested_scene.hpp"
#include "gui/command/requested_section.hpp"
#include "gui/command/video_command.hpp"
#include "gui/viewer/viewer.hpp"
#include "gui/web/scene_page.hpp"

namespace ositrace::gui {

void write_web_page(const ViewOptions& options, const HeldSignals& held)
{
    const auto application = offscreen_application();
    Viewer viewer;
    viewer.open(paths_of(options.files), options.type);
    wait_until_read(viewer, held);
    auto page = scene_page_of(viewer);
    page.section = requested_section(options, viewer);
    page.dark = options.theme.value_or(Theme::dark) == Theme::dark;
    page.points_per_cloud = options.points;
    for (const auto& report : options.reports) {
        const auto file = std::filesystem::path(report.toStdString());
        const auto findings = read_check_report(file);
        const auto rows = rows_of(findings, report, *page.channels);
        if (findings.left_out != 0)
            page.notes.push_back(file.filename().string() + ": " + std::to_string(findings.left_out) +
                                 " more findings are left out");
        page.marks.insert(page.marks.end(), rows.begin(), rows.end());
    }
    for (const auto& note : viewer.session_problems()) print_error(note.toStdString());
    std::stop_source stop;
    WrittenPage written;
    {
        const ProgressLine line(0);
        written =
            write_page(page, options.web.toStdString(), options.overwrite, stop.get_token(), [&](std::uint64_t frames) {
                line.show(frames);
                if (held.has_one()) stop.request_stop();
            });
    }
    const bool is_stream = options.web == QLatin1String("-");
    print_line(page_summary(written, is_stream ? QStringLiteral("standard output") : options.web), is_stream);
}

}  // namespace ositrace::gui
