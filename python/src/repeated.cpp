// SPDX-License-Identifier: MPL-2.0
// The elements of a repeated field as a sequence.
#include <algorithm>
#include <string>

#include "python/src/convert.hpp"
#include "python/src/message.hpp"

namespace ositrace::python {

namespace {

RepeatedObject& repeated_at(PyObject* object) noexcept { return *reinterpret_cast<RepeatedObject*>(object); }

PyObject* element_at(const RepeatedObject& repeated, std::size_t i)
{
    auto value = repeated.elements[i];
    const auto& field = repeated.elements.field();
    if (auto* const message = std::get_if<MessageView>(&value))
        return new_message(repeated.frame, repeated.type->classes().of(*field.child), std::move(*message));
    return new_value(field, value);
}

Py_ssize_t repeated_length(PyObject* self) { return static_cast<Py_ssize_t>(repeated_at(self).elements.size()); }

/// Python adds the length to a negative index before it calls this.
PyObject* repeated_item(PyObject* self, Py_ssize_t i)
{
    const auto& repeated = repeated_at(self);
    if (i < 0 || i >= repeated_length(self)) {
        PyErr_Format(PyExc_IndexError, "%s has %zd elements", std::string(repeated.elements.field().name).c_str(),
                     repeated_length(self));
        return nullptr;
    }
    return guarded_in_frame(repeated.frame, static_cast<PyObject*>(nullptr),
                            [&] { return element_at(repeated, static_cast<std::size_t>(i)); });
}

PyObject* slice_of(PyObject* self, PyObject* slice)
{
    Py_ssize_t start = 0, stop = 0, step = 0;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0) return nullptr;
    const auto count = PySlice_AdjustIndices(repeated_length(self), &start, &stop, step);
    return guarded_in_frame(repeated_at(self).frame, static_cast<PyObject*>(nullptr), [&] {
        nb::list elements;
        for (Py_ssize_t i = 0; i != count; ++i)
            elements.append(nb::steal(element_at(repeated_at(self), static_cast<std::size_t>(start + i * step))));
        return elements.release().ptr();
    });
}

PyObject* repeated_subscript(PyObject* self, PyObject* key)
{
    if (PySlice_Check(key)) return slice_of(self, key);
    auto i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred() != nullptr) return nullptr;
    if (i < 0) i += repeated_length(self);
    return repeated_item(self, i);
}

PyObject* repeated_iter(PyObject* self) { return PySeqIter_New(self); }

PyObject* as_list(PyObject* self) { return PySequence_List(self); }

/// Equal to any sequence of equal elements, as Protobuf's containers are.
PyObject* repeated_richcompare(PyObject* self, PyObject* other, int operation)
{
    const bool comparable = PySequence_Check(other) != 0 && !PyUnicode_Check(other) && !PyBytes_Check(other);
    if (!comparable || (operation != Py_EQ && operation != Py_NE)) return Py_NewRef(Py_NotImplemented);
    return guarded(static_cast<PyObject*>(nullptr), [&] {
        const auto left = nb::steal(nb::detail::raise_if_null(as_list(self)));
        const auto right = nb::steal(nb::detail::raise_if_null(PySequence_List(other)));
        return PyObject_RichCompare(left.ptr(), right.ptr(), operation);
    });
}

PyObject* repeated_repr(PyObject* self)
{
    const auto& repeated = repeated_at(self);
    const auto& field = repeated.elements.field();
    if (field.kind == FieldKind::message)
        return PyUnicode_FromFormat("<%zd elements of %s>", repeated_length(self),
                                    std::string(field.child->full_name).c_str());
    auto* const list = as_list(self);
    if (list == nullptr) return nullptr;
    auto* const text = PyObject_Repr(list);
    Py_DECREF(list);
    return text;
}

void repeated_dealloc(PyObject* self)
{
    auto& repeated = repeated_at(self);
    auto* const type = Py_TYPE(self);
    repeated.elements.~RepeatedView();
    Py_XDECREF(repeated.frame);
    PyObject_Free(self);
    Py_DECREF(type);
}

}  // namespace

PyTypeObject* make_repeated_type()
{
    PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&repeated_dealloc)},
                           {Py_tp_iter, reinterpret_cast<void*>(&repeated_iter)},
                           {Py_tp_richcompare, reinterpret_cast<void*>(&repeated_richcompare)},
                           {Py_tp_hash, reinterpret_cast<void*>(&PyObject_HashNotImplemented)},
                           {Py_tp_repr, reinterpret_cast<void*>(&repeated_repr)},
                           {Py_sq_length, reinterpret_cast<void*>(&repeated_length)},
                           {Py_sq_item, reinterpret_cast<void*>(&repeated_item)},
                           {Py_mp_length, reinterpret_cast<void*>(&repeated_length)},
                           {Py_mp_subscript, reinterpret_cast<void*>(&repeated_subscript)},
                           {Py_tp_doc, const_cast<char*>("The elements of a repeated field: a read-only sequence.")},
                           {0, nullptr}};
    PyType_Spec spec{"ositrace.Repeated", sizeof(RepeatedObject), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    auto* const type = PyType_FromSpec(&spec);
    if (type == nullptr) throw nb::python_error();
    return reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace ositrace::python
