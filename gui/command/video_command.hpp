// SPDX-License-Identifier: MPL-2.0
// Videos that the command line requests: of the scene, and of the whole window.
#pragma once

#include <ositrace/error.hpp>

#include "gui/window/view_options.hpp"
#include "lib/system/interrupt.hpp"

namespace ositrace::gui {

class ViewerWindow;

/// During its lifetime Ctrl+C, SIGTERM and SIGHUP wait, so that what was written can be removed first. Create it before
/// any thread. Its end lets one that has arrived end the process.
class HeldSignals : public HeldInterrupts {
public:
    /// Throws Error (cancelled) if one has arrived.
    void refuse_any() const
    {
        if (has_one()) throw Error(Cause::cancelled, "stopped: nothing was written");
    }
};

/// Writes a video of the scene, without a display. Call it before any QApplication exists: it creates its own. Prints a
/// summary to standard output. A held signal stops it; what was written is removed. Throws Error: usage for options
/// that do not fit the trace.
void take_video(const ViewOptions& options, const HeldSignals& held);

/// The same of the whole window, which is arranged and visible.
void take_window_video(ViewerWindow& window, const ViewOptions& options, const HeldSignals& held);

}  // namespace ositrace::gui
