// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/check.hpp>

namespace ositrace::gui {

/// How many frames break a rule: by its id, then by the topic of the channel.
using BrokenFrames = std::map<std::string, std::map<std::string, std::uint64_t, std::less<>>, std::less<>>;

/// Where findings are that no list holds, so that the timeline is marked to its end. Bounded: of each kind some
/// thousand places are kept; of more, neighbours become one.
class UnlistedFindings {
public:
    static constexpr std::size_t most_places = 4096;  ///< of a kind

    /// Findings of one kind in neighbouring frames.
    struct Place {
        Finding finding;  ///< the first of them; message: what ought to be
        std::uint64_t count = 0;
    };

    void add(const UnlistedFinding& finding);
    [[nodiscard]] std::vector<Place> places() const;
    /// Frames of each channel that have findings, by the id of the rule and the channel's topic.
    [[nodiscard]] const BrokenFrames& frames() const noexcept { return frames_; }

private:
    struct Kind {
        std::map<std::uint64_t, Place> by_frame;
        std::uint64_t frames_in_place = 1;
        std::optional<std::uint64_t> last_frame;
        void thin_out();
    };
    std::map<std::string, Kind, std::less<>> kinds_;  ///< by id
    BrokenFrames frames_;
};

}  // namespace ositrace::gui
