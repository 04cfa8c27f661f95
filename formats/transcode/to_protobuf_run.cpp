// SPDX-License-Identifier: MPL-2.0
// The kernel for runs of tables that hold doubles only (lidar reflections), back to front.
#include "formats/transcode/to_protobuf.hpp"

#include <algorithm>

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

/// From the last element on: what it reads and what it writes are two streams, which the processor fetches ahead.
/// Blocks that are checked first and then written forward execute fewer instructions and take up to twice as long.
template <unsigned N>
std::uint32_t convert(const Tables& run, const ProtobufShape::Doubles& shape, BackwardOutput& out)
{
    const ElementWriter<N> write(run, shape);
    const auto stride = write.stride();
    const auto todo = static_cast<std::uint32_t>(std::min<std::size_t>({run.count, chunk, out.left() / stride}));
    if (!out.reserve(todo * stride)) return 0;
    auto* to = out.front();
    std::uint32_t done = 0;
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
