// SPDX-License-Identifier: MPL-2.0
#include "python/src/message.hpp"

#include <bit>
#include <new>
#include <string>
#include <tuple>
#include <utility>

#include <ositrace/equal_content.hpp>
#include <ositrace/scalar_value.hpp>

#include "python/src/convert.hpp"
#include "python/src/descriptor.hpp"
#include "python/src/parts.hpp"

namespace ositrace::python {

namespace {

PyTypeObject* message_type = nullptr;
PyTypeObject* repeated_type = nullptr;

MessageObject& message_at(PyObject* object) noexcept { return *reinterpret_cast<MessageObject*>(object); }

bool is_protobuf(const MessageView& view) noexcept { return view.format().encoding == Encoding::protobuf; }

/// Where a Protobuf field is. (FlatBuffers have that in their vtable.)
WirePlace place_of(MessageObject& message, const FieldRow& field)
{
    if (!message.found) {
        message.view.find_fields(message.places());
        message.found = true;
    }
    return message.places()[field.index];
}

PyObject* integer_object(const FieldRow& field, std::uint64_t stored)
{
    if (is_unsigned(field.kind)) return PyLong_FromUnsignedLongLong(stored);
    return PyLong_FromLongLong(integer_of(field, stored));
}

PyObject* scalar_object(const FieldRow& field, std::uint64_t stored)
{
    if (is_real(field.kind)) return PyFloat_FromDouble(real_of(field, stored));
    if (field.kind == FieldKind::bool_) return PyBool_FromLong(stored != 0);
    return integer_object(field, stored);
}

/// What Protobuf returns of a field that is not set. (Defaults that a .proto file declares are not in the schema.)
std::uint64_t default_of(const FieldRow& field)
{
    if (field.kind != FieldKind::enumeration || field.enumeration->values.empty()) return 0;
    return static_cast<std::uint32_t>(field.enumeration->values.front().number);
}

PyObject* scalar_field(MessageObject& message, const FieldRow& field)
{
    if (is_protobuf(message.view)) {
        const auto place = place_of(message, field);
        const auto stored = place.count == 0 ? default_of(field) : message.view.scalar_at(field, place);
        return scalar_object(field, stored);
    }
    return scalar_object(field, message.view.stored_scalar(field).value_or(default_of(field)));
}

Value reference_value(MessageObject& message, const FieldRow& field)
{
    if (!is_protobuf(message.view)) return message.view.get(field);
    const auto place = place_of(message, field);
    return place.count == 0 ? Value{} : message.view.reference_at(field, place);
}

PyObject* text_field(MessageObject& message, const FieldRow& field)
{
    const auto value = reference_value(message, field);
    if (!std::holds_alternative<std::monostate>(value)) return new_value(field, value);
    return field.kind == FieldKind::string ? new_value(field, std::string_view()) : new_value(field, Bytes());
}

PyObject* make_child(MessageObject& message, const FieldRow& field)
{
    auto& classes = message.type->classes();
    if (field.repeated) return new_repeated(message.frame, *message.type, message.view.repeated(field));
    auto value = reference_value(message, field);
    auto* const child = std::get_if<MessageView>(&value);
    // An empty message reads as Protobuf, whatever its parent is.
    auto view = child != nullptr ? std::move(*child) : MessageView({}, *field.child, {});
    return new_message(message.frame, classes.of(*field.child), std::move(view));
}

PyObject* field_value(MessageObject& message, const FieldRow& field)
{
    if (field.kind == FieldKind::message || field.repeated) {
        auto*& child = message.children()[field.index];
        if (child == nullptr) child = make_child(message, field);
        return Py_NewRef(child);
    }
    return is_scalar(field.kind) ? scalar_field(message, field) : text_field(message, field);
}

bool has_field(MessageObject& message, const FieldRow& field)
{
    if (!is_protobuf(message.view)) return message.view.has(field);
    return place_of(message, field).count != 0;
}

/// nullptr: there is none. Names in code are interned, names that code computes are not.
const FieldRow* field_named(const MessageObject& message, PyObject* name)
{
    if (const auto* const field = message.type->find(name)) return field;
    PyObject* interned = Py_NewRef(name);
    PyUnicode_InternInPlace(&interned);
    const auto* const field = message.type->find(interned);
    Py_DECREF(interned);
    return field;
}

/// Methods; enums and enumerators that the message declares; else AttributeError with the fields that are near.
PyObject* other_attribute(PyObject* self, PyObject* name)
{
    if (auto* const found = PyObject_GenericGetAttr(self, name)) return found;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return nullptr;
    PyErr_Clear();
    return nb::module_::import_("ositrace._message")
        .attr("other_attribute")(nb::handle(self), nb::handle(name))
        .release()
        .ptr();
}

PyObject* message_getattro(PyObject* self, PyObject* name)
{
    auto& message = message_at(self);
    return guarded_in_frame(message.frame, static_cast<PyObject*>(nullptr), [&] {
        if (const auto* const field = field_named(message, name)) return field_value(message, *field);
        return other_attribute(self, name);
    });
}

int message_setattro(PyObject*, PyObject*, PyObject*)
{
    PyErr_SetString(PyExc_AttributeError, "messages are read-only; to_protobuf() gives one that can be changed");
    return -1;
}

void message_dealloc(PyObject* self)
{
    auto& message = message_at(self);
    auto* const type = Py_TYPE(self);
    for (auto* const child : message.children()) Py_XDECREF(child);
    message.view.~MessageView();
    Py_XDECREF(message.frame);
    PyObject_Free(self);
    Py_DECREF(type);
}

PyObject* message_richcompare(PyObject* self, PyObject* other, int operation)
{
    auto* const right = as_message(other);
    if (right == nullptr || (operation != Py_EQ && operation != Py_NE)) return Py_NewRef(Py_NotImplemented);
    auto& left = message_at(self);
    return guarded_in_frame(left.frame, static_cast<PyObject*>(nullptr), [&] {
        const bool equal = [&] {
            const nb::gil_scoped_release no_gil;
            return left.view.table().full_name == right->view.table().full_name &&
                   equal_content(left.view, right->view);
        }();
        return PyBool_FromLong(equal == (operation == Py_EQ));
    });
}

PyObject* message_has_field(PyObject* self, PyObject* name)
{
    auto& message = message_at(self);
    return guarded_in_frame(message.frame, static_cast<PyObject*>(nullptr), [&]() -> PyObject* {
        if (!PyUnicode_Check(name)) {
            PyErr_SetString(PyExc_TypeError, "HasField() takes the name of a field");
            return nullptr;
        }
        const auto* const field = field_named(message, name);
        if (field == nullptr || field->repeated) {
            const auto why = field == nullptr ? " has no field of that name" : ": a repeated field has no presence";
            PyErr_SetString(PyExc_ValueError, (std::string(message.type->table().full_name) + why).c_str());
            return nullptr;
        }
        return PyBool_FromLong(has_field(message, *field));
    });
}

PyObject* message_list_fields(PyObject* self, PyObject*)
{
    auto& message = message_at(self);
    return guarded_in_frame(message.frame, static_cast<PyObject*>(nullptr), [&] {
        nb::list fields;
        const auto& schema = message.type->classes().schema();
        message.view.for_each_field([&](const FieldRow& field) {
            fields.append(nb::make_tuple(FieldDescriptor{&field, &message.type->table(), schema},
                                         nb::steal(field_value(message, field))));
            return true;
        });
        return fields.release().ptr();
    });
}

PyObject* message_descriptor(PyObject* self, void*)
{
    return guarded(static_cast<PyObject*>(nullptr), [&] {
        const auto& type = *message_at(self).type;
        return nb::cast(Descriptor{&type.table(), type.classes().schema()}).release().ptr();
    });
}

PyMethodDef message_methods[] = {
    {"HasField", &message_has_field, METH_O, "HasField(name): is the singular field set?"},
    {"ListFields", &message_list_fields, METH_NOARGS, "The fields that are set, by number: pairs (descriptor, value)."},
    {}};

PyGetSetDef message_properties[] = {{"DESCRIPTOR", &message_descriptor, nullptr, "The type of the message.", nullptr},
                                    {}};

PyTypeObject* make_message_type()
{
    PyType_Slot slots[] = {{Py_tp_getattro, reinterpret_cast<void*>(&message_getattro)},
                           {Py_tp_setattro, reinterpret_cast<void*>(&message_setattro)},
                           {Py_tp_dealloc, reinterpret_cast<void*>(&message_dealloc)},
                           {Py_tp_richcompare, reinterpret_cast<void*>(&message_richcompare)},
                           {Py_tp_hash, reinterpret_cast<void*>(&PyObject_HashNotImplemented)},
                           {Py_tp_methods, message_methods},
                           {Py_tp_getset, message_properties},
                           {Py_tp_doc, const_cast<char*>("A message of a frame: a lazy, read-only view on its bytes.")},
                           {0, nullptr}};
    PyType_Spec spec{"ositrace.Message", sizeof(MessageObject), MessageObject::bytes_per_field,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    auto* const type = PyType_FromSpec(&spec);
    if (type == nullptr) throw nb::python_error();
    return reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace

PyObject* new_message(PyObject* frame, const MessageClass& type, MessageView view)
{
    auto* const object = PyType_GenericAlloc(message_type, static_cast<Py_ssize_t>(type.table().fields.size()));
    if (object == nullptr) throw nb::python_error();
    auto& message = message_at(object);
    message.frame = Py_NewRef(frame);
    message.type = &type;
    new (&message.view) MessageView(std::move(view));
    return object;
}

PyObject* new_repeated(PyObject* frame, const MessageClass& type, RepeatedView elements)
{
    auto* const object = PyType_GenericAlloc(repeated_type, 0);
    if (object == nullptr) throw nb::python_error();
    auto& repeated = *reinterpret_cast<RepeatedObject*>(object);
    repeated.frame = Py_NewRef(frame);
    repeated.type = &type;
    new (&repeated.elements) RepeatedView(std::move(elements));
    return object;
}

PyObject* new_value(const FieldRow& field, const Value& value)
{
    PyObject* object = nullptr;
    if (const auto* const text = std::get_if<std::string_view>(&value))
        object = PyUnicode_DecodeUTF8(text->data(), static_cast<Py_ssize_t>(text->size()), "surrogateescape");
    else if (const auto* const bytes = std::get_if<Bytes>(&value))
        object = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(bytes->data()),
                                           static_cast<Py_ssize_t>(bytes->size()));
    else if (const auto* const flag = std::get_if<bool>(&value))
        object = PyBool_FromLong(*flag ? 1 : 0);
    else if (const auto* const number = std::get_if<std::int64_t>(&value))
        object = PyLong_FromLongLong(*number);
    else if (const auto* const natural = std::get_if<std::uint64_t>(&value))
        object = PyLong_FromUnsignedLongLong(*natural);
    else if (const auto real = as_real(value))
        object = PyFloat_FromDouble(*real);
    else
        throw Error(Cause::usage, {.field = std::string(field.name)}, "no value");
    if (object == nullptr) throw nb::python_error();
    return object;
}

MessageObject* as_message(PyObject* object) noexcept
{
    return Py_TYPE(object) == message_type ? &message_at(object) : nullptr;
}

nb::object message_of(nb::handle_t<FrameOfTrace> frame)
{
    const auto& of = nb::cast<const FrameOfTrace&>(frame);
    const auto& [content, channel] = std::tie(of.frame, of.channel);
    if (!channel->classes) throw channel->unviewable_error().within({.frame = content.index});
    const auto& table = *channel->root;
    try {
        channel->check_claimed_type(content.bytes);
        return nb::steal(new_message(frame.ptr(), channel->classes->of(table),
                                     MessageView(content.bytes, table, channel->channel.format)));
    } catch (const Error& error) {
        throw in_frame(frame.ptr(), error);
    }
}

Error in_frame(PyObject* frame, const Error& error)
{
    const auto& of = nb::cast<const FrameOfTrace&>(nb::handle(frame));
    const auto& [content, channel] = std::tie(of.frame, of.channel);
    return error.cause() == Cause::usage ? error : channel->first_damage(content, error);
}

void register_messages(nb::module_& module)
{
    message_type = make_message_type();
    repeated_type = make_repeated_type();
    module.attr("Message") = nb::handle(reinterpret_cast<PyObject*>(message_type));
    register_message_forms(module);
    module.attr("Repeated") = nb::handle(reinterpret_cast<PyObject*>(repeated_type));
}

}  // namespace ositrace::python
