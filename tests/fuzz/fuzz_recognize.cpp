// SPDX-License-Identifier: MPL-2.0
// What are these bytes: any answer and any Error will do, but what was recognised as the only reading can be read.
// Input: two payloads one after another, then choices: where the second begins, hints.
#include <array>

#include <ositrace/message_view.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/trace.hpp>

#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

RecognitionHints choose_hints(Input& input)
{
    RecognitionHints hints;
    const auto types = message_types();
    const auto type = input.choose(3 * types.size());
    if (type < types.size())
        hints.type = types[type].type;
    else if (type < 2 * types.size())
        hints.type_from_name = types[type - types.size()].type;
    const auto format = input.choose(6);
    if (format < 2) hints.encoding = format == 0 ? Encoding::protobuf : Encoding::flatbuffers;
    if (format > 3) hints.layout = format == 4 ? Layout::numbered : Layout::declared;
    return hints;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto hints = choose_hints(input);
    const auto second = input.choose(256);
    const auto in = input.rest();
    const auto cut = std::min(second * 8, in.size());
    const std::array payloads{in.first(in.size() - cut), in.last(cut)};

    const auto schema = Schema::built_in();
    attempt([&] {
        const auto found = recognize(payloads, *schema, hints);
        check(!hints.type || *hints.type == found.type, "the type that was asked for");
        check(!hints.encoding || *hints.encoding == found.format.encoding, "the encoding that was asked for");
        Channel channel;
        channel.type = found.type;
        channel.format = found.format;
        channel.schema = schema;
        channel.root = &schema->root(found.type);
        attempt([&] { return timestamp_of(payloads[0], channel) ? "a time" : "no time"; });
        attempt([&] { return osi_version_of(payloads[0], channel) ? "a version" : "no version"; });
        return "";
    });
    for (const auto& type : message_types())
        for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers})
            static_cast<void>(
                plausible_start(in, schema->root(type.type), {encoding, hints.layout.value_or(Layout::numbered)}));
    return 0;
}
