// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>

#include <QString>

namespace ositrace::gui {

class ViewerWindow;

/// Prints how soon the first picture and the whole first frame were there since `begun`, how long seeks take, how many
/// messages a second are shown, how long the GUI thread was blocked at most, and the resident memory, that also while
/// it plays. Files were opened just now. Empty, or why it could not.
[[nodiscard]] QString run_benchmark(ViewerWindow& window, std::chrono::steady_clock::time_point begun,
                                    std::chrono::seconds played_for);

}  // namespace ositrace::gui
