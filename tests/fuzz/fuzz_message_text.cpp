// SPDX-License-Identifier: MPL-2.0
// Any message of either encoding as text and JSON: ends, stays inside, and what is printed can be taken apart again as
// one message. Input: payload, then choices: encoding, layout, root.
#include <ositrace/message_text.hpp>

#include "formats/text/text_boundary.hpp"
#include "tests/fuzz/message_mutator.hpp"
#include "tests/fuzz/roots.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

/// Tables that are shared could stand for gigabytes of text: those are left to the limit's own test.
constexpr std::size_t max_shared_input = 4096;

template <class Print>
Outcome printed(Print&& print)
{
    return attempt([&] {
        ByteBuffer out;
        static_cast<void>(print(out));
        return std::string(text_of(out.bytes()));
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto& root = choose_root(input);
    const auto layout = input.choose() ? Layout::declared : Layout::numbered;
    const bool is_flat = input.choose();
    const auto in = input.rest();
    if (is_flat && in.size() > max_shared_input) return 0;
    const auto view = [&] { return MessageView(in, root, is_flat ? Format{Encoding::flatbuffers, layout} : Format{}); };

    const auto json = printed([&](ByteBuffer& out) { return append_json(view(), out); });
    const auto text = printed([&](ByteBuffer& out) { return append_text_format(view(), out); });
    if (json.done()) {
        check(text.done(), "what JSON can hold, text can", text.error);
        const auto range = text::json_splitter()->next(json.bytes, true);
        check(range && range->begin == 0 && range->end == json.bytes.size(), "an object is one object", json.bytes);
    }
    if (!text.done() || text.bytes.empty()) return 0;
    const auto range = text::text_format_splitter(root)->next(text.bytes, true);
    check(range && range->begin == 0 && range->end == text.bytes.size(), "a text is one message", text.bytes);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed)
{
    return mutate_message(data, size, max_size, seed, 3);
}
