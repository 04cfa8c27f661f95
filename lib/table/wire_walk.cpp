// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <string>

#include <ositrace/element_name.hpp>
#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/protobuf/oneof_choice.hpp"
#include "formats/view/element_id.hpp"
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
    recording_ = nullptr;
    try {
        message(payload.data(), payload.data() + payload.size(), tree, {&frames, picks_.open(), 0});
    } catch (const BrokenField& broken) {
        fail(broken, payload, *tree.table);
    }
}

void WireWalk::message(const std::byte* at, const std::byte* end, const Node& node, const Place& place)
{
    const wire::OneofChoice oneofs({at, end}, *node.table, place.depth);
    while (at != end) {
        const auto* const start = at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        if (value == nullptr) throw BrokenField{start, end, node.table};
        const auto first = oneofs.is_replaced(tag, start) ? none : node.find(tag);
        if (first != none) {
            const auto& action = node.actions[first];
            const bool has_shapes = action.shapes != none && action.next == none && recording_ == nullptr;
            at = has_shapes ? run(start, value, end, action, place) : take(value, end, tag, node, first, place);
        } else {
            at = skip(value, end, tag, place.depth);
            if (recording_ != nullptr && at != nullptr) leave_out(value, at, tag);
        }
        if (at == nullptr) throw BrokenField{start, end, node.table};
    }
}

/// Of a field that nobody wants only the place counts. Groups stay as they are.
void WireWalk::leave_out(const std::byte* value, const std::byte* next, std::uint32_t tag)
{
    const auto wire_type = wire::wire_type_of(tag);
    std::size_t length = 0;
    if (wire_type == wire::length_delimited) value = wire::read_length(value, next, length);
    if (wire_type != wire::start_group) recording_->value(value, next, wire_type);
}

const std::byte* WireWalk::take(const std::byte* at, const std::byte* end, std::uint32_t tag, const Node& node,
                                std::size_t first, const Place& place)
{
    const auto& field = *node.actions[first].field;
    if (wire::wire_type_of(tag) != wire::length_delimited) {
        std::uint64_t stored = 0;
        const auto* const next = read_scalar(field, at, end, stored);
        if (next == nullptr) return nullptr;
        for (auto i = first; i != none; i = node.actions[i].next) scalar(stored, {at, next}, node.actions[i], place);
        return next;
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
            element(payload, end, action, place);
        else
            text(payload, action, place);
    }
    return at + length;
}

/// The element that begins with its tag at `start`, and those after it that begin with the same tag and length as long
/// as they have the same shape, too: these are read many at once. After the last one.
const std::byte* WireWalk::run(const std::byte* start, const std::byte* value, const std::byte* end,
                               const Action& action, const Place& place)
{
    std::size_t length = 0;
    const auto* const payload = wire::read_length(value, end, length);
    if (payload == nullptr) return nullptr;
    const auto* const shape = shapes_[action.shapes].find(payload, static_cast<std::uint32_t>(length));
    const auto head = static_cast<std::size_t>(payload - start);
    const auto stride = head + length;
    if (shape == nullptr || !shape->is_flat() || head >= 8) {
        entry({payload, length}, shape, action, place);
        return payload + length;
    }
    const auto word = [&](const std::byte* at) { return load_le64(at) << (64 - 8 * head); };
    const auto goes_on = [&](const std::byte* at) {
        const auto left = static_cast<std::size_t>(end - at);
        return left >= stride && left >= 8 && word(at) == word(start) && shape->matches(at + head);
    };
    constexpr std::size_t block = 64;  // column by column is several times as fast as row by row
    std::array<const std::byte*, block> elements;
    auto& level = store_.level(action.level);
    auto* const source = action.source == none ? nullptr : &store_.column(action.source);
    const auto* at = start;
    do {
        std::size_t count = 0;
        do {
            elements[count++] = at + head;
            at += stride;
        } while (count != block && goes_on(at));
        shape->read_all({elements.data(), count}, store_, level, source, action.source_bits);
    } while (goes_on(at));
    return at;
}

