// SPDX-License-Identifier: MPL-2.0
// Messages as text, JSON and bytes, and from bytes.
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/message_text.hpp>
#include <ositrace/transcoder.hpp>

#include "python/src/convert.hpp"
#include "python/src/message.hpp"
#include "python/src/parts.hpp"

namespace ositrace::python {

namespace {

/// What `write(view, buffer)` appends, without the GIL.
template <class Write>
ByteBuffer written(nb::handle object, Write&& write)
{
    const auto* const message = as_message(object.ptr());
    if (message == nullptr) throw nb::type_error("not a message");
    ByteBuffer out;
    try {
        const nb::gil_scoped_release no_gil;
        write(message->view, out);
    } catch (const Error& error) {
        throw in_frame(message->frame, error);
    }
    return out;
}

nb::object text_of_message(nb::handle message, bool single_line)
{
    return text_object(text_of(written(message, [&](const MessageView& view, ByteBuffer& out) {
                                   append_text_format(view, out, {.single_line = single_line});
                               }).bytes()));
}

nb::object json_of(nb::handle message)
{
    const auto json = written(message, [](const MessageView& view, ByteBuffer& out) { append_json(view, out); });
    return text_object(text_of(json.bytes()));
}

nb::bytes wire_of(nb::handle message) { return bytes_object(written(message, &write_protobuf).bytes()); }

/// The descriptor set of the message's schema; None: it is the built-in one.
nb::object schema_of_message(nb::handle object)
{
    const auto* const message = as_message(object.ptr());
    if (message == nullptr) throw nb::type_error("not a message");
    const auto& schema = message->type->classes().schema();
    if (schema == Schema::built_in()) return nb::none();
    return bytes_object(schema->descriptor_set());
}

/// A message of its own, from its Protobuf form.
nb::object message_from(const nb::bytes& wire, const std::string& type, const std::optional<nb::bytes>& schema)
{
    Channel channel;
    channel.type_name = type;
    channel.schema =
        schema ? Schema::compile({static_cast<const std::byte*>(schema->data()), schema->size()}) : Schema::built_in();
    channel.root = channel.schema->find(type);
    if (channel.root == nullptr) throw Error(Cause::mismatch, "the schema has no message type '" + type + "'");
    auto bytes = std::make_shared<ByteBuffer>();
    bytes->append({static_cast<const std::byte*>(wire.data()), wire.size()});
    FrameOfTrace frame;
    frame.frame.bytes = bytes->bytes();
    frame.frame.owner = std::move(bytes);
    frame.channel = std::make_shared<const ChannelOfTrace>(std::move(channel), std::filesystem::path());
    return message_of(nb::cast(std::move(frame)));
}

}  // namespace

void register_message_forms(nb::module_& module)
{
    module.def("message_text", &text_of_message, nb::arg("message"), nb::arg("single_line"));
    module.def("message_json", &json_of, nb::arg("message"));
    module.def("message_bytes", &wire_of, nb::arg("message"));
    module.def("message_schema", &schema_of_message, nb::arg("message"));
    module.def("message_from", &message_from, nb::arg("wire"), nb::arg("type"), nb::arg("schema").none());
}

}  // namespace ositrace::python
