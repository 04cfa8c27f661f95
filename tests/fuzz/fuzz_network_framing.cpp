// SPDX-License-Identifier: MPL-2.0
// Messages out of sockets: those of a byte stream do not depend on the pieces they come in; those of datagrams keep to
// the limit; and what is cut into datagrams comes together again, whatever came before. Input: the stream, or datagrams
// behind a byte of their length each; then choices: limit, piece.
#include <algorithm>
#include <vector>

#include <ositrace/network_framing.hpp>

#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

struct Seen {
    std::vector<std::string> messages;
    std::string end;
    friend bool operator==(const Seen&, const Seen&) = default;
};

Seen read_stream(Bytes in, std::size_t piece, std::size_t limit)
{
    Seen seen;
    MessageAssembly assembly(limit);
    seen.end = attempt([&] {
                   while (!in.empty()) {
                       const auto wanted = assembly.wanted();
                       check(!wanted.empty(), "there is always something wanted");
                       const auto count = std::min({piece, wanted.size(), in.size()});
                       std::copy_n(in.begin(), count, wanted.begin());
                       in = in.subspan(count);
                       if (!assembly.filled(count)) continue;
                       seen.messages.emplace_back(text_of(assembly.take().bytes()));
                       check(seen.messages.back().size() <= limit, "a message keeps to the limit");
                   }
                   return assembly.cut_off();
               }).error;
    return seen;
}

void add_message(PartAssembly& assembly, const std::string& message)
{
    MessageParts parts(bytes_of(message));
    std::array<std::byte, datagram_header_bytes> header;
    Bytes part;
    bool complete = false;
    while (parts.next(header, part)) {
        check(!complete, "only the last part completes a message");
        complete = assembly.add(bytes_of(std::string(text_of(header)) + std::string(text_of(part)))).complete;
    }
    check(complete, "all parts in turn are a message");
    check(text_of(assembly.take().bytes()) == message, "parts in turn are the message again");
}

void read_datagrams(Bytes in, std::size_t limit)
{
    PartAssembly assembly(limit);
    while (!in.empty()) {
        const auto size = std::min<std::size_t>(std::to_integer<std::size_t>(in[0]), in.size() - 1);
        const auto taken = assembly.add(in.subspan(1, size));
        if (taken.complete) check(assembly.take().size() <= limit, "a message keeps to the limit");
        in = in.subspan(1 + size);
    }
    add_message(assembly, std::string(limit, 'x'));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto piece = 1 + input.choose(64);
    const std::size_t limit = input.choose() ? 200 : 20'000;
    check(read_stream(input.rest(), piece, limit) == read_stream(input.rest(), size + 1, limit),
          "messages do not depend on the pieces they come in");
    read_datagrams(input.rest(), limit);
    return 0;
}
