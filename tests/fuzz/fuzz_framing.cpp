// SPDX-License-Identifier: MPL-2.0
// Length-prefixed streams: the reader of pipes, however they come in, and the walker of files see the same frames, and
// every byte is either in a frame or passed over. Input: the file, then choices: limit, piece, skipping.
#include <vector>

#include <ositrace/recognize.hpp>

#include "lib/trace/length_prefixed_reader.hpp"
#include "lib/trace/prefix_walker.hpp"
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

length_prefix::PlausibleStart plausible()
{
    static const auto schema = Schema::built_in();
    return [](Bytes bytes) { return plausible_start(bytes, schema->root(MessageType::sensor_view), {}); };
}

Seen read(Bytes in, std::size_t piece, std::size_t limit, bool skip)
{
    Seen seen;
    LengthPrefixedReader reader(std::make_unique<MemorySource>(in, piece),
                                {.max_message_bytes = limit, .skip_bad_frames = skip});
    reader.expect(plausible());
    seen.error = attempt([&] {
                     FrameBatch batch;
                     while (reader.read(batch, {})) {
                         check(!batch.records.empty() || batch.skipped, "a batch is something");
                         if (batch.skipped) seen.skipped.push_back({batch.skipped->offset, batch.skipped->bytes});
                         check(batch.first_index == seen.frames.size(), "frames are counted");
                         for (const auto& record : batch.records) {
                             check(text_of(record.bytes) == text_of(in.subspan(record.offset + 4, record.bytes.size())),
                                   "a frame is what stands there");
                             seen.frames.push_back({record.offset, record.bytes.size()});
                         }
                     }
                     return "";
                 }).error;
    return seen;
}

Seen walk(Bytes in, std::size_t limit, bool skip)
{
    Seen seen;
    const auto file = memory_file(in);
    PrefixWalkerOptions options{
        limit, skip, [&](const SkippedBytes& gap) { seen.skipped.push_back({gap.offset, gap.bytes}); }, plausible()};
    PrefixWalker walker(file, options);
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
    check(sum == size, "every byte is in a frame or passed over", std::to_string(sum) + " of " + std::to_string(size));
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
    const auto walked = walk(in, limit, skip);
    check(walked.frames == whole.frames, "walker and reader see the same frames");
    check(walked.skipped == whole.skipped, "walker and reader pass over the same bytes");
    check(walked.error == whole.error, "walker and reader fail alike", walked.error + "\n" + whole.error);
    if (whole.error.empty()) check_every_byte(whole, in.size());
    check(!skip || whole.error.empty(), "what is skipped is no error", whole.error);
    return 0;
}
