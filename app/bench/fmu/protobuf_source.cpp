// SPDX-License-Identifier: MPL-2.0
#include "app/bench/dummy/opponents.hpp"
#include "app/fmu/dummy_kinds.hpp"

namespace ositrace::fmu {

const FmuKind& this_kind()
{
    static const FmuKind row =
        dummy_source_kind("BenchProtobufSource", Encoding::protobuf, [](const DummySourceOptions& options) {
            return bench::protobuf_source(options, bench::ProtobufMemory::fresh);
        });
    return row;
}

}  // namespace ositrace::fmu
