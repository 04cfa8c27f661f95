// SPDX-License-Identifier: MPL-2.0
#include "gui/statistics/unlisted_findings.hpp"

#include <utility>

namespace ositrace::gui {

void UnlistedFindings::add(const UnlistedFinding& finding)
{
    if (!finding.frame) return;
    auto found = kinds_.find(finding.kind.id);
    if (found == kinds_.end()) found = kinds_.try_emplace(finding.kind.id).first;
    auto& kind = found->second;
    const auto channel = std::string(finding.channel.substr(0, 4096));
    if (std::exchange(kind.last_frame, finding.frame) != finding.frame) ++frames_[finding.kind.id][channel];
    const auto [at, is_new] = kind.by_frame.try_emplace(*finding.frame / kind.frames_in_place);
    auto& place = at->second;
    ++place.count;
    if (!is_new) return;
    place.finding = {.id = finding.kind.id,
                     .severity = finding.kind.severity,
                     .file = {},
                     .frame = finding.frame,
                     .time = finding.time,
                     .byte = {},
                     .channel = channel,
                     .field = {},
                     .message = finding.kind.description};
    if (kind.by_frame.size() > most_places) kind.thin_out();
}

void UnlistedFindings::Kind::thin_out()
{
    frames_in_place *= 2;
    for (auto& [frame, place] : std::exchange(by_frame, {})) {
        auto& both = by_frame[frame / 2];
        if (both.count == 0) both.finding = std::move(place.finding);
        both.count += place.count;
    }
}

std::vector<UnlistedFindings::Place> UnlistedFindings::places() const
{
    std::vector<Place> places;
    for (const auto& [id, kind] : kinds_)
        for (const auto& [frame, place] : kind.by_frame) places.push_back(place);
    return places;
}

}  // namespace ositrace::gui
