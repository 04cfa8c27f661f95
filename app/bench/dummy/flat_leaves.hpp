// SPDX-License-Identifier: MPL-2.0
// The small messages, which are tables or, in one layout, structs. A model creates one and stores its leaf() in the
// parent table.
#pragma once

#include <optional>

#include "app/bench/dummy/flat_common.hpp"
#include "lib/dummy/dummy_source_rules.hpp"

#ifdef OSITRACE_FLAT_STRUCTS
#include "app/bench/dummy/flat_leaves_as_structs.hpp"
#else
#include "app/bench/dummy/flat_leaves_as_tables.hpp"
#endif

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

/// Empty if there is no leaf.
template <class Leaf>
auto leaf(const std::optional<Leaf>& from)
{
    return from ? leaf(*from) : decltype(leaf(*from))();
}

template <class T>
flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<T>>> one(flatbuffers::FlatBufferBuilder& builder,
                                                                     flatbuffers::Offset<T> element)
{
    return builder.CreateVector(&element, 1);
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
