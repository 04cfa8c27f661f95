// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ositrace/check.hpp>

namespace ositrace::gui {

/// Where findings are that no list holds, so that the timeline is marked to its end. Bounded: of each kind some thousand places are kept;
/// of more, neighbours become one.
class UnlistedFindings {
public:
    static constexpr std::size_t most_places = 4096;  ///< of a kind

    /// Findings of one kind in neighbouring frames.
    struct Place {
        Finding finding;          ///< the first of them; message: what ought to be
        std::uint64_t count = 0;
    };

    void add(const UnlistedFinding& finding);
    [[nodiscard]] std::vector<Place> places() const;

private:
    struct Kind {
        std::map<std::uint64_t, Place> by_frame;
        std::uint64_t frames_in_place = 1;
        void thin_out();
    };
    std::map<std::string, Kind, std::less<>> kinds_;  ///< by id
};

}  // namespace ositrace::gui
