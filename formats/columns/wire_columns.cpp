// SPDX-License-Identifier: MPL-2.0
#include "formats/columns/wire_columns.hpp"

#include <algorithm>
#include <array>

#include <ositrace/limits.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/core/byte_shuffle.hpp"
#include "formats/protobuf/oneof_choice.hpp"
#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

/// One field after its tag; nullptr when broken.
const std::byte* skip(const std::byte* at, const std::byte* end, std::uint32_t tag) noexcept
{
    if (wire::wire_type_of(tag) != wire::length_delimited) return wire::skip_field(at, end, tag, max_message_depth);
    std::size_t length = 0;
    at = wire::read_length(at, end, length);
    return at == nullptr ? nullptr : at + length;
}

std::uint64_t stored_value(const FieldRow& field, const std::byte* at, const std::byte* end) noexcept
{
    if (field.wire_type == wire::fixed64) return load_le64(at);
    if (field.wire_type == wire::fixed32) return load_le32(at);
    std::uint64_t raw = 0;
    static_cast<void>(wire::read_varint(at, end, raw));
    return wire::decode_varint(field.kind, raw);
}

/// The plain way: field by field. A later value of a field replaces an earlier one and messages merge, as everywhere.
void read_message(Bytes message, const ColumnPlan& plan, ColumnStore& to)
{
    const wire::OneofChoice oneofs(message, *plan.table, 0);
    const auto* at = message.data();
    const auto* const end = at + message.size();
    while (at != end) {
        const auto* const start = at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        at = value == nullptr ? nullptr : skip(value, end, tag);
        if (at == nullptr) throw BrokenWire{start, end, plan.table};
        const auto* const field = plan.table->find(wire::number_of(tag));
        if (field == nullptr || field->wire_type != wire::wire_type_of(tag)) continue;
        const auto& action = plan.actions[field->index];
        if (!action.wanted() || oneofs.is_replaced(tag, start)) continue;
        if (field->kind == FieldKind::message) {
            std::size_t length = 0;
            const auto* const payload = wire::read_length(value, end, length);
            if (action.column != ColumnPlan::no_column) to.mark(action.column);
            if (action.child) read_message({payload, length}, *action.child, to);
        } else {
            to.set(action.column, column_bits(*field, stored_value(*field, value, end)));
        }
    }
}

/// Elements of which each is somewhere.
struct Scattered {
    std::span<const std::byte* const> elements;
    [[nodiscard]] std::size_t size() const noexcept { return elements.size(); }
    const std::byte* operator[](std::size_t i) const noexcept { return elements[i]; }
};

/// Elements that follow each other.
struct Equidistant {
    const std::byte* first;
    std::size_t stride, count;
    [[nodiscard]] std::size_t size() const noexcept { return count; }
    const std::byte* operator[](std::size_t i) const noexcept { return first + i * stride; }
};

template <class Elements, class Load>
void fill(std::byte* to, const Elements& elements, std::uint32_t from, Load load) noexcept
{
    const auto count = elements.size();
    for (std::size_t i = 0; i != count; ++i) store_le64(to + 8 * i, load(elements[i] + from));
}

}  // namespace

template <class Elements>
void ElementShape::read(const Elements& elements, ColumnStore& to) const noexcept
{
    for (const auto& value : eights_)
        fill(to.next(value.column), elements, value.from, [](const std::byte* at) { return load_le64(at); });
    for (const auto& value : others_) {
        fill(to.next(value.column), elements, value.from,
             [&field = *value.field, length = value.length](const std::byte* at) {
                 const auto stored = field.wire_type == wire::fixed64 ? load_le64(at)
                                     : field.wire_type == wire::fixed32
                                         ? load_le32(at)
                                         : wire::decode_varint(field.kind, read_known_varint(at, length));
                 return column_bits(field, stored);
             });
    }
    for (const auto column : unset_) std::fill_n(to.next(column), 8 * elements.size(), std::byte{0});
    to.add_rows(elements.size(), presence_);
}

