// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

namespace ositrace::gui {

/// OpenGL 3.3 core without a window, a display server or a graphics card: EGL without a surface. Used by one thread at
/// a time: another may use it after release().
class EglContext {
public:
    /// Makes itself current. Throws Error (unsupported) that names what the system lacks.
    EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;
    ~EglContext();

    void make_current() const;
    /// Detaches it from the current thread.
    void release() const noexcept;

private:
    void* display_ = nullptr;
    void* context_ = nullptr;
};

/// `llvmpipe (LLVM 15.0.6, 256 bits); 4.5 (Core Profile) Mesa 22.3.6`, describes the current context.
[[nodiscard]] std::string describe_opengl();

}  // namespace ositrace::gui
