// SPDX-License-Identifier: MPL-2.0
// Values of the library as objects of Python.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include <nanobind/nanobind.h>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>

namespace ositrace::python {

namespace nb = nanobind;

/// A name as Python has it of the operating system: bytes that are no UTF-8 are kept as surrogates.
inline nb::object path_object(const std::filesystem::path& path)
{
    const auto& text = path.native();
    return nb::steal(
        nb::detail::raise_if_null(PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size()))));
}

/// Text of a file, which need not be UTF-8: such bytes are kept as surrogates.
inline nb::object text_object(std::string_view text)
{
    return nb::steal(nb::detail::raise_if_null(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape")));
}

inline nb::bytes bytes_object(Bytes bytes) { return nb::bytes(bytes.data(), bytes.size()); }

inline nb::object seconds_object(const std::optional<Nanoseconds>& time)
{
    if (!time) return nb::none();
    return nb::float_(static_cast<double>(time->count()) / 1e9);
}

inline nb::object nanoseconds_object(const std::optional<Nanoseconds>& time)
{
    if (!time) return nb::none();
    return nb::int_(time->count());
}

}  // namespace ositrace::python
