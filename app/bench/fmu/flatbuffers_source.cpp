// SPDX-License-Identifier: MPL-2.0
#include "app/bench/dummy/opponents.hpp"
#include "app/fmu/dummy_kinds.hpp"

namespace ositrace::fmu {

const FmuKind& this_kind()
{
    static const FmuKind row =
        dummy_source_kind("BenchFlatBuffersSource", Encoding::flatbuffers, [](const DummySourceOptions& options) {
            return bench::flat_forms(bench::FlatLayout::numbered).builder_source(options, bench::FlatBuilder::reused);
        });
    return row;
}

}  // namespace ositrace::fmu
