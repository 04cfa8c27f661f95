// SPDX-License-Identifier: MPL-2.0
// Protobuf to FlatBuffers and back: fast and slow paths agree whatever came before, and what went over comes back as it
// was. Input: payload, then choices: root, layout, strict, how the payload is repeated.
#include <vector>

#include <ositrace/equal_content.hpp>

#include "tests/fuzz/conversion.hpp"
#include "tests/fuzz/message_mutator.hpp"
#include "tests/fuzz/roots.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

constexpr Format protobuf{};

/// The payload, the payload as it merges with itself, and again the payload.
void check_history(Conversion& there, Bytes in, const Outcome& first)
{
    const auto once = std::string(text_of(in));
    check(there(in) == first, "the second conversion is as the first");
    there(bytes_of(once + once));
    there(bytes_of(once + once.substr(0, once.size() / 2)));
    check(there(in) == first, "a conversion does not depend on those before");
}

void check_way_back(const MessageTable& root, Format flat, const Outcome& there, Bytes in, std::uint64_t dropped)
{
    Conversion back(root, flat, protobuf, true, max_encodable_bytes);
    const auto canonical = back(there.view());
    check(canonical.done(), "what was written can be read", canonical.error);
    check(back(there.view()) == canonical, "the second way back is as the first");
    const auto again = Conversion(root, protobuf, flat, true)(canonical.view());
    check(again.error == there.error && again.bytes == there.bytes, "there and back and there again is there",
          again.error);
    if (dropped != 0) return;
    const auto difference = first_difference(MessageView(in, root, protobuf), MessageView(there.view(), root, flat));
    check(!difference, "both forms have equal content",
          difference ? difference->field + ": " + difference->text : std::string());
}

void check_layouts(const MessageTable& root, const Outcome& there, Format flat)
{
    const Format other{Encoding::flatbuffers, flat.layout == Layout::numbered ? Layout::declared : Layout::numbered};
    const auto changed = Conversion(root, flat, other, true, max_encodable_bytes)(there.view());
    check(changed.done(), "the layout can be changed", changed.error);
    const auto back = Conversion(root, other, flat, true, max_encodable_bytes)(changed.view());
    check(back.bytes == there.bytes, "the layout can be changed back", back.error);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto& root = choose_root(input);
    const Format flat{Encoding::flatbuffers, input.choose() ? Layout::declared : Layout::numbered};
    const bool strict = input.choose(8) == 7;
    const auto in = input.rest();

    Conversion there(root, protobuf, flat, strict);
    const auto first = there(in);
    const auto dropped = there.dropped();
    check_history(there, in, first);
    if (!first.done()) return 0;
    check_way_back(root, flat, first, in, dropped);
    check_layouts(root, first, flat);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed)
{
    return mutate_message(data, size, max_size, seed, 3);
}
