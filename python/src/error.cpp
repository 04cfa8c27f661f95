// SPDX-License-Identifier: MPL-2.0
#include "python/src/error.hpp"

#include <ositrace/error.hpp>

#include "python/src/convert.hpp"
#include "python/src/parts.hpp"

namespace ositrace::python {

namespace {

nb::object number_or_none(const std::optional<std::uint64_t>& number)
{
    if (!number) return nb::none();
    return nb::int_(*number);
}

nb::object exception_of(const Error& error)
{
    const auto& where = error.where();
    const auto code = name_of(error.cause());
    const auto file = where.file.empty() ? nb::object(nb::none()) : path_object(where.file);
    return nb::module_::import_("ositrace._error")
        .attr("from_library")(text_object(error.what()), text_object(error.reason()), text_object(code), file,
                              number_or_none(where.frame), number_or_none(where.offset), text_object(where.field));
}

}  // namespace

void set_python_error(const Error& error) noexcept
{
    try {
        const auto exception = exception_of(error);
        PyErr_SetObject(exception.type().ptr(), exception.ptr());
    } catch (nb::python_error& failed) {
        failed.restore();
    } catch (const std::exception&) {
        PyErr_NoMemory();
    }
}

void register_errors()
{
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Error& error) {
            set_python_error(error);
        }
    });
}

}  // namespace ositrace::python
