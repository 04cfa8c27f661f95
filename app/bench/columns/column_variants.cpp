// SPDX-License-Identifier: MPL-2.0
#include "app/bench/columns/column_variants.hpp"

#include <cstring>

#include <ositrace/columns.hpp>

namespace ositrace::bench {

Variant columns_variant(std::string name, std::string what, Role role, const std::vector<FrameBytes>& frames,
                        ReadColumns read)
{
    const auto reader = std::make_shared<ReadColumns>(std::move(read));
    Variant variant{.name = std::move(name), .what = std::move(what), .role = role};
    variant.run = [reader, &frames] {
        std::size_t bytes = 0;
        const TakeColumn count = [&](std::span<const double> column) { bytes += column.size_bytes(); };
        for (const auto& frame : frames) (*reader)(frame, count);
        return bytes;
    };
    variant.answer = [reader, &frames](Answer& answer) {
        const TakeColumn add = [&](std::span<const double> column) { answer.add(column); };
        for (const auto& frame : frames) (*reader)(frame, add);
    };
    return variant;
}

Variant memcpy_of_columns(const Sample& sample, const Elements& elements)
{
    const auto numbers =
        std::make_shared<std::vector<double>>(count_elements(elements, sample) * elements.columns.size());
    const auto copy = std::make_shared<std::vector<double>>(numbers->size());
    const auto run = [numbers, copy] {
        std::memcpy(copy->data(), numbers->data(), numbers->size() * sizeof(double));
        return numbers->size() * sizeof(double);
    };
    return {.name = "memcpy of the arrays",
            .what = "copies the finished arrays: what memory allows",
            .role = Role::yardstick,
            .run = run};
}

// Our ColumnReader: numbers straight from the wire of either encoding, every access checked.

ReadColumns our_reader(const MessageTable& root, const Elements& elements, const Format& format)
{
    const auto* holder = elements.parent.empty() ? &root : root.find(elements.parent)->child;
    const auto& field = *holder->find(elements.sensors)->child->find(elements.elements);
    const auto reader = std::make_shared<ColumnReader>(field, elements.columns);
    return [reader, &elements, &root, format](Bytes frame, const TakeColumn& take) {
        for_each_sensor(elements, {frame, root, format}, [&](const MessageView& sensor) {
            reader->read(sensor);
            for (std::size_t i = 0; i < elements.columns.size(); ++i) take(reader->reals(i));
        });
    };
}

Variant our_columns_of_protobuf(const Sample& sample, const Elements& elements)
{
    return columns_variant("ositrace, of Protobuf", "ColumnReader, reused: no objects, no second encoding", Role::ours,
                           sample.protobuf, our_reader(*sample.table, elements, Format{}));
}

Variant our_columns_of_flat(const Sample& sample, const Elements& elements)
{
    return columns_variant("ositrace, of FlatBuffers", "ColumnReader, reused; what it touches is checked", Role::ours,
                           sample.flat, our_reader(*sample.table, elements, Format{Encoding::flatbuffers}));
}

}  // namespace ositrace::bench
