// SPDX-License-Identifier: MPL-2.0
// The kernel for runs of elements that hold doubles only (lidar reflections): masks and offsets stay in registers, and
// the speed is that of memory.
#include "formats/transcode/to_flat.hpp"

#include <algorithm>

namespace ositrace {

namespace {

constexpr std::uint32_t head_bytes = 2;    // tag and length
constexpr std::uint32_t double_bytes = 9;  // tag and value

struct Tables {
    const std::byte* at;
    const std::byte* end;
    std::byte* table;       ///< of the next element
    std::byte* slot;        ///< in the vector of offsets
    std::uint32_t soffset;  ///< of the next table
    std::uint32_t uoffset;  ///< of the next slot
    std::uint32_t count;
};

template <unsigned N>
std::uint32_t convert(Tables run, const FlatShape::Doubles& shape, std::uint16_t head)
{
    constexpr auto stride = head_bytes + double_bytes * N;
    constexpr auto table_bytes = 8 + 8 * N;
    std::byte tags[N];
    std::uint32_t offsets[N];
    for (unsigned n = 0; n != N; ++n) {
        tags[n] = shape.tags[n];
        offsets[n] = shape.offsets[n];
    }
    std::uint32_t done = 0;
    while (done != run.count && run.end - run.at >= static_cast<std::ptrdiff_t>(stride)) {
        auto difference = static_cast<unsigned>(load<std::uint16_t>(run.at) ^ head);
        for (unsigned n = 0; n != N; ++n)
            difference |= std::to_integer<unsigned>(run.at[head_bytes + double_bytes * n] ^ tags[n]);
        if (difference != 0) break;
        store_le64(run.table, run.soffset);
        for (unsigned n = 0; n != N; ++n)
            store(run.table + offsets[n], load<std::uint64_t>(run.at + head_bytes + double_bytes * n + 1));
        store_le32(run.slot, run.uoffset);
        run.at += stride;
        run.table += table_bytes;
        run.slot += 4;
        run.soffset += table_bytes;
        run.uoffset += table_bytes - 4;
        ++done;
    }
    return done;
}

}  // namespace

std::uint32_t ToFlat::write_doubles(const FlatShape::Doubles& shape, FlatShape::Run& run)
{
    // Only what the limit lets be: the element that exceeds it is for the slow path to find. The tables before it end
    // 8-aligned.
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(run.count, out_.left() / shape.table_bytes));
    if (count == 0 || !out_.reserve(std::size_t{count} * shape.table_bytes)) return 0;
    const auto start = out_.size();
    const Tables tables{
        run.at,           run.end, out_.at(start), out_.at(run.slot), start - shape.layout->vtable_position,
        start - run.slot, count};
    const auto head = static_cast<std::uint16_t>(run.head);
    std::uint32_t done = 0;
    switch (shape.count) {
    case 1: done = convert<1>(tables, shape, head); break;
    case 2: done = convert<2>(tables, shape, head); break;
    case 3: done = convert<3>(tables, shape, head); break;
    case 4: done = convert<4>(tables, shape, head); break;
    case 5: done = convert<5>(tables, shape, head); break;
    case 6: done = convert<6>(tables, shape, head); break;
    default: break;
    }
    out_.extend(std::size_t{done} * shape.table_bytes);
    run.at += std::size_t{done} * (head_bytes + double_bytes * shape.count);
    return done;
}

}  // namespace ositrace
