// SPDX-License-Identifier: MPL-2.0
#include "lib/messages/osi_writer.hpp"

#include <chrono>

namespace ositrace::scene {

namespace {

void write_view(const FieldTag& tag, const MessageView& view, MessageWriter& to);

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

void write_view(const FieldTag& tag, const MessageView& view, MessageWriter& to)
{
    if (const auto bytes = view.wire_bytes()) return to.bytes(tag, *bytes);
    to.message(tag, [&] { write_fields(view, to); });
}

}  // namespace

void OsiWriter::time(FieldName field, Nanoseconds value)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(value);
    message(field, [&] {
        integer("seconds", seconds.count());
        unsigned_integer("nanos", static_cast<std::uint64_t>((value - seconds).count()));
    });
}

void OsiWriter::vector(FieldName field, Vector value)
{
    message(field, [&] {
        real("x", value.x);
        real("y", value.y);
        real("z", value.z);
    });
}

void OsiWriter::vector2d(FieldName field, double x, double y)
{
    message(field, [&] {
        real("x", x);
        real("y", y);
    });
}

void OsiWriter::orientation(FieldName field, Orientation value)
{
    message(field, [&] {
        real("roll", value.roll);
        real("pitch", value.pitch);
        real("yaw", value.yaw);
    });
}

void OsiWriter::dimension(FieldName field, Vector value)
{
    message(field, [&] {
        real("length", value.x);
        real("width", value.y);
        real("height", value.z);
    });
}

void OsiWriter::mounting_position(FieldName field, Vector position, Orientation turned)
{
    message(field, [&] {
        vector("position", position);
        orientation("orientation", turned);
    });
}

void OsiWriter::spherical(FieldName field, double distance, double azimuth, double elevation)
{
    message(field, [&] {
        real("distance", distance);
        real("azimuth", azimuth);
        real("elevation", elevation);
    });
}

void OsiWriter::colour(FieldName field, Colour value)
{
    message(field, [&] {
        message("rgb", [&] {
            real("red", value.red);
            real("green", value.green);
            real("blue", value.blue);
        });
    });
}

void OsiWriter::view(FieldName field, const MessageView& view) { write_view(tag(field), view, raw()); }

}  // namespace ositrace::scene
