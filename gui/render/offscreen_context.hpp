// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace::gui {

/// OpenGL 3.3 core without a window, a display server or a graphics card: EGL without a surface; on Windows WGL, with a
/// window that is never shown. Used by one thread at a time: another may use it after release(). Destroyed by the
/// thread that made it.
class OffscreenContext {
public:
    /// Makes itself current. Throws Error (unsupported) that names what the system lacks.
    OffscreenContext();
    OffscreenContext(const OffscreenContext&) = delete;
    OffscreenContext& operator=(const OffscreenContext&) = delete;
    ~OffscreenContext();

    void make_current() const;
    /// Detaches it from the current thread.
    void release() const noexcept;

private:
    void* display_ = nullptr;  ///< on Windows the window
    void* context_ = nullptr;
};

}  // namespace ositrace::gui
