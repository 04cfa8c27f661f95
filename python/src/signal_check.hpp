// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>

#include <nanobind/nanobind.h>

namespace ositrace::python {

/// Lets Ctrl-C end what works without the GIL: throws what a handler of a signal raised. Looks every 50 ms.
class SignalCheck {
public:
    void operator()()
    {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(50);
        const nanobind::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }

private:
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

}  // namespace ositrace::python
