// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

namespace ositrace::gui {

/// OpenGL 3.3 core without a window, a display server or a graphics card: EGL without a surface. One thread at a time:
/// another one takes it behind release().
class EglContext {
public:
    /// Makes itself current. Throws Error (unsupported) saying what the system lacks.
    EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;
    ~EglContext();

    void make_current() const;
    /// No thread has it any more.
    void release() const noexcept;

private:
    void* display_ = nullptr;
    void* context_ = nullptr;
};

/// `llvmpipe (LLVM 15.0.6, 256 bits); 4.5 (Core Profile) Mesa 22.3.6`, of the current context.
[[nodiscard]] std::string describe_opengl();

}  // namespace ositrace::gui
