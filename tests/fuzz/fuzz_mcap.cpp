// SPDX-License-Identifier: MPL-2.0
// An MCAP file of a stranger, as a stream of a pipe in pieces of any size, as one of a file, and through its index.
// Each ends in messages or in one Error, and those that end without one give the same; a trace gives its messages in
// the order of their log times, and every frame that it counts. Input: the file; its last bytes choose the size of the
// pieces and whether bad chunks are passed over.
#include <ositrace/trace.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/chunk_decoder.hpp"
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
    for (const auto& channel : info.channels)
        check((channel.root == nullptr) == (channel.schema == nullptr), "who has a root has a schema");
    for (const auto& attachment : info.attachments) {
        std::uint64_t bytes = 0;
        const auto read = attempt([&] {
            attachment.read([&](Bytes piece) { bytes += piece.size(); });
            return "";
        });
        check(!read.done() || bytes == attachment.bytes, "an attachment has the length that it announces");
    }
}

/// What was read, whatever the order. (Of a channel without messages that stands in a chunk only, an index knows
/// nothing.)
class Contents {
public:
    void add(const Frame& frame, const TraceInfo& info)
    {
        const auto crc = crc32(frame.bytes, crc32(bytes_of(info.channels[frame.channel].topic)));
        sum_ += (crc + 1) * (static_cast<std::uint64_t>(frame.log_time->count()) + 1) * (frame.sequence + 1);
        ++frames_;
    }
    [[nodiscard]] std::string text(const TraceInfo& info) const
    {
        return std::to_string(frames_) + " frames, " + std::to_string(info.metadata.size()) + " metadata, " +
               std::to_string(info.attachments.size()) + " attachments, sum " + std::to_string(sum_);
    }

private:
    std::uint64_t frames_ = 0, sum_ = 0;
};

std::string read_all(FrameSource& stream)
{
    Contents contents;
    std::uint64_t next = 0;
    for (Frame frame; stream.read(frame);) {
        check(frame.index == next++, "frames are numbered one by one");
        check_frame(frame, stream.info());
        contents.add(frame, stream.info());
    }
    check_info(stream.info());
    return contents.text(stream.info());
}

Outcome read_pipe(Bytes bytes, std::size_t piece, const OpenOptions& options)
{
    return attempt(
        [&] { return read_all(*open_mcap_stream(std::make_unique<MemorySource>(bytes, piece), "none", options)); });
}

Outcome read_file(Bytes bytes, const OpenOptions& options)
{
    return attempt([&] { return read_all(*open_mcap_stream(memory_file(bytes), options)); });
}

void look_around(const Trace& trace)
{
    for (std::uint32_t channel = 0; channel != trace.info().channels.size(); ++channel)
        attempt([&] {
            const auto count = trace.frame_count(channel);
            for (std::uint64_t i = 0; i < std::min(count, max_frames); ++i)
                check_frame(trace.frame(channel, i), trace.info());
            static_cast<void>(trace.frame_at(channel, Nanoseconds(1'000'000)));
            return "";
        });
}

Outcome read_trace(Bytes bytes, const OpenOptions& options)
{
    return attempt([&] {
        const auto trace = open_mcap_trace(memory_file(bytes), "none", options);
        check_info(trace->info());
        look_around(*trace);
        const auto reader = trace->reader();
        Contents contents;
        Nanoseconds last{0};
        for (Frame frame; reader->read(frame);) {
            check_frame(frame, trace->info());
            check(*frame.log_time >= last, "log times do not go backward");
            last = *frame.log_time;
            contents.add(frame, trace->info());
        }
        reader->seek_frame(1);
        Frame frame;
        static_cast<void>(reader->read(frame));
        return contents.text(trace->info());
    });
}

void check_agreement(const Outcome& a, const Outcome& b)
{
    check(!a.done() || !b.done() || a.bytes == b.bytes, "what is read without an error is the same, however it is read",
          a.bytes + "\n" + b.bytes);
}

/// A chunk that is read and unpacked in small pieces is what it is as a whole.
void check_pieces(Bytes bytes)
{
    constexpr std::size_t max_chunk_bytes = std::size_t{16} << 20, piece_bytes = 80;
    if (bytes.size() < mcap::magic.size()) return;
    ChunkDecoder decoder(max_chunk_bytes, piece_bytes);
    const auto file = memory_file(bytes);
    attempt([&] {
        mcap::RecordWalker walker(bytes.subspan(mcap::magic.size()));
        for (mcap::RawRecord record; walker.next(record);) {
            if (record.opcode != mcap::Opcode::chunk) continue;
            const auto length = record.end() - record.offset;
            const auto in_pieces = decoder.decode(*file, mcap::magic.size() + record.offset, length, true);
            if (!in_pieces) continue;
            const auto whole =
                attempt([&] { return text_of(decoder.decode(mcap::parse_chunk(record.content), nullptr).bytes); });
            check(whole.done() && whole.bytes == text_of(in_pieces->records.bytes),
                  "a chunk in pieces is the same as the whole", whole.error);
            check(in_pieces->record_crc == crc32(bytes.subspan(mcap::magic.size() + record.offset, length)),
                  "the CRC of a record in pieces is that of the whole", "");
        }
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
    const auto piped = read_pipe(input.rest(), piece, options);
    const auto streamed = read_file(input.rest(), options);
    const auto indexed = read_trace(input.rest(), options);
    check_pieces(input.rest());
    if (options.skip_bad_frames) return 0;  // each passes over another damage
    check_agreement(piped, streamed);
    check_agreement(streamed, indexed);
    check_agreement(piped, indexed);
    return 0;
}
