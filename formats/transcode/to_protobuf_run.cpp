// SPDX-License-Identifier: MPL-2.0
// The kernel for runs of tables that hold doubles only (lidar reflections), back to front.
#include "formats/transcode/to_protobuf.hpp"

#include <algorithm>

#include "formats/core/byte_shuffle.hpp"
#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

constexpr std::uint32_t double_bytes = 9;  // tag and value
constexpr std::uint32_t chunk = 4096;      // elements for which memory is reserved at once

struct Tables {
    const flat::Buffer& in;
    std::uint32_t first_slot;  ///< of element 0
    std::uint32_t count;       ///< elements left, from the last one
    std::uint32_t vtable;
    std::uint32_t extent;
    std::array<std::byte, 8> head;  ///< tag and length
    std::uint32_t head_bytes;
};

/// Writes one element: its fields have tags of one byte.
template <unsigned N>
class ElementWriter {
public:
    ElementWriter(const Tables& run, const ProtobufShape::Doubles& shape) noexcept
        : head_(load<std::uint64_t>(run.head.data())), head_bytes_(run.head_bytes)
    {
        for (unsigned n = 0; n != N; ++n) {
            offsets_[n] = shape.offsets[n];
            tags_[n] = shape.tags[n];
        }
    }
    [[nodiscard]] std::size_t stride() const noexcept { return head_bytes_ + double_bytes * N; }
    void operator()(const std::byte* table, std::byte* to) const noexcept
    {
        // The head is stored as eight bytes; what is too much is overwritten by the fields that follow.
        store(to, head_);
        auto* field = to + head_bytes_;
        for (unsigned n = 0; n != N; ++n, field += double_bytes) {
            *field = tags_[n];
            store(field + 1, load<std::uint64_t>(table + offsets_[n]));
        }
    }

private:
    std::uint64_t head_;
    std::size_t head_bytes_;
    std::uint32_t offsets_[N];
    std::byte tags_[N];
};

#if defined(__x86_64__)

/// Several elements at once, from the last one on, as long as their tables follow each other without a gap, as ours do.
/// `to` is the front of what is written already. What differs is left.
template <unsigned N>
OSITRACE_SHUFFLES_BYTES std::uint32_t convert_shuffled(const Tables& run, const ProtobufShape::Doubles& shape,
                                                       std::uint32_t todo, std::byte* to)
{
    constexpr std::uint32_t table_bytes = 8 + 8 * N, width = ByteShuffle::width;
    const auto stride = run.head_bytes + double_bytes * N;
    const auto at_once = std::min(width / table_bytes, width / stride);
    const bool fits = std::ranges::all_of(std::span(shape.offsets).first(N), [](auto at) { return at <= 8 * N; });
    if (at_once == 0 || todo < ByteShuffle::least_elements || run.extent > table_bytes || !fits) return 0;

    // Of the last elements; from block to block all numbers become smaller by the same.
    const auto tables = at_once * table_bytes;
    const auto last_slot = run.first_slot + 4 * (run.count - 1);
    const auto after = std::uint64_t{last_slot} + run.in.load_u32(last_slot) + table_bytes;
    if (after < tables || !run.in.holds(after - tables, tables)) return 0;
    const auto first_table = static_cast<std::uint32_t>(after - tables);
    if (first_table <= last_slot) return 0;
    ByteShuffle shuffle;
    std::array<std::uint32_t, width / 4> offsets{}, soffsets{};
    std::uint16_t soffset_places = 0;
    for (std::uint32_t element = 0; element != at_once; ++element) {
        const auto from = element * table_bytes, out = element * stride;
        std::copy_n(run.head.begin(), run.head_bytes, shuffle.constant.begin() + out);
        for (unsigned n = 0; n != N; ++n) {
            const auto field = out + run.head_bytes + double_bytes * n;
            shuffle.constant[field] = shape.tags[n];
            shuffle.take(from + shape.offsets[n], field + 1, 8);
        }
        soffsets[from / 4] = first_table + from - run.vtable;
        soffset_places |= static_cast<std::uint16_t>(1u << from / 4);
        offsets[element] = first_table + from - (last_slot - 4 * (at_once - 1 - element));
    }
    const auto slots = static_cast<std::uint16_t>(ByteShuffle::first(at_once));
    const auto all_in = ByteShuffle::first(tables), all_out = ByteShuffle::first(at_once * stride);
    const auto source = _mm512_loadu_si512(shuffle.source.data()), head = _mm512_loadu_si512(shuffle.constant.data());
    const auto table_step = _mm512_set1_epi32(static_cast<int>(tables));
    const auto offset_step = _mm512_set1_epi32(static_cast<int>(tables - 4 * at_once));
    auto soffset = _mm512_loadu_si512(soffsets.data()), offset = _mm512_loadu_si512(offsets.data());
    const auto* slot = run.in.at(last_slot - 4 * (at_once - 1));
    const auto* table = run.in.at(first_table);
    const auto blocks = std::min(todo / at_once, (first_table - last_slot - 1) / tables + 1);  // after the slots
    std::uint32_t done = 0;
    for (; done != blocks; ++done) {
        const auto in = _mm512_maskz_loadu_epi8(all_in, table);
        if ((_mm512_mask_cmpneq_epi32_mask(soffset_places, in, soffset) |
             _mm512_mask_cmpneq_epi32_mask(slots, _mm512_maskz_loadu_epi32(slots, slot), offset)) != 0)
            break;
        to -= at_once * stride;
        _mm512_mask_storeu_epi8(to, all_out,
                                _mm512_or_si512(_mm512_maskz_permutexvar_epi8(shuffle.taken, source, in), head));
        soffset = _mm512_sub_epi32(soffset, table_step);
        offset = _mm512_sub_epi32(offset, offset_step);
        slot -= 4 * at_once;
        table -= tables;
    }
    return done * at_once;
}

