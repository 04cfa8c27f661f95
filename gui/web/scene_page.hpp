// SPDX-License-Identifier: MPL-2.0
// What the viewer shows over time as a web page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <QString>

#include <ositrace/timeline.hpp>
#include <ositrace/web_page.hpp>

#include "gui/marks/event_search.hpp"
#include "gui/marks/mark_list.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

struct CompareChoice;
class Viewer;

struct ScenePage {
    std::shared_ptr<const OpenChannels> channels;
    std::shared_ptr<const CompareChoice> compared;  ///< null: nothing
    TimeSection section;                            ///< both ends are included
    std::string title;
    bool dark = true;                  ///< the theme of a browser that states none
    std::size_t points_per_cloud = 0;  ///< 0: clouds are left out
    std::vector<MarkList::Row> marks;  ///< of its timeline, beside the events of traffic
    TrafficOptions event_options = gui::event_options();
    std::vector<std::string> notes;  ///< what is left out
};

struct WrittenPage {
    std::uint64_t frames = 0;
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
    TimeSection times;  ///< of its first and last picture
};

/// All that a viewer shows that has read everything; it must show something.
[[nodiscard]] ScenePage scene_page_of(Viewer& viewer);

/// `300 frames, 12 events, 0.000 s to 10.000 s, 0.12 MB: drive.html`
[[nodiscard]] QString page_summary(const WrittenPage& written, const QString& file);

/// `on_progress`: may be empty. Reads the pictures of all times at which a channel has a message, and what happens in
/// the whole traces, and writes the file.
/// Any thread. Throws Error: cancelled, exists (without `overwrite`), io, unsupported.
WrittenPage write_page(const ScenePage& page, const std::filesystem::path& file, bool overwrite,
                       const std::stop_token& stop, const std::function<void(std::uint64_t frames)>& on_progress);

}  // namespace ositrace::gui
