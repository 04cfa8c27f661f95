// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <ositrace/trace.hpp>

namespace ositrace {

/// Finds the frame with the map for a frame that has none, because its writer sent the map once. The result depends on
/// the trace alone, not on earlier calls: the nearest frame with a map among the previous `frames_before` (fewer if
/// they are large), else the last one among the first `first_frames`. A map that is sent again in the middle of the
/// trace is found only for the frames shortly after it; for a whole trace use expand_static(). A trace without a road
/// has that of the map beside it (Trace::map_beside()), if there is one; one that replaces is always the result.
/// Results are kept: each frame is read once. Use one MapFinder per thread. Memory: a few bytes per frame read.
class MapFinder {
public:
    static constexpr std::uint64_t frames_before = 32;
    static constexpr std::uint64_t bytes_before = 32 << 20;  ///< limits them: a seek must not read many large ones
    static constexpr std::uint64_t first_frames = 4;

    struct Found {
        Frame frame;
        std::uint64_t number = 0;  ///< in its channel
        std::string beside = {};   ///< name of the map beside the trace (MapBeside); empty: it is in the trace
        bool replaces = false;     ///< as MapBeside::replaces
    };

    explicit MapFinder(std::shared_ptr<const Trace> trace);
    MapFinder(MapFinder&&) noexcept;
    MapFinder& operator=(MapFinder&&) noexcept;
    ~MapFinder();

    /// The frame that has the map for frame `number` of a channel, whose content is `frame`. nullopt if this frame has
    /// a map itself, if messages of its type have no map, or if no map is found. A frame that cannot be read is
    /// skipped. A stop request ends the search with nullopt.
    [[nodiscard]] std::optional<Found> find(std::uint32_t channel, std::uint64_t number, const Frame& frame,
                                            std::stop_token stop = {});

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
