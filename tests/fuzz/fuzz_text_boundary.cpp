// SPDX-License-Identifier: MPL-2.0
// Any text taken apart into messages: ends, loses nothing but what stands between messages, and does not depend on how
// the text arrives. Input: text, then choices: JSON or text format, size of the pieces.
#include <algorithm>
#include <vector>

#include "formats/text/text_boundary.hpp"
#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

struct Taken {
    std::vector<std::size_t> ends;
    std::string error;
};

Taken take_apart(std::string_view whole, bool json, std::size_t step)
{
    const auto splitter =
        json ? text::json_splitter() : text::text_format_splitter(Schema::built_in()->root(MessageType::ground_truth));
    Taken taken;
    std::size_t front = 0;
    taken.error =
        attempt([&] {
            for (std::size_t there = 0; there != whole.size();) {
                there = std::min(there + step, whole.size());
                while (const auto range = splitter->next(whole.substr(front, there - front), there == whole.size())) {
                    check(range->begin < range->end && range->end <= there - front, "a message lies in the text");
                    front += range->end;
                    taken.ends.push_back(front);
                }
            }
            return "";
        }).error;
    return taken;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const bool json = input.choose();
    const auto step = 1 + input.choose(64);
    const auto whole = input.text();
    const auto at_once = take_apart(whole, json, whole.size() + 1);
    const auto in_pieces = take_apart(whole, json, step);
    check(at_once.ends == in_pieces.ends, "the pieces do not matter");
    check(at_once.error.empty() == in_pieces.error.empty(), "the pieces do not matter for what is wrong",
          at_once.error);
    return 0;
}
