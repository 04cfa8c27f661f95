// SPDX-License-Identifier: MPL-2.0
#include <ositrace/field_path.hpp>

#include <charconv>

#include <ositrace/element_name.hpp>
#include <ositrace/error.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/view/element_id.hpp"

namespace ositrace {

namespace {

[[noreturn]] void refuse(std::string_view path, const std::string& reason)
{
    throw Error(Cause::usage, "field path '" + std::string(path) + "': " + reason);
}

std::string known_fields(const MessageTable& table)
{
    std::string names;
    for (const auto place : table.declared_order)
        names += (names.empty() ? "" : ", ") + std::string(table.fields[place].name);
    return names.empty() ? "it has none" : "known: " + names;
}

const FieldRow& field_named(std::string_view path, const MessageTable& table, std::string_view name)
{
    if (const auto* const field = table.find(name)) return *field;
    refuse(path,
           std::string(table.full_name) + " has no field '" + std::string(name) + "' (" + known_fields(table) + ")");
}

std::uint64_t number_in(std::string_view path, std::string_view text)
{
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size())
        refuse(path, "'[" + std::string(text) + "]' is none of [INDEX], [id=NUMBER], [name=NAME], [*]");
    return number;
}

bool is_integer(const FieldRow& field) noexcept
{
    return !field.repeated && is_scalar(field.kind) && !is_real(field.kind);
}

constexpr std::string_view name_key = "name=";

/// `[name="..."]`: only a quote before the bracket ends it.
bool is_quoted(std::string_view pick) noexcept
{
    return pick.starts_with(name_key) && pick.substr(name_key.size()).starts_with('"');
}

std::string_view unquoted(std::string_view name) noexcept
{
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') return name.substr(1, name.size() - 2);
    return name;
}

}  // namespace

std::size_t bracket_end(std::string_view text, std::size_t at) noexcept
{
    const std::string_view end = is_quoted(text.substr(at + 1)) ? "\"]" : "]";
    const auto first = at + 1 + (end.size() == 1 ? 0 : name_key.size() + 1);
    const auto found = text.find(end, first);
    return found == std::string_view::npos ? found : found + end.size();
}

std::vector<PathPart> path_parts(std::string_view path)
{
    std::vector<PathPart> parts;
    for (auto rest = path;;) {
        const auto name = rest.substr(0, rest.find_first_of(".["));
        auto after = name.size();
        auto& part = parts.emplace_back(PathPart{name, std::nullopt});
        if (after != rest.size() && rest[after] == '[') {
            const auto end = bracket_end(rest, after);
            if (end == std::string_view::npos || (end != rest.size() && rest[end] != '.'))
                refuse(path, "']' is missing in '" + std::string(rest.substr(0, rest.find('.', after))) + "'");
            part.pick = rest.substr(after + 1, end - after - 2);
            after = end;
        }
        if (after == rest.size()) return parts;
        rest.remove_prefix(after + 1);
    }
}

std::string pick_text(const FieldPath::Step& step)
{
    switch (step.pick) {
    case FieldPath::Pick::index: return "[" + std::to_string(step.argument) + "]";
    case FieldPath::Pick::id: return "[id=" + std::to_string(step.argument) + "]";
    case FieldPath::Pick::name: {
        const bool needs_quotes = step.name.starts_with('"') || step.name.find(']') != std::string::npos;
        const std::string quote = needs_quotes ? "\"" : "";
        return "[name=" + quote + step.name + quote + "]";
    }
    default: return {};
    }
}

std::optional<IdFields> id_fields(const MessageTable& table) noexcept
{
    IdFields fields{.header = nullptr, .id = table.find("id"), .value = nullptr};
    if (fields.id == nullptr) {
        fields.header = table.find("header");
        if (fields.header == nullptr || fields.header->repeated || fields.header->child == nullptr) return std::nullopt;
        fields.id = fields.header->child->find("tracking_id");
    }
    if (fields.id == nullptr || fields.id->repeated) return std::nullopt;
    if (is_integer(*fields.id)) return fields;
    fields.value = fields.id->child == nullptr ? nullptr : fields.id->child->find("value");
    if (fields.value == nullptr || !is_integer(*fields.value)) return std::nullopt;
    return fields;
}

std::string_view id_path(const MessageTable& table) noexcept
{
    const auto fields = id_fields(table);
    if (!fields) return {};
    if (fields->header != nullptr) return fields->value == nullptr ? "header.tracking_id" : "header.tracking_id.value";
    return fields->value == nullptr ? "id" : "id.value";
}

