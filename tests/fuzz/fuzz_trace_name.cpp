// SPDX-License-Identifier: MPL-2.0
// File names: what is taken apart and can be put together again is the same name.
#include <ositrace/trace_name.hpp>

#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Input input(data, size);
    const auto text = input.text();
    if (const auto extension = trace_extension(text))
        check(text.ends_with(extension->text), "an extension stands at the end");
    static_cast<void>(osi_version_from_digits(text));
    static_cast<void>(version_digits(text));
    const auto name = parse_trace_name(text);
    if (!name) return 0;
    const auto whole = attempt([&] { return to_string(*name); });
    if (!whole.done()) return 0;
    const auto again = parse_trace_name(whole.bytes);
    check(again.has_value(), "a name that was put together can be taken apart", whole.bytes);
    check(attempt([&] { return to_string(*again); }) == whole, "and is the same then", whole.bytes);
    return 0;
}
