// SPDX-License-Identifier: MPL-2.0
// Length-prefixed streams: the reader of pipes, in whatever pieces they come, and the walker of files see the same
// frames; of what skips damage every byte is in a frame or skipped. Input: the file, then choices: limit, piece,
// skipping.
#include <vector>

#include "lib/length_prefixed/length_prefixed_reader.hpp"
#include "lib/length_prefixed/prefix_walker.hpp"
#include "lib/length_prefixed/resync_reader.hpp"
#include "tests/fuzz/memory_file.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

struct Seen {
    struct Frame {
        std::uint64_t offset;
        std::uint64_t length;
        friend bool operator==(const Frame&, const Frame&) = default;
    };
    std::vector<Frame> frames;
    std::vector<Frame> skipped;
    std::string error;
    friend bool operator==(const Seen&, const Seen&) = default;
};

std::unique_ptr<FrameBatchReader> reader_of(Bytes in, std::size_t piece, std::size_t limit, bool skip)
{
    auto source = std::make_unique<MemorySource>(in, piece);
    if (!skip)
        return std::make_unique<LengthPrefixedReader>(std::move(source),
                                                      LengthPrefixedReaderOptions{.max_message_bytes = limit});
    static const auto schema = Schema::built_in();
    Channel channel;
    channel.type = MessageType::sensor_view;
    channel.schema = schema;
    channel.root = &schema->root(MessageType::sensor_view);
    return std::make_unique<ResyncReader>(WindowedInput(std::move(source)), std::make_shared<FrameVerifier>(channel),
                                          ResyncOptions{.max_message_bytes = limit});
}

Seen read(Bytes in, std::size_t piece, std::size_t limit, bool skip)
{
    Seen seen;
    const auto reader = reader_of(in, piece, limit, skip);
    seen.error = attempt([&] {
                     FrameBatch batch;
                     std::uint64_t end = 0;
                     while (reader->read(batch, {})) {
                         check(!batch.records.empty() || batch.skipped, "a batch is something");
                         if (batch.skipped) {
                             check(batch.skipped->offset == end, "nothing is skipped silently");
                             end += batch.skipped->bytes;
                             if (batch.skipped->bytes != 0)
                                 seen.skipped.push_back({batch.skipped->offset, batch.skipped->bytes});
                         }
                         check(batch.first_index == seen.frames.size(), "frames are counted");
                         for (const auto& record : batch.records) {
                             check(record.offset == end, "a frame begins where the last one ends");
                             end += 4 + record.bytes.size();
                             check(text_of(record.bytes) == text_of(in.subspan(record.offset + 4, record.bytes.size())),
                                   "a frame has the bytes of the input");
                             seen.frames.push_back({record.offset, record.bytes.size()});
                         }
                     }
                     return "";
                 }).error;
    return seen;
}

Seen walk(Bytes in, std::size_t limit)
{
    Seen seen;
    const auto memory = memory_file(in);
    PrefixWalker walker(*memory, {.max_message_bytes = limit});
    seen.error = attempt([&] {
                     while (const auto place = walker.next()) seen.frames.push_back({place->offset, place->length});
                     return "";
                 }).error;
    return seen;
}

void check_every_byte(const Seen& seen, std::size_t size)
{
    std::size_t sum = 0;
    for (const auto& frame : seen.frames) sum += 4 + frame.length;
    for (const auto& gap : seen.skipped) sum += gap.length;
    check(sum == size, "every byte is in a frame or skipped", std::to_string(sum) + " of " + std::to_string(size));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const bool skip = input.choose();
    const auto piece = 1 + input.choose(64);
    const std::size_t limit = input.choose() ? 200 : default_max_message_bytes;
    const auto in = input.rest();

    const auto whole = read(in, in.size(), limit, skip);
    check(read(in, piece, limit, skip) == whole, "frames do not depend on the pieces they come in");
    if (!skip) check(walk(in, limit) == whole, "walker and reader see the same frames and errors");
    if (whole.error.empty()) check_every_byte(whole, in.size());
    check(!skip || whole.error.empty(), "what is skipped is no error", whole.error);
    return 0;
}