#if defined(__x86_64__)
OSITRACE_SHUFFLES_BYTES
#endif
std::size_t ElementShape::read_shuffled([[maybe_unused]] const std::byte* first, [[maybe_unused]] std::size_t count,
                                        [[maybe_unused]] ColumnStore& to) const noexcept
{
#if defined(__x86_64__)
    constexpr std::size_t width = ByteShuffle::width, most_columns = 4;
    const auto stride = run_front_.size(), columns = eights_.size();
    if (!shuffles_bytes() || !others_.empty() || columns > most_columns || stride > width ||
        count < ByteShuffle::least_elements)
        return 0;
    const auto at_once = std::min(width / stride, width / 8);
    std::array<std::byte, width> structure{}, mask{};
    std::array<ByteShuffle, most_columns> shuffles;
    std::array<std::byte*, most_columns> places{};
    for (std::size_t element = 0; element != at_once; ++element) {
        std::ranges::copy(run_front_, structure.begin() + static_cast<std::ptrdiff_t>(element * stride));
        std::ranges::copy(run_mask_, mask.begin() + static_cast<std::ptrdiff_t>(element * stride));
        for (std::size_t i = 0; i != columns; ++i)
            shuffles[i].take(element * stride + head_.size() + eights_[i].from, 8 * element, 8);
    }
    for (std::size_t i = 0; i != columns; ++i) places[i] = to.next(eights_[i].column);
    const auto expected = _mm512_loadu_si512(structure.data()), compared = _mm512_loadu_si512(mask.data());
    const auto rows = static_cast<__mmask8>(ByteShuffle::first(at_once));
    const auto blocks = (count * stride - width) / (at_once * stride) + 1;
    std::size_t done = 0;
    for (; done != blocks * at_once; done += at_once, first += at_once * stride) {
        const auto in = _mm512_loadu_si512(first);
        if (_mm512_test_epi8_mask(_mm512_xor_si512(in, expected), compared) != 0) break;
        for (std::size_t i = 0; i != columns; ++i)
            _mm512_mask_storeu_epi64(
                places[i] + 8 * done, rows,
                _mm512_maskz_permutexvar_epi8(shuffles[i].taken, _mm512_loadu_si512(shuffles[i].source.data()), in));
    }
    for (const auto column : unset_) std::fill_n(to.next(column), 8 * done, std::byte{0});
    if (done != 0) to.add_rows(done, presence_);
    return done;
#else
    return 0;
#endif
}

struct WireColumns::Walk {
    const std::byte* start;  ///< of the parent
    const std::byte* at;
    const std::byte* end;
    std::size_t every;
    ColumnStore& to;
    RowPlaces& places;
    std::size_t index = 0;  ///< of the next element
    std::size_t wanted = 0;

    [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end - at); }
    void row(const std::byte* value)
    {
        places.add(to.rows(), static_cast<std::uint32_t>(value - start));
        to.reserve(1);
        wanted += every;
    }
    /// Room for elements whose payloads begin `distance` before these places, and where these are.
    void rows(std::span<const std::byte* const> elements, std::size_t distance)
    {
        to.reserve(elements.size());
        for (std::size_t i = 0; i != elements.size(); ++i)
            places.add(to.rows() + i, static_cast<std::uint32_t>(elements[i] - distance - start));
    }
};

void WireColumns::read_element(Bytes element, ColumnStore& to)
{
    const auto length = static_cast<std::uint32_t>(element.size());
    if (const auto* const shape = shapes_.find(element.data(), length))
        return shape->read(Equidistant{element.data(), 0, 1}, to);
    to.begin_row();
    read_message(element, *plan_, to);
    to.end_row();
    if (shapes_.wants(length)) shapes_.add(length, ElementShape::make(element, *plan_, to.columns()));
}

