// SPDX-License-Identifier: MPL-2.0
#include "python/src/source.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/random_access.hpp>

#include "python/src/convert.hpp"

namespace ositrace::python {

namespace {

/// At most this much is read from a file object in one call.
constexpr std::size_t max_read_bytes = std::size_t{8} << 20;

/// Keeps an object for code that runs without the GIL, and releases it on any thread.
std::shared_ptr<PyObject> kept(nb::object object)
{
    return {object.release().ptr(), [](PyObject* kept) {
                if (!Py_IsInitialized()) return;
                const nb::gil_scoped_acquire gil;
                Py_DECREF(kept);
            }};
}

std::filesystem::path file_system_path(nb::handle text)
{
    const auto encoded = nb::steal<nb::bytes>(nb::detail::raise_if_null(PyUnicode_EncodeFSDefault(text.ptr())));
    return std::string(encoded.c_str(), encoded.size());
}

/// For messages: the name of the file where it has one, `<BytesIO>` of another object.
std::filesystem::path name_of(nb::handle object)
{
    const nb::object name = nb::getattr(object, "name", nb::none());
    if (PyUnicode_Check(name.ptr())) return file_system_path(name);
    return "<" + std::string(nb::str(object.type().attr("__name__")).c_str()) + ">";
}

/// Copies what read() returned; the number of bytes.
std::size_t take_read(const nb::object& read, std::span<std::byte> into, const std::filesystem::path& name)
{
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (!PyBytes_Check(read.ptr()))
        throw nb::type_error(PyUnicode_Check(read.ptr()) ? "the file is open as text; open it with mode 'rb'"
                                                         : "read() of the file object did not return bytes");
    if (PyBytes_AsStringAndSize(read.ptr(), &data, &size) != 0) throw nb::python_error();
    const auto count = static_cast<std::size_t>(size);
    if (count > into.size()) throw Error(Cause::io, {.file = name}, "read() returned more bytes than requested");
    std::memcpy(into.data(), data, count);
    return count;
}

/// A file object that can seek. Its threads take turns: who waits for the turn never holds the GIL, because the library
/// is called without it.
class SeekableFile final : public RandomAccess {
public:
    SeekableFile(std::filesystem::path name, std::uint64_t size, nb::object file)
        : RandomAccess(std::move(name), size), expects_(nb::hasattr(file, "expect")), file_(kept(std::move(file)))
    {
    }

    void expect(std::uint64_t offset, std::uint64_t bytes) const override
    {
        if (!expects_) return;
        const std::scoped_lock turn(turn_);
        const nb::gil_scoped_acquire gil;
        nb::handle(file_.get()).attr("expect")(offset, bytes);
    }

private:
    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const override
    {
        const std::scoped_lock turn(turn_);
        const nb::gil_scoped_acquire gil;
        const nb::handle file(file_.get());
        into = into.first(std::min(into.size(), max_read_bytes));
        file.attr("seek")(offset);
        return take_read(file.attr("read")(into.size()), into, name());
    }

    bool expects_;  ///< a file of ositrace/_remote.py
    std::shared_ptr<PyObject> file_;
    mutable std::mutex turn_;
};

std::shared_ptr<const RandomAccess> bytes_of_object(nb::bytes bytes)
{
    const Bytes contents{static_cast<const std::byte*>(bytes.data()), bytes.size()};
    return in_memory(contents, "<bytes>", kept(std::move(bytes)));
}

std::shared_ptr<const RandomAccess> bytes_of_file(const nb::object& file)
{
    auto name = name_of(file);
    if (nb::hasattr(file, "seekable") && nb::cast<bool>(file.attr("seekable")())) {
        constexpr int to_end = 2;
        const auto size = nb::cast<std::uint64_t>(nb::object(file.attr("seek")(0, to_end)));
        return std::make_shared<SeekableFile>(std::move(name), size, file);
    }
    const auto read = [&](std::span<std::byte> into) {
        const nb::gil_scoped_acquire gil;
        into = into.first(std::min(into.size(), max_read_bytes));
        return take_read(file.attr("read")(into.size()), into, name);
    };
    const nb::gil_scoped_release no_gil;
    return in_temporary_file(name, read);
}

}  // namespace

Source source_of(nb::handle object)
{
    auto* const value = object.ptr();
    if (PyUnicode_Check(value) || nb::hasattr(object, "__fspath__")) {
        const auto path = nb::steal(nb::detail::raise_if_null(PyOS_FSPath(value)));
        if (PyBytes_Check(path.ptr())) return {std::string(PyBytes_AsString(path.ptr())), nullptr};
        return {file_system_path(path), nullptr};
    }
    if (PyBytes_Check(value)) return {{}, bytes_of_object(nb::borrow<nb::bytes>(object))};
    if (PyByteArray_Check(value) || PyMemoryView_Check(value)) return {{}, bytes_of_object(nb::bytes(object))};
    if (nb::hasattr(object, "read")) return {{}, bytes_of_file(nb::borrow(object))};
    throw nb::type_error("a trace is opened from a path, bytes or a binary file object");
}

}  // namespace ositrace::python
