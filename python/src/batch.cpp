// SPDX-License-Identifier: MPL-2.0
// Batches of rows, in the ways that other packages take them: Arrow's capsules, buffers.
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <ositrace/bytes.hpp>

#include "python/src/arrow_structs.hpp"
#include "python/src/convert.hpp"
#include "python/src/error.hpp"
#include "python/src/parts.hpp"
#include "python/src/table.hpp"

namespace ositrace::python {

namespace {

/// A capsule as Arrow's PyCapsule interface wants it: it releases what nobody took.
template <class Struct>
nb::object capsule_of(std::unique_ptr<Struct> contents, const char* name)
{
    auto* const capsule = PyCapsule_New(contents.get(), name, [](PyObject* self) {
        auto* const held = static_cast<Struct*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
        if (held->release != nullptr) held->release(held);
        delete held;
    });
    const auto object = nb::steal(nb::detail::raise_if_null(capsule));
    static_cast<void>(contents.release());
    return object;
}

template <class Struct>
nb::object shared_capsule(const std::shared_ptr<const Struct>& owner, const char* name)
{
    auto contents = std::make_unique<Struct>();
    share(owner, *owner, contents.get());
    return capsule_of(std::move(contents), name);
}

nb::object schema_capsule(const std::shared_ptr<const ArrowSchema>& schema)
{
    return shared_capsule(schema, "arrow_schema");
}

nb::tuple array_capsules(const Batch& self, nb::handle)
{
    return nb::make_tuple(schema_capsule(self.schema), shared_capsule(self.array, "arrow_array"));
}

/// What a stream owns whose batches an iterator of Python makes. Its callbacks are called by any thread, with the GIL
/// or without.
struct IteratorStream {
    TableSchema schema;
    nb::object batches;
    std::string last_error{};

    static IteratorStream& of(ArrowArrayStream* stream) { return *static_cast<IteratorStream*>(stream->private_data); }

