// SPDX-License-Identifier: MPL-2.0
#include "gui/web/scene_page.hpp"

#include <optional>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/pending_output.hpp>

#include "gui/screenshot/arranged_scene.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "gui/text/quantity.hpp"
#include "gui/viewer/viewer.hpp"
#include "gui/web/page_events.hpp"

namespace ositrace::gui {

ScenePage scene_page_of(Viewer& viewer)
{
    std::vector<std::filesystem::path> files;
    for (const auto& each : viewer.session().traces()) files.push_back(each.file);
    return {.channels = viewer.session().channels(),
            .compared = viewer.compared(),
            .section = *extent_of(*viewer.session().channels()),
            .title = caption_of(files).toStdString()};
}

QString page_summary(const WrittenPage& written, const QString& file)
{
    constexpr double bytes_per_megabyte = 1e6;
    return QStringLiteral("%1, %2, %3 to %4, %5 MB: %6")
        .arg(count_text(written.frames, "frame"), count_text(written.events, "event"), seconds_text(written.times.from),
             seconds_text(written.times.to))
        .arg(static_cast<double>(written.bytes) / bytes_per_megabyte, 0, 'f', 2)
        .arg(file);
}

WrittenPage write_page(const ScenePage& page, const std::filesystem::path& file, bool overwrite,
                       const std::stop_token& stop, const std::function<void(std::uint64_t frames)>& on_progress)
{
    WrittenPage written;
    const auto content = [&](const std::function<void(Bytes)>& append) {
        PageEncoder encoder(page.points_per_cloud);
        SnapshotBuilder snapshots(0);
        std::optional<SnapshotRequest> request(std::in_place);
        request->channels = page.channels;
        request->compared = page.compared;
        request->time = page.section.from;
        for (; request && request->time <= page.section.to; request = next_request(*request, 1)) {
            if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped: nothing was written");
            encoder.add(request->time, *snapshots.build(*request)->picture);
            written.times = {page.section.from, request->time};
            if (on_progress) on_progress(encoder.frames());
        }
        PageEvents events{{}, page.notes};
        add_traffic_events(events, *page.channels, page.event_options, stop);
        add_marks(events, page.marks);
        arrange(events, page.section);
        PageFacts facts{.title = page.title,
                        .events = std::move(events.events),
                        .notes = std::move(events.notes),
                        .dark = page.dark};
        for (const auto& channel : *page.channels) facts.sources.push_back(channel.name);
        const auto html = html_page(encoder.finish(facts));
        append(bytes_of(html));
        written.frames = encoder.frames();
        written.events = facts.events.size();
        written.bytes = html.size();
    };
    write_file(file, overwrite, content);
    return written;
}

}  // namespace ositrace::gui