// Elements after `first` that begin with the same tag and length: those wanted as long as they have the same shape,
// too.
void WireColumns::run(Walk& walk, const std::byte* first)
{
    const auto stride = static_cast<std::size_t>(walk.at - first);
    std::size_t length = 0;
    std::uint32_t tag = 0;
    const auto* const value = wire::read_tag(first, walk.at, tag);
    const auto* const payload = wire::read_length(value, walk.at, length);
    const auto head_bytes = static_cast<std::size_t>(payload - first);
    if (head_bytes > 4 || stride < 4) return;
    const std::uint32_t mask = head_bytes == 4 ? 0xffff'ffff : (std::uint32_t{1} << 8 * head_bytes) - 1;
    const auto head = load_le32(first) & mask;
    auto* const shape = shapes_.find(payload, static_cast<std::uint32_t>(length));
    if (shape != nullptr && walk.every == 1)
        return run_of_all(walk, *shape, {first, payload}, {payload, length}, static_cast<std::size_t>(value - first));
    std::array<const std::byte*, block_rows> elements;
    std::size_t waiting = 0;
    const auto take = [&] {
        walk.rows({elements.data(), waiting}, static_cast<std::size_t>(payload - value));
        shape->read(Scattered{{elements.data(), waiting}}, walk.to);
        waiting = 0;
    };
    for (; walk.left() >= stride && (load_le32(walk.at) & mask) == head; ++walk.index, walk.at += stride) {
        if (walk.index != walk.wanted) continue;
        if (shape == nullptr || !shape->matches(walk.at + head_bytes)) break;
        elements[waiting++] = walk.at + head_bytes;
        walk.wanted += walk.every;
        if (waiting == block_rows) take();
    }
    if (waiting != 0) take();
}

// The columns of a block are read while it is in the processor's cache.
void WireColumns::run_of_all(Walk& walk, ElementShape& shape, Bytes head, Bytes element, std::size_t tag_bytes)
{
    const auto stride = head.size() + element.size();
    const auto& structure = shape.structure_with(head, element);
    const auto first_row = walk.to.rows();
    const auto place = static_cast<std::uint32_t>(walk.at + tag_bytes - walk.start);
    std::size_t wanted = 0, found = 0;
    do {
        constexpr std::size_t most_shuffled = 1024;  // whose columns are in the cache
        walk.to.reserve(std::min(most_shuffled, walk.left() / stride));
        found = shape.read_shuffled(walk.at, std::min(most_shuffled, walk.left() / stride), walk.to);
        walk.at += found * stride;
    } while (found != 0);
    do {
        wanted = std::min(block_rows, walk.left() / stride);
        found = structure.leading(walk.at, stride, wanted);
        walk.to.reserve(found);
        shape.read(Equidistant{walk.at + head.size(), stride, found}, walk.to);
        walk.at += found * stride;
    } while (found == block_rows);
    const auto rows = walk.to.rows() - first_row;
    if (rows != 0) walk.places.add(first_row, place, static_cast<std::uint32_t>(stride));
    walk.index += rows;
    walk.wanted += rows;
}

std::size_t WireColumns::read(Bytes parent, std::size_t every, ColumnStore& to, RowPlaces& places)
{
    Walk walk{parent.data(), parent.data(), parent.data() + parent.size(), every, to, places};
    const auto own = wire::make_tag(elements_->number, elements_->wire_type);
    while (walk.at != walk.end) {
        const auto* const start = walk.at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(start, walk.end, tag);
        const auto* const next = value == nullptr ? nullptr : skip(value, walk.end, tag);
        if (next == nullptr) throw BrokenWire{start, walk.end, nullptr};
        walk.at = next;
        if (tag != own) continue;
        if (walk.index == walk.wanted) {
            std::size_t length = 0;
            const auto* const payload = wire::read_length(value, walk.end, length);
            walk.row(value);
            read_element({payload, length}, to);
        }
        ++walk.index;
        run(walk, start);
    }
    return walk.index;
}

}  // namespace ositrace
