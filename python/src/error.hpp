// SPDX-License-Identifier: MPL-2.0
// Errors of the library as exceptions of Python.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include <nanobind/nanobind.h>

#include <ositrace/error.hpp>

namespace ositrace::python {

/// Makes it the pending exception of this thread, which holds the GIL.
void set_python_error(const Error& error) noexcept;

/// What a slot of a type does: an exception becomes the pending one, and the result is `failed`.
template <class Function, class Result>
Result guarded(Result failed, Function&& function) noexcept
{
    try {
        return std::forward<Function>(function)();
    } catch (nanobind::python_error& error) {
        error.restore();
    } catch (const Error& error) {
        set_python_error(error);
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return failed;
}

}  // namespace ositrace::python
