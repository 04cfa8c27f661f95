// SPDX-License-Identifier: MPL-2.0
// Messages in Python: lazy, read-only views on the bytes of a frame, with the reading interface of Protobuf's messages.
#pragma once

#include <span>

#include <nanobind/nanobind.h>

#include <ositrace/message_view.hpp>

#include "python/src/error.hpp"
#include "python/src/frame.hpp"
#include "python/src/message_class.hpp"

namespace ositrace::python {

/// An instance of ositrace.Message. It keeps the frame, not its parent; a parent keeps the children that were asked
/// for.
struct MessageObject {
    PyVarObject head;
    PyObject* frame;  ///< a FrameOfTrace; owned
    const MessageClass* type;
    bool found;  ///< the places of the fields
    MessageView view;

    // Behind the object: for each field of the table its place, and then for each of them the object of a message or
    // repeated field, once it was asked for.
    static constexpr std::size_t bytes_per_field = sizeof(WirePlace) + sizeof(PyObject*);
    [[nodiscard]] std::span<WirePlace> places() noexcept
    {
        return {reinterpret_cast<WirePlace*>(this + 1), type->table().fields.size()};
    }
    [[nodiscard]] std::span<PyObject*> children() noexcept
    {
        return {reinterpret_cast<PyObject**>(places().data() + places().size()), places().size()};
    }
};

/// The elements of a repeated field: an instance of ositrace.Repeated.
struct RepeatedObject {
    PyObject head;
    PyObject* frame;           ///< a FrameOfTrace; owned
    const MessageClass* type;  ///< of the message that has the field
    RepeatedView elements;
};

/// The message of a frame. Throws Error (unsupported) where the channel's messages cannot be viewed.
[[nodiscard]] nanobind::object message_of(nanobind::handle_t<FrameOfTrace> frame);

/// nullptr when the object is no message.
[[nodiscard]] MessageObject* as_message(PyObject* object) noexcept;

/// New references; they throw.
[[nodiscard]] PyObject* new_message(PyObject* frame, const MessageClass& type, MessageView view);
[[nodiscard]] PyObject* new_repeated(PyObject* frame, const MessageClass& type, RepeatedView elements);
/// The value of a scalar, string or bytes field.
[[nodiscard]] PyObject* new_value(const FieldRow& field, const Value& value);

/// Makes the type of RepeatedObject.
[[nodiscard]] PyTypeObject* make_repeated_type();

/// See ChannelOfTrace::first_damage(); of wrong usage the error itself.
[[nodiscard]] Error in_frame(PyObject* frame, const Error& error);

/// As guarded(), for what reads the bytes of a frame.
template <class Function, class Result>
Result guarded_in_frame(PyObject* frame, Result failed, Function&& function) noexcept
{
    return guarded(failed, [&] {
        try {
            return function();
        } catch (const Error& error) {
            throw in_frame(frame, error);
        }
    });
}

}  // namespace ositrace::python
