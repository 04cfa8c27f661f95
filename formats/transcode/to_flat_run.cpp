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
    std::byte* table;       ///< of the next element
    std::byte* slot;        ///< in the vector of offsets
    std::uint32_t soffset;  ///< of the next table
    std::uint32_t uoffset;  ///< of the next slot
    std::uint32_t count;    ///< elements there are bytes for
};

template <unsigned N>
std::uint32_t convert(const Tables& run, const FlatShape::Doubles& shape, std::uint16_t head)
{
    constexpr auto stride = head_bytes + double_bytes * N;
    constexpr auto table_bytes = 8 + 8 * N;
    std::byte tags[N];
    std::uint32_t offsets[N];
    for (unsigned n = 0; n != N; ++n) {
        tags[n] = shape.tags[n];
        offsets[n] = shape.offsets[n];
    }
    const auto* at = run.at;
    auto* table = run.table;
    auto soffset = run.soffset;
    std::uint32_t done = 0;
    for (; done != run.count; ++done) {
        auto difference = static_cast<unsigned>(load<std::uint16_t>(at) ^ head);
        for (unsigned n = 0; n != N; ++n)
            difference |= std::to_integer<unsigned>(at[head_bytes + double_bytes * n] ^ tags[n]);
        if (difference != 0) break;
        store_le64(table, soffset);
        for (unsigned n = 0; n != N; ++n)
            store(table + offsets[n], load<std::uint64_t>(at + head_bytes + double_bytes * n + 1));
        at += stride;
        table += table_bytes;
        soffset += table_bytes;
    }
    // Apart from the others, several at once.
    for (std::uint32_t i = 0; i != done; ++i)
        store_le32(run.slot + 4 * std::size_t{i}, run.uoffset + i * (table_bytes - 4));
    return done;
}

std::uint32_t convert(const Tables& run, const FlatShape::Doubles& shape, std::uint16_t head)
{
    switch (shape.count) {
    case 1: return convert<1>(run, shape, head);
    case 2: return convert<2>(run, shape, head);
    case 3: return convert<3>(run, shape, head);
    case 4: return convert<4>(run, shape, head);
    case 5: return convert<5>(run, shape, head);
    case 6: return convert<6>(run, shape, head);
    default: return 0;
    }
}

}  // namespace

std::uint32_t ToFlat::write_doubles(const FlatShape::Doubles& shape, FlatShape::Run& run)
{
    constexpr std::uint32_t at_once = 1024;  // whose offsets are in the cache
    const auto stride = head_bytes + double_bytes * shape.count;
    // Only what the limit lets be: the element that exceeds it is for the slow path to find. The tables before it end
    // 8-aligned.
    const auto count = static_cast<std::uint32_t>(std::min({std::size_t{run.count}, out_.left() / shape.table_bytes,
                                                            static_cast<std::size_t>(run.end - run.at) / stride}));
    if (count == 0 || !out_.reserve(std::size_t{count} * shape.table_bytes)) return 0;
    std::uint32_t done = 0, wanted = 0, found = 0;
    do {
        const auto start = out_.size(), slot = run.slot + 4 * done;
        wanted = std::min(count - done, at_once);
        found = convert(
            {run.at, out_.at(start), out_.at(slot), start - shape.layout->vtable_position, start - slot, wanted}, shape,
            static_cast<std::uint16_t>(run.head));
        out_.extend(std::size_t{found} * shape.table_bytes);
        run.at += std::size_t{found} * stride;
        done += found;
    } while (found == wanted && done != count);
    return done;
}

}  // namespace ositrace
