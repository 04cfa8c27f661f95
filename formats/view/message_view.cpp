// SPDX-License-Identifier: MPL-2.0
#include <ositrace/message_view.hpp>

#include <string>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/view/flat_access.hpp"
#include "formats/view/protobuf_access.hpp"

namespace ositrace {

namespace {

[[noreturn]] void refuse(const FieldRow& field, std::string_view what)
{
    throw Error(Cause::usage, Location{.field = std::string(field.name)}, what);
}

/// FlatBuffers are read field by field, so whatever breaks is the field's. (Protobuf is scanned: the reader knows which
/// field broke.)
template <class Read>
auto naming(const FieldRow& field, Read&& read)
{
    try {
        return read();
    } catch (const Error& error) {
        throw error.within({.field = std::string(field.name)});
    }
}

}  // namespace

MessageView::MessageView(Bytes payload, const MessageTable& table, Format format)
    : bytes_(payload), table_(&table), format_(format)
{
    if (payload.size() > max_encodable_bytes)
        throw Error(Cause::limit, "a message of " + std::to_string(payload.size()) + " bytes" +
                                      exceeds(max_encodable_bytes, "bytes"));
    if (format.encoding == Encoding::flatbuffers) {
        const flat::Buffer buffer(payload);
        position_ = flat::root_of(buffer);
        static_cast<void>(flat::vtable_of(buffer, position_));
    }
}

void MessageView::check_field(const FieldRow& field, bool repeated) const
{
    if (field.index >= table_->fields.size() || &table_->fields[field.index] != &field)
        refuse(field, "not a field of " + std::string(table_->full_name));
    if (field.repeated != repeated)
        refuse(field, field.repeated ? "a repeated field has no single value" : "not a repeated field");
}

bool MessageView::has(const FieldRow& field) const
{
    check_field(field, field.repeated);
    if (is_protobuf()) return ProtobufAccess::has(*this, field);
    return naming(field, [&] { return FlatAccess::has(*this, field); });
}

std::optional<std::uint64_t> MessageView::stored_scalar(const FieldRow& field) const
{
    if (is_protobuf()) return ProtobufAccess::stored_scalar(*this, field);
    return naming(field, [&] { return FlatAccess::stored_scalar(*this, field); });
}

Value MessageView::get(const FieldRow& field) const
{
    check_field(field, false);
    if (is_scalar(field.kind)) {
        const auto stored = stored_scalar(field);
        return stored ? scalar_value(field, *stored) : Value{};
    }
    if (is_protobuf()) return ProtobufAccess::reference(*this, field);
    return naming(field, [&] { return FlatAccess::reference(*this, field); });
}

RepeatedView MessageView::repeated(const FieldRow& field) const
{
    check_field(field, true);
    if (is_protobuf()) return ProtobufAccess::repeated(*this, field);
    return naming(field, [&] { return FlatAccess::repeated(*this, field); });
}

void MessageView::for_each_element(const FieldRow& field, const std::function<bool(const Value&)>& visit) const
{
    check_field(field, true);
    if (is_protobuf()) return ProtobufAccess::for_each_element(*this, field, visit);
    const auto elements = repeated(field);
    for (std::size_t i = 0; i != elements.size(); ++i)
        if (!visit(elements[i])) return;
}

void MessageView::for_each_field(const std::function<bool(const FieldRow&)>& visit) const
{
    if (is_protobuf()) return ProtobufAccess::for_each_field(*this, visit);
    FlatAccess::for_each_field(*this, visit);
}

std::size_t MessageView::unknown_fields() const
{
    return is_protobuf() ? ProtobufAccess::unknown_fields(*this) : FlatAccess::unknown_fields(*this);
}

const FieldRow* MessageView::singular(std::uint32_t number) const noexcept
{
    const auto* const field = table_->find(number);
    return field == nullptr || field->repeated ? nullptr : field;
}

std::optional<MessageView> MessageView::message(std::uint32_t number) const
{
    const auto* const field = singular(number);
    if (field == nullptr || field->kind != FieldKind::message) return std::nullopt;
    const auto value = get(*field);
    const auto* const found = std::get_if<MessageView>(&value);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

std::optional<std::int64_t> MessageView::integer(std::uint32_t number) const
{
    const auto* const field = singular(number);
    if (field == nullptr || !is_scalar(field->kind) || is_real(field->kind)) return std::nullopt;
    const auto stored = stored_scalar(*field);
    return stored ? std::optional(integer_of(*field, *stored)) : std::nullopt;
}

std::optional<double> MessageView::real(std::uint32_t number) const
{
    const auto* const field = singular(number);
    if (field == nullptr || !is_scalar(field->kind)) return std::nullopt;
    const auto stored = stored_scalar(*field);
    return stored ? std::optional(real_of(*field, *stored)) : std::nullopt;
}

std::optional<std::string_view> MessageView::text(std::uint32_t number) const
{
    const auto* const field = singular(number);
    if (field == nullptr || field->kind != FieldKind::string) return std::nullopt;
    const auto value = get(*field);
    const auto* const found = std::get_if<std::string_view>(&value);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

Value MessageView::operator[](std::string_view field_name) const
{
    const auto* const field = table_->find(field_name);
    return field == nullptr || field->repeated ? Value{} : get(*field);
}

std::size_t RepeatedView::size() const noexcept { return size_; }

Value RepeatedView::operator[](std::size_t i) const
{
    if (i >= size_) refuse(*field_, "element " + std::to_string(i) + " of " + std::to_string(size_));
    try {
        return message_.is_protobuf() ? ProtobufAccess::element(*this, i) : FlatAccess::element(*this, i);
    } catch (const Error& error) {
        auto where = error.where();
        where.field = std::string(field_->name) + '[' + std::to_string(i) + ']';
        throw Error(error.cause(), where, error.reason());
    }
}

std::optional<double> as_real(const Value& value) noexcept
{
    if (const auto* const real = std::get_if<double>(&value)) return *real;
    if (const auto* const real = std::get_if<float>(&value)) return static_cast<double>(*real);
    if (const auto* const number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*number);
    if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
    return std::nullopt;
}

std::optional<std::int64_t> as_integer(const Value& value) noexcept
{
    if (const auto* const number = std::get_if<std::int64_t>(&value)) return *number;
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) return static_cast<std::int64_t>(*number);
    if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
    return std::nullopt;
}

}  // namespace ositrace
