// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <ositrace/performance_log.hpp>
#include <ositrace/player.hpp>

namespace ositrace::app {

/// `--log`: the player is a source in the words of the studies. StartSourceCalc is when a frame was due (at `max`: when
/// the step in front of it ended), StartOSISerialize when it was handed to the first sink, StopOSISerialize when the
/// last sink had taken it.
class PlayLog {
public:
    /// The file is made at once, so that what is wrong with it is said before anything is played. Throws Error (exists,
    /// io).
    PlayLog(const std::filesystem::path& file, bool overwrite);

    void step_is_due(const PlayStatus& status, bool at_a_rate);
    void step_was_taken(const PlayStatus& status);
    /// Throws Error (io).
    void close();

private:
    void add(PerformanceEvent event, Nanoseconds at, const PlayStatus& status);

    std::map<std::string, std::uint32_t, std::less<>> messages_;  ///< by type name: its place in the log's list
    PerformanceLog log_;
    std::optional<Nanoseconds> last_taken_;
};

}  // namespace ositrace::app
