// SPDX-License-Identifier: MPL-2.0
// What happens in the traces of a web page, for its timeline.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/web_page.hpp>

#include "gui/marks/mark_list.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

struct PageEvents {
    static constexpr std::size_t most = 10'000;

    std::vector<PageEvent> events;
    std::vector<std::string> notes;  ///< what is left out, and why
};

/// Those of all channels with ground truth, from files that do not grow (see events_of()). Throws Error (cancelled).
void add_traffic_events(PageEvents& to, const OpenChannels& channels, const TrafficOptions& options,
                        const std::stop_token& stop);

/// Bookmarks and findings.
void add_marks(PageEvents& to, const std::vector<MarkList::Row>& rows);

/// In the order of their times, without those outside of a section.
void arrange(PageEvents& events, const TimeSection& section);

}  // namespace ositrace::gui