    int get_next(ArrowArray* out)
    {
        *out = {};  // without a release callback: the end
        try {
            const auto batch = nb::steal(PyIter_Next(batches.ptr()));
            if (batch.is_valid()) {
                const auto& rows = nb::cast<const Batch&>(batch);
                share(rows.array, *rows.array, out);
            } else if (PyErr_Occurred() != nullptr) {
                throw nb::python_error();
            }
            return 0;
        } catch (nb::python_error& error) {
            if (error.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();  // the consumer knows only texts
            last_error = nb::str(error.value()).c_str();
        } catch (const std::exception& error) {
            last_error = error.what();
        }
        return EIO;
    }
};

nb::object stream_capsule(const TableSchema& schema, nb::object batches)
{
    auto stream = std::make_unique<ArrowArrayStream>();
    stream->private_data = new IteratorStream{schema, std::move(batches)};
    stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
        const auto& shared = IteratorStream::of(self).schema.schema;
        share(shared, *shared, out);
        return 0;
    };
    stream->get_next = [](ArrowArrayStream* self, ArrowArray* out) {
        const nb::gil_scoped_acquire gil;
        return IteratorStream::of(self).get_next(out);
    };
    stream->get_last_error = [](ArrowArrayStream* self) -> const char* {
        const auto& text = IteratorStream::of(self).last_error;
        return text.empty() ? nullptr : text.c_str();
    };
    stream->release = [](ArrowArrayStream* self) {
        const nb::gil_scoped_acquire gil;
        delete &IteratorStream::of(self);
        self->release = nullptr;
    };
    return capsule_of(std::move(stream), "arrow_array_stream");
}

/// A column of a batch, for those who have no Arrow library.
struct Column {
    Batch batch;
    const ArrowSchema* type;
    const ArrowArray* array;

    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(array->length); }
    [[nodiscard]] std::string_view format() const noexcept { return type->format; }
    template <class T>
    [[nodiscard]] const T* buffer(std::size_t i) const noexcept
    {
        return static_cast<const T*>(array->buffers[i]);
    }
};

using View = nb::ndarray<nb::memview, nb::ro>;

template <class T>
nb::object view_of(const T* values, std::size_t count, nb::handle owner)
{
    return nb::cast(nb::ndarray<nb::memview, const T, nb::ndim<1>>(values, {count}, owner));
}

/// A bit per entry as a byte per entry.
nb::object bits_as_bytes(const std::uint8_t* bits, std::size_t count)
{
    auto bytes = std::make_unique<std::uint8_t[]>(count == 0 ? 1 : count);
    for (std::size_t i = 0; i != count; ++i) bytes[i] = bits[i / 8] >> i % 8 & 1;
    const auto* const values = bytes.get();
    const nb::capsule owner(bytes.release(), [](void* held) noexcept { delete[] static_cast<std::uint8_t*>(held); });
    return view_of(values, count, owner);
}

nb::list texts_of(const ArrowArray& array, bool is_text)
{
    const auto* const offsets = static_cast<const std::int32_t*>(array.buffers[1]);
    const auto* const bytes = static_cast<const char*>(array.buffers[2]);
    nb::list texts;
    for (std::int64_t i = 0; i != array.length; ++i) {
        const std::string_view text(bytes + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
        texts.append(is_text ? text_object(text) : nb::object(nb::bytes(text.data(), text.size())));
    }
    return texts;
}

/// Numbers as a view without a copy; truth values a byte each; texts and bytes as a list; of an enum the places of its
/// names; of a list column where the elements of each row begin.
nb::object values_of(nb::handle_t<Column> self)
{
    const auto& column = nb::cast<const Column&>(self);
    const auto count = column.size();
    switch (column.format().front()) {
    case 'g': return view_of(column.buffer<double>(1), count, self);
    case 'f': return view_of(column.buffer<float>(1), count, self);
    case 'l': return view_of(column.buffer<std::int64_t>(1), count, self);
    case 'L': return view_of(column.buffer<std::uint64_t>(1), count, self);
    case 'i': return view_of(column.buffer<std::int32_t>(1), count, self);
    case 'I': return view_of(column.buffer<std::uint32_t>(1), count, self);
    case 'b': return bits_as_bytes(column.buffer<std::uint8_t>(1), count);
    case '+': return view_of(column.buffer<std::int32_t>(1), count + 1, self);
    default: return texts_of(*column.array, column.format() == "u");
    }
}

nb::object validity_of(const Column& self)
{
    if (self.array->null_count == 0 || self.buffer<std::uint8_t>(0) == nullptr) return nb::none();
    return bits_as_bytes(self.buffer<std::uint8_t>(0), self.size());
}

nb::list names_of(const std::shared_ptr<const ArrowSchema>& schema)
{
    nb::list names;
    for (std::int64_t i = 0; i != schema->n_children; ++i) names.append(text_object(schema->children[i]->name));
    return names;
}

Column child_of(const Column& self) { return {self.batch, self.type->children[0], self.array->children[0]}; }

Column column_of(const Batch& self, std::size_t i)
{
    if (i >= static_cast<std::size_t>(self.array->n_children)) throw nb::index_error("no such column");
    return {self, self.schema->children[i], self.array->children[i]};
}

}  // namespace

void register_batches(nb::module_& module)
{
    nb::class_<TableSchema>(module, "TableSchema", "Names and types of columns.")
        .def_prop_ro(
            "names", [](const TableSchema& self) { return names_of(self.schema); },
            nb::sig("def names(self) -> list[str]"))
        .def(
            "__arrow_c_schema__", [](const TableSchema& self) { return schema_capsule(self.schema); },
            nb::sig("def __arrow_c_schema__(self) -> object"));
    nb::class_<Column>(module, "Column", "A column of a batch.")
        .def_prop_ro(
            "format", [](const Column& self) { return text_object(self.format()); },
            "Of its values, as Arrow's C data interface has it.")
        .def_prop_ro("values", &values_of, nb::sig("def values(self) -> Any"),
                     "Numbers as a view; of an enum the places of its names, of a list column the offsets.")
        .def_prop_ro("validity", &validity_of, nb::sig("def validity(self) -> memoryview | None"),
                     "1 where an entry is set, 0 where it is null; None: all are set.")
        .def_prop_ro(
            "names",
            [](const Column& self) -> nb::object {
                if (self.array->dictionary == nullptr) return nb::none();
                return texts_of(*self.array->dictionary, true);
            },
            nb::sig("def names(self) -> list[str] | None"), "Of an enum; else None.")
        .def_prop_ro("child", &child_of, "The elements of a list column.");
    nb::class_<Batch>(module, "Batch", "Rows of a table in memory, for every package that takes Arrow data.")
        .def_prop_ro(
            "num_rows", [](const Batch& self) { return self.array->length; }, "How many rows it has.")
        .def_prop_ro(
            "columns", [](const Batch& self) { return names_of(self.schema); },
            nb::sig("def columns(self) -> list[str]"), "Their names.")
        .def("column", &column_of, nb::arg("i"))
        .def(
            "__arrow_c_schema__", [](const Batch& self) { return schema_capsule(self.schema); },
            nb::sig("def __arrow_c_schema__(self) -> object"))
        .def("__arrow_c_array__", &array_capsules, nb::arg("requested_schema").none() = nb::none(),
             nb::sig("def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]"))
        .def("__len__", [](const Batch& self) { return self.array->length; });
    module.def("stream_capsule", &stream_capsule, nb::arg("schema"), nb::arg("batches"));
}

}  // namespace ositrace::python
