// SPDX-License-Identifier: MPL-2.0
// Half of the naive conversion: its cost before the FlatBuffer is built.
#include "app/bench/convert/frame_variants.hpp"
#include "app/bench/naive/naive_converter.hpp"

namespace ositrace::bench {

Variant libprotobuf_parse(const Sample& sample)
{
    const auto naive = std::make_shared<NaiveConverter>(sample.type);
    Variant variant{.name = "libprotobuf, parse alone",
                    .what = "ParseFromArray into a message that is reused; no FlatBuffer is made"};
    variant.run = [naive, &sample] {
        for (const auto& frame : sample.protobuf) naive->parse(frame);
        return std::size_t{0};
    };
    variant.answer = [naive, &sample](Answer& answer) {
        for (const auto& frame : sample.protobuf) answer.add(bytes_of(naive->parse(frame).SerializeAsString()));
    };
    return variant;
}

}  // namespace ositrace::bench
