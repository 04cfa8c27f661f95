// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/session/moment.hpp"

namespace ositrace::gui {

/// What some files show at a time.
struct FoundMoment {
    std::shared_ptr<const Moment> moment;
    std::vector<std::string> problems;  ///< what could not be shown all the same, a line each
};

/// Waits until the files are open and the time is reached, as the window does; needs a QCoreApplication. `time` empty:
/// the first message. `type`: of files that do not say it. Throws Error: what opening a file throws, usage for a time
/// that is none, io when there is nothing to show.
[[nodiscard]] FoundMoment moment_at(const std::vector<std::filesystem::path>& files, const std::string& time,
                                    std::optional<MessageType> type = {});

}  // namespace ositrace::gui