void WireWalk::entry(Bytes payload, const Shape* shape, const Action& action, const Place& place)
{
    const auto* const end = payload.data() + payload.size();
    const auto length = static_cast<std::uint32_t>(payload.size());
    auto& level = store_.level(action.level);
    store_.begin_entry(level);
    if (action.source != none) store_.set(store_.column(action.source), level, action.source_bits);
    if (shape != nullptr) {
        shape->read(payload.data(), store_);
    } else if (auto& shapes = shapes_[action.shapes]; shapes.wants(length)) {
        Recording recording(payload);
        recording_ = &recording;
        message(payload.data(), end, *action.child, {&level, picks_.open(), place.depth + 1});
        set_zeros(action, level);
        recording_ = nullptr;
        shapes.add(length, recording.depends_on_values ? nullptr : std::make_unique<Shape>(payload, recording, level));
    } else {
        message(payload.data(), end, *action.child, {&level, picks_.open(), place.depth + 1});
        set_zeros(action, level);
    }
    store_.end_entry(level);
}

/// `message_end`: of the message that has the element.
void WireWalk::element(Bytes payload, const std::byte* message_end, const Action& action, const Place& place)
{
    const auto* const at = payload.data();
    const auto* const end = at + payload.size();
    switch (action.what) {
    case Action::What::message:
        message(at, end, *action.child, {place.level, place.scope, place.depth + 1});
        return set_zeros(action, *place.level);
    case Action::What::elements: {
        auto& level = store_.level(action.level);
        begin(level);
        if (action.source != none) store_.set(store_.column(action.source), level, action.source_bits);
        message(at, end, *action.child, {&level, picks_.open(), place.depth + 1});
        set_zeros(action, level);
        return finish(level);
    }
    case Action::What::name: return name(payload, action, *place.level);
    default:
        if (is_picked(payload, message_end, action, place)) {
            message(at, end, *action.child, {place.level, picks_.open(), place.depth + 1});
            set_zeros(action, *place.level);
        } else if (recording_ != nullptr) {
            recording_->value(at, end, wire::length_delimited);
        }
    }
}

/// After the message of an action.
void WireWalk::set_zeros(const Action& action, LevelData& level)
{
    for (const auto zero : action.zeros) {
        auto& column = store_.column(zero);
        if (store_.is_set(column, level)) continue;
        store_.set(column, level, 0);
        if (recording_ != nullptr) recording_->zero(&column, &level);
    }
}

bool WireWalk::is_picked(Bytes element, const std::byte* end, const Action& action, const Place& place)
{
    if (action.what == Action::What::index) return picks_.is_at(action.pick, place.scope, action.argument);
    if (action.what == Action::What::probable) {
        auto& best = picks_.seen(action.pick + 1, place.scope);
        if (picks_.seen(action.pick, place.scope) == 0) best = most_probable(element, end, action);
        return picks_.is_at(action.pick, place.scope, best);
    }
    if (recording_ != nullptr) recording_->depends_on_values = true;
    auto& found = picks_.seen(action.pick, place.scope);
    if (found != 0) return false;
    try {
        const MessageView view(element, *action.field->child, {});
        const bool is_it = action.what == Action::What::id ? has_element_id(view, action.argument)
                                                           : name_of(view, action.names) == action.argument_name;
        if (is_it) found = 1;
    } catch (const Error& error) {
        const auto offset = static_cast<std::uint64_t>(element.data() - payload_.data());
        throw error.within({.offset = offset, .field = std::string(action.field->name)});
    }
    return found != 0;
}

/// Of the elements from the first one up to the end of the message. What is broken after them is found by who reads it.
std::uint64_t WireWalk::most_probable(Bytes first, const std::byte* end, const Action& action)
{
    const auto& probability = *probability_of(*action.field->child);
    std::uint64_t best = 0, count = 0;
    double highest = unstated;
    const auto* at = first.data() + first.size();
    for (auto element = first;;) {
        try {
            const auto stated = as_real(MessageView(element, *action.field->child, {}).get(probability));
            if (stated && *stated > highest) {
                highest = *stated;
                best = count;
            }
        } catch (const Error& error) {
            const auto offset = static_cast<std::uint64_t>(element.data() - payload_.data());
            throw error.within({.offset = offset, .field = std::string(action.field->name)});
        }
        ++count;
        std::uint32_t tag = 0;
        do {
            const auto* const value = at == end ? nullptr : wire::read_tag(at, end, tag);
            at = value == nullptr ? nullptr : skip(value, end, tag, 0);
            std::size_t length = 0;
            if (at != nullptr && wire::wire_type_of(tag) == wire::length_delimited)
                element = Bytes(wire::read_length(value, at, length), at);
        } while (at != nullptr && tag != wire::make_tag(action.field->number, wire::length_delimited));
        if (at == nullptr) break;
    }
    if (recording_ != nullptr && count > 1) recording_->depends_on_values = true;
    return best;
}

