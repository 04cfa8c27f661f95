// SPDX-License-Identifier: MPL-2.0
// A file of rules of a stranger, as text and as a descriptor set: rules or one Error, and what was read is written and
// read again alike.
#include <ositrace/rules.hpp>

#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Input input(data, size);
    const auto first = attempt([&] { return RuleSet::from_text(input.text())->to_text(); });
    if (first.done()) {
        const auto second = attempt([&] { return RuleSet::from_text(first.bytes)->to_text(); });
        check(second == first, "rules that were written are read alike",
              first.bytes + "\n---\n" + second.bytes + second.error);
    }
    attempt([&] { return RuleSet::from_descriptor_set(input.rest())->to_text(); });
    return 0;
}
