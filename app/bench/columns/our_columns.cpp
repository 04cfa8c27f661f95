// SPDX-License-Identifier: MPL-2.0
// Our ColumnReader: numbers straight from the wire of either encoding, every access checked.
#include <ositrace/columns.hpp>

#include "app/bench/columns/column_variants.hpp"

namespace ositrace::bench {

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
