// SPDX-License-Identifier: MPL-2.0
#include <bit>
#include <string>

#include <ositrace/element_name.hpp>
#include <ositrace/error.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/view/element_id.hpp"
#include "lib/table/walk.hpp"

namespace ositrace::table {

namespace {

std::uint64_t load_stored(const std::byte* from, std::uint8_t bytes) noexcept
{
    return bytes == 8 ? load_le64(from) : bytes == 4 ? load_le32(from) : load<std::uint8_t>(from);
}

}  // namespace

void FlatWalk::walk(Bytes payload, const Node& tree, LevelData& frames)
{
    const flat::Buffer buffer(payload);
    buffer_ = &buffer;
    table(flat::root_of(buffer), tree, {&frames, picks_.open(), 0});
}

void FlatWalk::table(std::uint32_t position, const Node& node, const Place& place)
{
    const auto vtable = flat::vtable_of(*buffer_, position);
    for (const auto& action : node.actions) {
        const auto& wanted = *action.field;
        const auto offset = vtable.offset(*buffer_, wanted.slot(layout_));
        if (offset == 0) continue;
        try {
            buffer_->check(std::uint64_t{position} + offset, wanted.repeated ? 4 : wanted.flat_size,
                           "a table leaves the buffer");
            field(position + offset, action, place);
        } catch (const Error& error) {
            throw wanted.repeated ? error : error.within({.field = std::string(wanted.name)});
        }
    }
}

void FlatWalk::field(std::uint32_t at, const Action& action, const Place& place)
{
    if (action.field->repeated) return repeated(at, action, place);
    if (action.what != Action::What::message) return value(at, action, place);
    table(buffer_->follow(at), *action.child, {place.level, place.scope, place.depth + 1});
    set_zeros(action, *place.level);
}

void FlatWalk::repeated(std::uint32_t at, const Action& action, const Place& place)
{
    const auto& field = *action.field;
    const auto vector = [&] {
        try {
            return flat::vector_at(*buffer_, buffer_->follow(at), field.flat_size);
        } catch (const Error& error) {
            throw error.within({.field = std::string(field.name)});
        }
    }();
    if (action.what == Action::What::name) return name(vector, action, *place.level);
    const auto visit = [&](std::uint32_t i) {
        try {
            const auto element = vector.first + i * field.flat_size;
            if (action.what == Action::What::id && !has_id(element, action)) return false;
            if (action.what == Action::What::named) {
                const auto references = vector_in(buffer_->follow(element), *action.names.reference);
                if (text_of(name_in(references, action.names)) != action.argument_name) return false;
            }
            one(element, action, place);
            return true;
        } catch (const Error& error) {
            throw error.within({.field = std::string(field.name) + '[' + std::to_string(i) + ']'});
        }
    };
    if (action.what == Action::What::index || action.what == Action::What::probable) {
        const auto picked = action.what == Action::What::index ? action.argument : most_probable(vector, action);
        if (picked < vector.count) visit(static_cast<std::uint32_t>(picked));
        return;
    }
    for (std::uint32_t i = 0; i != vector.count; ++i)
        if (visit(i) && action.pick != none) return;
}

void FlatWalk::one(std::uint32_t at, const Action& action, const Place& place)
{
    auto inner = place;
    ++inner.depth;
    if (action.child) inner.scope = picks_.open();
    if (action.what == Action::What::elements) {
        inner.level = &store_.level(action.level);
        store_.begin_entry(*inner.level);
        if (action.source != none) store_.set(store_.column(action.source), *inner.level, action.source_bits);
    }
    if (action.child)
        table(buffer_->follow(at), *action.child, inner);
    else
        value(at, action, inner);
    set_zeros(action, *inner.level);
    if (action.what == Action::What::elements) store_.end_entry(*inner.level);
}

/// As that of WireWalk.
void FlatWalk::set_zeros(const Action& action, LevelData& level)
{
    for (const auto zero : action.zeros)
        if (auto& column = store_.column(zero); !store_.is_set(column, level)) store_.set(column, level, 0);
}

void FlatWalk::value(std::uint32_t at, const Action& action, const Place& place)
{
    const auto& field = *action.field;
    auto& column = store_.column(action.column);
    if (is_scalar(field.kind)) {
        const auto stored = load_stored(buffer_->at(at), field.flat_size);
        return store_.set(column, *place.level, field.kind == FieldKind::bool_ ? (stored != 0 ? 1 : 0) : stored);
    }
    const auto bytes = flat::vector_at(*buffer_, buffer_->follow(at), 1);
    // Elements of `repeated bytes` are strings, too: FlatBuffers has no vectors of vectors.
    if (field.kind == FieldKind::string || field.repeated)
        flat::check_terminator(*buffer_, std::uint64_t{bytes.first} + bytes.count);
    store_.set_text(column, *place.level, {buffer_->at(bytes.first), bytes.count});
}

/// Of the field of the table at `position`; empty: it is not set.
flat::Vector FlatWalk::vector_in(std::uint32_t position, const FieldRow& field) const
try {
    const auto offset = flat::vtable_of(*buffer_, position).offset(*buffer_, field.slot(layout_));
    if (offset == 0) return {};
    buffer_->check(std::uint64_t{position} + offset, 4, "a table leaves the buffer");
    return flat::vector_at(*buffer_, buffer_->follow(position + offset), field.flat_size);
} catch (const Error& error) {
    throw error.within({.field = std::string(field.name)});
}

Bytes FlatWalk::string_at(std::uint32_t at) const
{
    const auto bytes = flat::vector_at(*buffer_, buffer_->follow(at), 1);
    flat::check_terminator(*buffer_, std::uint64_t{bytes.first} + bytes.count);
    return {buffer_->at(bytes.first), bytes.count};
}

/// Of the first reference that has one; empty: none has.
Bytes FlatWalk::name_in(flat::Vector references, const NameFields& fields) const
{
    for (std::uint32_t i = 0; i != references.count; ++i) {
        const auto reference = buffer_->follow(references.first + i * fields.reference->flat_size);
        const auto identifiers = vector_in(reference, *fields.identifier);
        ReferenceName reader;
        for (std::uint32_t j = 0; j != identifiers.count; ++j) {
            const auto identifier = string_at(identifiers.first + j * fields.identifier->flat_size);
            const auto name = reader.next(text_of(identifier));
            if (!name.empty()) return identifier.last(name.size());
        }
    }
    return {};
}

void FlatWalk::name(flat::Vector references, const Action& action, LevelData& level)
{
    auto& column = store_.column(action.column);
    const auto name = name_in(references, action.names);
    if (!name.empty() && !store_.is_set(column, level)) store_.set_text(column, level, name);
}

std::uint64_t FlatWalk::most_probable(flat::Vector candidates, const Action& action) const
{
    const auto& probability = *probability_of(*action.field->child);
    std::uint64_t best = 0;
    double highest = unstated;
    const auto stated_by = [&](std::uint32_t i) {
        const auto position = buffer_->follow(candidates.first + i * action.field->flat_size);
        const auto offset =
            std::uint32_t{flat::vtable_of(*buffer_, position).offset(*buffer_, probability.slot(layout_))};
        if (offset == 0) return unstated;
        buffer_->check(std::uint64_t{position} + offset, probability.flat_size, "a table leaves the buffer");
        return std::bit_cast<double>(load_le64(buffer_->at(position + offset)));
    };
    for (std::uint32_t i = 0; i != candidates.count; ++i) {
        try {
            if (const auto stated = stated_by(i); stated > highest) {
                highest = stated;
                best = i;
            }
        } catch (const Error& error) {
            throw error.within({.field = std::string(action.field->name) + '[' + std::to_string(i) + ']'});
        }
    }
    return best;
}

bool FlatWalk::has_id(std::uint32_t at, const Action& action) const
{
    const auto fields = *id_fields(*action.field->child);  // FieldPath refuses a type without an id
    auto position = buffer_->follow(at);
    // Where a field of the table at `position` is stored; 0: it is not set.
    const auto place_of = [&](const FieldRow& field, std::uint32_t size) {
        const auto offset = std::uint32_t{flat::vtable_of(*buffer_, position).offset(*buffer_, field.slot(layout_))};
        if (offset == 0) return offset;
        buffer_->check(std::uint64_t{position} + offset, size, "a table leaves the buffer");
        return position + offset;
    };
    constexpr std::uint32_t reference_size = 4;
    const auto* number = fields.value == nullptr ? fields.id : fields.value;
    for (const auto* const message : {fields.header, fields.value == nullptr ? nullptr : fields.id}) {
        if (message == nullptr) continue;
        const auto place = place_of(*message, reference_size);
        if (place == 0) return false;
        position = buffer_->follow(place);
    }
    const auto place = place_of(*number, number->flat_size);
    // An identifier whose value is left out reads as 0.
    if (place == 0) return fields.value != nullptr && action.argument == 0;
    const auto stored = load_stored(buffer_->at(place), number->flat_size);
    return static_cast<std::uint64_t>(integer_of(*number, stored)) == action.argument;
}

}  // namespace ositrace::table