#endif

/// From the last element on: what it reads and what it writes are two streams, which the processor fetches ahead.
/// Blocks that are checked first and then written forward execute fewer instructions and take up to twice as long.
template <unsigned N>
std::uint32_t convert(const Tables& run, const ProtobufShape::Doubles& shape, BackwardOutput& out)
{
    const ElementWriter<N> write(run, shape);
    const auto stride = write.stride();
    const auto todo = static_cast<std::uint32_t>(std::min<std::size_t>({run.count, chunk, out.left() / stride}));
    if (!out.reserve(todo * stride)) return 0;
    std::uint32_t done = 0;
#if defined(__x86_64__)
    if (shuffles_bytes()) done = convert_shuffled<N>(run, shape, todo, out.front());
#endif
    auto* to = out.front() - done * stride;
    for (; done != todo; ++done) {
        const auto slot = run.first_slot + 4 * (run.count - 1 - done);
        const auto offset = run.in.load_u32(slot);
        const auto table = std::uint64_t{slot} + offset;
        if (offset == 0 || !run.in.holds(table, run.extent)) break;
        const auto* const from = run.in.at(static_cast<std::uint32_t>(table));
        if (load_le32(from) != static_cast<std::uint32_t>(table) - run.vtable) break;
        write(from, to -= stride);
    }
    out.extend(done * stride);
    return done;
}

std::uint32_t convert(const Tables& run, const ProtobufShape::Doubles& shape, BackwardOutput& out)
{
    switch (shape.count) {
    case 1: return convert<1>(run, shape, out);
    case 2: return convert<2>(run, shape, out);
    case 3: return convert<3>(run, shape, out);
    case 4: return convert<4>(run, shape, out);
    case 5: return convert<5>(run, shape, out);
    case 6: return convert<6>(run, shape, out);
    default: return 0;
    }
}

}  // namespace

std::uint32_t ToProtobuf::write_doubles(const ProtobufShape::Doubles& doubles, const ProtobufShape::Run& run)
{
    if (doubles.fields->buffer != buffer_) return 0;
    Tables tables{in_, run.first_slot, run.count, doubles.fields->vtable_position, doubles.fields->extent, {}, 0};
    std::memcpy(tables.head.data(), run.head.data(), run.head.size());
    tables.head_bytes = static_cast<std::uint32_t>(run.head.size());
    std::uint32_t total = 0;
    while (tables.count != 0) {
        const auto done = convert(tables, doubles, out_);
        total += done;
        if (done != std::min(tables.count, chunk)) break;
        tables.count -= done;
    }
    return total;
}

std::uint32_t ToProtobuf::write_run(ProtobufShape& shape, const Field& field, std::uint32_t first_slot,
                                    std::uint32_t count)
{
    std::array<std::byte, wire::max_tag_bytes + wire::max_varint_bytes> head;
    std::memcpy(head.data(), field.tag.data(), field.tag_bytes);
    const auto* const end = wire::write_varint(head.data() + field.tag_bytes, shape.bytes());
    const ProtobufShape::Run run{first_slot, count, {head.data(), end}};
    return shape.doubles() ? write_doubles(*shape.doubles(), run) : shape.write_run(run, in_, buffer_, out_);
}

}  // namespace ositrace