std::optional<std::uint64_t> id_of(const MessageView& element, const IdFields& fields)
{
    std::optional<MessageView> header;
    if (fields.header != nullptr) {
        const auto value = element.get(*fields.header);
        const auto* const message = std::get_if<MessageView>(&value);
        if (message == nullptr) return std::nullopt;
        header.emplace(*message);
    }
    auto found = (header ? *header : element).get(*fields.id);
    if (const auto* const message = std::get_if<MessageView>(&found)) {
        found = Value(message->get(*fields.value));
        // An identifier whose value is left out reads as 0, in proto2 as in FlatBuffers, where a default may not be
        // stored at all.
        if (std::holds_alternative<std::monostate>(found)) return 0;
    }
    const auto number = as_integer(found);
    return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

bool has_element_id(const MessageView& element, std::uint64_t wanted)
{
    const auto ids = id_fields(element.table());
    return ids && id_of(element, *ids) == wanted;
}

FieldPath::Step FieldPath::compile_step(const MessageTable& table, std::string_view path, const PathPart& part)
{
    const auto& [name, pick] = part;
    const auto& field = field_named(path, table, name);
    if (!pick) return {&field, field.repeated ? Pick::every : Pick::singular, 0};
    if (!field.repeated) refuse(path, "'" + std::string(name) + "' is not repeated");
    if (*pick == "*") return {&field, Pick::every, 0};
    if (pick->starts_with(name_key)) {
        if (field.child == nullptr || !name_fields(*field.child))
            refuse(path, "the elements of '" + std::string(name) + "' have no name");
        return {&field, Pick::name, 0, std::string(unquoted(pick->substr(name_key.size())))};
    }
    if (!pick->starts_with("id=")) return {&field, Pick::index, number_in(path, *pick)};
    if (field.child == nullptr || !id_fields(*field.child))
        refuse(path, "the elements of '" + std::string(name) + "' have no id");
    return {&field, Pick::id, number_in(path, pick->substr(3))};
}

FieldPath FieldPath::compile(const MessageTable& root, std::string_view path)
{
    FieldPath result;
    result.text_ = path;
    const auto* table = &root;
    const auto parts = path_parts(path);
    for (const auto& part : parts) {
        const auto& step = result.steps_.emplace_back(compile_step(*table, path, part));
        if (&part == &parts.back()) break;
        if (step.field->child == nullptr) refuse(path, "'" + std::string(step.field->name) + "' has no fields");
        if (step.field->repeated && !part.pick)
            refuse(path, "'" + std::string(step.field->name) +
                             "' is repeated: select elements with [INDEX], [id=NUMBER], [name=NAME] or [*]");
        table = step.field->child;
    }
    return result;
}

FieldPath FieldPath::compile_value(const MessageTable& root, std::string_view text)
{
    auto path = compile(root, text);
    const auto* const child = path.leaf().child;
    if (child == nullptr) return path;
    const auto* const value = child->find("value");
    if (value == nullptr || value->repeated || value->child != nullptr || child->fields.size() != 1) {
        std::string names;
        for (const auto place : child->declared_order)
            names += (names.empty() ? "" : ", ") + std::string(child->fields[place].name);
        refuse(text, "is a message, expected one of its fields: " + names);
    }
    const bool is_repeated = path.steps().back().pick == Pick::every && !text.ends_with(']');
    return compile(root, std::string(text) + (is_repeated ? "[*].value" : ".value"));
}

const FieldRow& FieldPath::leaf() const noexcept { return *steps_.back().field; }

bool FieldPath::has_many() const noexcept { return has_many_from(0); }

bool FieldPath::has_many_from(std::size_t place) const noexcept
{
    for (; place < steps_.size(); ++place)
        if (steps_[place].pick == Pick::every) return true;
    return false;
}

Value FieldPath::value_of(const Step& step, const MessageView& message)
{
    if (step.pick == Pick::singular) return message.get(*step.field);
    Value picked;
    std::uint64_t left = step.argument;
    const auto ids = step.pick == Pick::id ? id_fields(*step.field->child) : std::nullopt;
    const auto names = step.pick == Pick::name ? name_fields(*step.field->child) : std::nullopt;
    const auto is_it = [&](const Value& element) {
        if (ids) return id_of(std::get<MessageView>(element), *ids) == step.argument;
        if (names) return name_of(std::get<MessageView>(element), *names) == step.name;
        return left-- == 0;
    };
    if (step.pick == Pick::index && message.format().encoding == Encoding::flatbuffers) {
        const auto elements = message.repeated(*step.field);
        return step.argument < elements.size() ? elements[step.argument] : Value{};
    }
    message.for_each_element(*step.field, [&](const Value& element) {
        const bool found = is_it(element);
        if (found) picked = element;
        return !found;
    });
    return picked;
}

Value FieldPath::get(const MessageView& root) const
{
    if (has_many()) refuse(text_, "names many values, expected one");
    Value value(root);
    for (const auto& step : steps_) {
        const auto* const message = std::get_if<MessageView>(&value);
        if (message == nullptr) return {};
        value = Value(value_of(step, *message));
    }
    return value;
}

void FieldPath::collect(const MessageView& root, std::vector<Value>& out, Unset unset) const
{
    collect_from(root, 0, out, unset);
}

void FieldPath::collect_from(const MessageView& message, std::size_t place, std::vector<Value>& out, Unset unset) const
{
    const auto take = [&](const Value& value) {
        const auto* const next = std::get_if<MessageView>(&value);
        const bool set = !std::holds_alternative<std::monostate>(value);
        if (set && place + 1 == steps_.size())
            out.push_back(value);
        else if (next != nullptr)
            collect_from(*next, place + 1, out, unset);
        else if (!set && unset == Unset::kept && !has_many_from(place + 1))
            out.push_back(value);
        return true;
    };
    const auto& step = steps_[place];
    if (step.pick == Pick::every) return message.for_each_element(*step.field, take);
    take(value_of(step, message));
}

}  // namespace ositrace
