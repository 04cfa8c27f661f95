// SPDX-License-Identifier: MPL-2.0
// An MCAP file of a stranger, as a stream in pieces of any size and through its index. Both end in messages or in one Error; a trace
// gives its messages in the order of their log times, and every frame that it counts.
// Input: the file; its last bytes choose the size of the pieces and whether bad chunks are passed over.
#include <ositrace/trace.hpp>

#include "lib/mcap/open_mcap.hpp"
#include "tests/fuzz/memory_file.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

/// Frames that are looked at one by one; a small file may announce very many.
constexpr std::uint64_t max_frames = 200;

void check_frame(const Frame& frame, const TraceInfo& info)
{
    check(frame.channel < info.channels.size(), "a frame has a channel");
    check(frame.log_time && frame.publish_time && frame.log_time->count() >= 0, "a frame has its times");
    std::uint64_t sum = 0;
    for (const auto byte : frame.bytes) sum += std::to_integer<unsigned>(byte);
    check(sum <= frame.bytes.size() * 255, "a frame can be read to its end");
}

void check_info(const TraceInfo& info)
{
    for (const auto& channel : info.channels) check((channel.root == nullptr) == (channel.schema == nullptr), "who has a root has a schema");
    for (const auto& attachment : info.attachments) {
        std::uint64_t bytes = 0;
        const auto read = attempt([&] {
            attachment.read([&](Bytes piece) { bytes += piece.size(); });
            return "";
        });
        check(!read.done() || bytes == attachment.bytes, "an attachment has the length that it announces");
    }
}

void read_stream(Bytes bytes, std::size_t piece, const OpenOptions& options)
{
    attempt([&] {
        const auto stream = open_mcap_stream(std::make_unique<MemorySource>(bytes, piece), "none", options);
        std::uint64_t next = 0;
        for (Frame frame; stream->read(frame);) {
            check(frame.index == next++, "frames are numbered one by one");
            check_frame(frame, stream->info());
        }
        check_info(stream->info());
        return "";
    });
}

void read_trace(Bytes bytes, const OpenOptions& options)
{
    attempt([&] {
        const auto trace = open_mcap_trace(memory_file(bytes), "none", options);
        check_info(trace->info());
        for (std::uint32_t channel = 0; channel != trace->info().channels.size(); ++channel) attempt([&] {
            const auto count = trace->frame_count(channel);
            for (std::uint64_t i = 0; i < std::min(count, max_frames); ++i) check_frame(trace->frame(channel, i), trace->info());
            static_cast<void>(trace->frame_at(channel, Nanoseconds(1'000'000)));
            return "";
        });
        const auto reader = trace->reader();
        Nanoseconds last{0};
        for (Frame frame; reader->read(frame);) {
            check_frame(frame, trace->info());
            check(*frame.log_time >= last, "log times do not go backward");
            last = *frame.log_time;
        }
        reader->seek_frame(1);
        Frame frame;
        static_cast<void>(reader->read(frame));
        return "";
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    OpenOptions options;
    options.skip_bad_frames = input.choose();
    if (input.choose()) options.type = MessageType::ground_truth;
    const auto piece = std::size_t{1} << input.choose(12);
    read_stream(input.rest(), piece, options);
    read_trace(input.rest(), options);
    return 0;
}
