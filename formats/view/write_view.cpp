// SPDX-License-Identifier: MPL-2.0
#include "formats/view/write_view.hpp"

namespace ositrace {

namespace {

struct ValueWriter {
    const FieldTag& tag;
    MessageWriter& to;

    void operator()(std::monostate) const {}
    void operator()(bool value) const { to.boolean(tag, value); }
    void operator()(std::int64_t value) const { to.integer(tag, value); }
    void operator()(std::uint64_t value) const { to.unsigned_integer(tag, value); }
    void operator()(float value) const { to.real(tag, static_cast<double>(value)); }
    void operator()(double value) const { to.real(tag, value); }
    void operator()(std::string_view value) const { to.text(tag, value); }
    void operator()(Bytes value) const { to.bytes(tag, value); }
    void operator()(const MessageView& value) const { write_view(tag, value, to); }
};

void write_fields(const MessageView& view, MessageWriter& to)
{
    view.for_each_field([&](const FieldRow& field) {
        const FieldTag tag(view.table(), field.name);
        if (!field.repeated) return std::visit(ValueWriter{tag, to}, view.get(field)), true;
        view.for_each_element(field, [&](const Value& value) { return std::visit(ValueWriter{tag, to}, value), true; });
        return true;
    });
}

}  // namespace

void write_view(const FieldTag& tag, const MessageView& view, MessageWriter& to)
{
    if (const auto bytes = view.wire_bytes()) return to.bytes(tag, *bytes);
    to.message(tag, [&] { write_fields(view, to); });
}

}  // namespace ositrace