void WireWalk::packed(Bytes elements, const Action& action, const Place& place)
{
    const auto* at = elements.data();
    const auto* const end = at + elements.size();
    while (at != end) {
        std::uint64_t stored = 0;
        const auto* const next = read_scalar(*action.field, at, end, stored);
        if (next == nullptr) throw BrokenField{at, end, nullptr, action.field};
        scalar(stored, {at, next}, action, place);
        at = next;
    }
}

void WireWalk::scalar(std::uint64_t stored, Bytes wire, const Action& action, const Place& place)
{
    if (recording_ != nullptr) recording_->value(wire.data(), wire.data() + wire.size(), action.field->wire_type);
    auto& column = store_.column(action.column);
    if (action.what == Action::What::elements) {
        auto& level = store_.level(action.level);
        begin(level);
        set(stored, wire, action, column, level);
        return finish(level);
    }
    if (action.what == Action::What::value || picks_.is_at(action.pick, place.scope, action.argument))
        set(stored, wire, action, column, *place.level);
}

void WireWalk::set(std::uint64_t stored, Bytes wire, const Action& action, ColumnData& column, LevelData& level)
{
    store_.set(column, level, stored);
    if (recording_ != nullptr) recording_->step(Recording::Step::What::set, action.field, &column, &level, wire);
}

void WireWalk::text(Bytes value, const Action& action, const Place& place)
{
    if (recording_ != nullptr) recording_->value(value.data(), value.data() + value.size(), wire::length_delimited);
    auto& column = store_.column(action.column);
    if (action.what == Action::What::elements) {
        auto& level = store_.level(action.level);
        begin(level);
        set_text(value, action, column, level);
        return finish(level);
    }
    if (action.what == Action::What::value || picks_.is_at(action.pick, place.scope, action.argument))
        set_text(value, action, column, *place.level);
}

/// Of one reference; the first one with a name decides.
void WireWalk::name(Bytes reference, const Action& action, LevelData& level)
{
    auto& column = store_.column(action.column);
    const auto* at = reference.data();
    const auto* const end = at + reference.size();
    if (store_.is_set(column, level)) {
        if (recording_ != nullptr) recording_->value(at, end, wire::length_delimited);
        return;
    }
    const auto wanted = wire::make_tag(action.names.identifier->number, wire::length_delimited);
    ReferenceName reader;
    while (at != end) {
        const auto* const start = at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        at = value == nullptr ? nullptr : skip(value, end, tag, 0);
        if (at == nullptr) throw BrokenField{start, end, action.field->child};
        if (tag != wanted) {
            if (recording_ != nullptr) leave_out(value, at, tag);
            continue;
        }
        std::size_t length = 0;
        const auto identifier = text_of(Bytes(wire::read_length(value, at, length), at));
        if (recording_ != nullptr) {
            const auto decides = ReferenceName::deciding_bytes(identifier);
            recording_->value(at - identifier.size() + decides, at, wire::length_delimited);
        }
        const auto name = reader.next(identifier);
        if (!name.empty()) return set_text({at - name.size(), at}, action, column, level);
    }
}

void WireWalk::set_text(Bytes value, const Action& action, ColumnData& column, LevelData& level)
{
    store_.set_text(column, level, value);
    if (recording_ != nullptr) recording_->step(Recording::Step::What::set_text, action.field, &column, &level, value);
}

void WireWalk::begin(LevelData& level)
{
    store_.begin_entry(level);
    if (recording_ != nullptr) recording_->entry(Recording::Step::What::begin_entry, &level);
}

void WireWalk::finish(LevelData& level)
{
    store_.end_entry(level);
    if (recording_ != nullptr) recording_->entry(Recording::Step::What::end_entry, &level);
}

}  // namespace ositrace::table
