// SPDX-License-Identifier: MPL-2.0
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/view/element_id.hpp"
#include "formats/view/scalar_value.hpp"
#include "lib/table/walk.hpp"

namespace ositrace::table {

namespace {

/// One field after its tag; nullptr when broken.
inline const std::byte* skip(const std::byte* at, const std::byte* end, std::uint32_t tag, int depth) noexcept
{
    if (wire::wire_type_of(tag) != wire::length_delimited)
        return wire::skip_field(at, end, tag, max_message_depth - depth);
    std::size_t length = 0;
    at = wire::read_length(at, end, length);
    return at == nullptr ? nullptr : at + length;
}

/// Reads a scalar as a FlatBuffer would store it; nullptr when broken.
inline const std::byte* read_scalar(const FieldRow& field, const std::byte* at, const std::byte* end,
                                    std::uint64_t& stored) noexcept
{
    if (field.wire_type == wire::fixed64) {
        if (end - at < 8) return nullptr;
        stored = load_le64(at);
        return at + 8;
    }
    if (field.wire_type == wire::fixed32) {
        if (end - at < 4) return nullptr;
        stored = load_le32(at);
        return at + 4;
    }
    at = wire::read_varint(at, end, stored);
    stored = wire::decode_varint(field.kind, stored);
    return at;
}

/// `moving_object[3].base.` of the message that contains a byte of the payload; all before it is whole.
std::string path_to(const std::byte* where, Bytes message, const MessageTable& table)
{
    std::vector<std::size_t> counts(table.fields.size());
    const auto* at = message.data();
    const auto* const end = at + message.size();
    while (at < end) {
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        const auto* const next = value == nullptr ? nullptr : skip(value, end, tag, 0);
        if (next == nullptr) return {};
        const auto* const field = table.find(wire::number_of(tag));
        at = next;
        if (field == nullptr || field->kind != FieldKind::message || field->wire_type != wire::wire_type_of(tag))
            continue;
        const auto place = counts[field->index]++;
        std::size_t length = 0;
        const auto* const payload = wire::read_length(value, end, length);
        if (where < payload || where >= next) continue;
        return std::string(field->name) + (field->repeated ? '[' + std::to_string(place) + ']' : "") + '.' +
               path_to(where, {payload, length}, *field->child);
    }
    return {};
}

[[noreturn]] void fail(const BrokenField& broken, Bytes payload, const MessageTable& root)
{
    const auto* field = broken.packed;
    std::string reason = "the packed elements end in the middle of one";
    if (field == nullptr) {
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(broken.start, broken.end, tag);
        const auto number = wire::number_of(tag);
        field = value == nullptr ? nullptr : broken.table->find(number);
        reason = value == nullptr ? wire::why_broken_tag(broken.start, broken.end)
                                  : wire::why_broken(value, broken.end, wire::wire_type_of(tag));
        if (value != nullptr && field == nullptr)
            reason = "field " + std::to_string(number) + " (unknown to the schema): " + reason;
    }
    auto path = path_to(broken.start, payload, root);
    if (field != nullptr)
        path += field->name;
    else if (!path.empty())
        path.pop_back();
    throw Error(Cause::malformed,
                {.offset = static_cast<std::uint64_t>(broken.start - payload.data()), .field = std::move(path)},
                reason);
}

}  // namespace

void WireWalk::walk(Bytes payload, const Node& tree, LevelData& frames)
{
    payload_ = payload;
    try {
        message(payload.data(), payload.data() + payload.size(), tree, {&frames, picks_.open(), 0});
    } catch (const BrokenField& broken) {
        fail(broken, payload, *tree.table);
    }
}

void WireWalk::message(const std::byte* at, const std::byte* end, const Node& node, const Place& place)
{
    while (at != end) {
        const auto* const start = at;
        std::uint32_t tag = 0;
        at = wire::read_tag(at, end, tag);
        if (at == nullptr) throw BrokenField{start, end, node.table};
        const auto first = node.find(tag);
        at = first == none ? skip(at, end, tag, place.depth) : take(at, end, tag, node, first, place);
        if (at == nullptr) throw BrokenField{start, end, node.table};
    }
}

const std::byte* WireWalk::take(const std::byte* at, const std::byte* end, std::uint32_t tag, const Node& node,
                                std::size_t first, const Place& place)
{
    const auto& field = *node.actions[first].field;
    if (wire::wire_type_of(tag) != wire::length_delimited) {
        std::uint64_t stored = 0;
        at = read_scalar(field, at, end, stored);
        if (at == nullptr) return nullptr;
        for (auto i = first; i != none; i = node.actions[i].next) scalar(stored, node.actions[i], place);
        return at;
    }
    std::size_t length = 0;
    at = wire::read_length(at, end, length);
    if (at == nullptr) return nullptr;
    const Bytes payload(at, length);
    for (auto i = first; i != none; i = node.actions[i].next) {
        const auto& action = node.actions[i];
        if (is_scalar(field.kind))
            packed(payload, action, place);
        else if (field.kind == FieldKind::message)
            element(payload, action, place);
        else
            text(payload, action, place);
    }
    return at + length;
}

void WireWalk::element(Bytes payload, const Action& action, const Place& place)
{
    const auto* const at = payload.data();
    const auto* const end = at + payload.size();
    switch (action.what) {
    case Action::What::message: return message(at, end, *action.child, {place.level, place.scope, place.depth + 1});
    case Action::What::elements: {
        auto& level = store_.level(action.level);
        store_.begin_entry(level);
        if (action.source != none) store_.set(store_.column(action.source), level, action.source_bits);
        message(at, end, *action.child, {&level, picks_.open(), place.depth + 1});
        return store_.end_entry(level);
    }
    default:
        if (is_picked(payload, action, place))
            message(at, end, *action.child, {place.level, picks_.open(), place.depth + 1});
    }
}

bool WireWalk::is_picked(Bytes element, const Action& action, const Place& place)
{
    if (action.what == Action::What::index) return picks_.is_at(action.pick, place.scope, action.argument);
    auto& found = picks_.seen(action.pick, place.scope);
    if (found != 0) return false;
    try {
        if (has_element_id(MessageView(element, *action.field->child, {}), action.argument)) found = 1;
    } catch (const Error& error) {
        const auto offset = static_cast<std::uint64_t>(element.data() - payload_.data());
        throw error.within({.offset = offset, .field = std::string(action.field->name)});
    }
    return found != 0;
}

void WireWalk::packed(Bytes elements, const Action& action, const Place& place)
{
    const auto* at = elements.data();
    const auto* const end = at + elements.size();
    while (at != end) {
        std::uint64_t stored = 0;
        const auto* const next = read_scalar(*action.field, at, end, stored);
        if (next == nullptr) throw BrokenField{at, end, nullptr, action.field};
        scalar(stored, action, place);
        at = next;
    }
}

void WireWalk::scalar(std::uint64_t stored, const Action& action, const Place& place)
{
    auto& column = store_.column(action.column);
    if (action.what == Action::What::elements) {
        auto& level = store_.level(action.level);
        store_.begin_entry(level);
        store_.set(column, level, stored);
        return store_.end_entry(level);
    }
    if (action.what != Action::What::value && !picks_.is_at(action.pick, place.scope, action.argument)) return;
    store_.set(column, *place.level, stored);
}

void WireWalk::text(Bytes value, const Action& action, const Place& place)
{
    auto& column = store_.column(action.column);
    if (action.what == Action::What::elements) {
        auto& level = store_.level(action.level);
        store_.begin_entry(level);
        store_.set_text(column, level, value);
        return store_.end_entry(level);
    }
    if (action.what != Action::What::value && !picks_.is_at(action.pick, place.scope, action.argument)) return;
    store_.set_text(column, *place.level, value);
}

}  // namespace ositrace::table
