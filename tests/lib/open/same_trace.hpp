// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/random_access.hpp>
#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/lib/scratch_folder.hpp"

/// A trace in memory under the name of `file` is that of the file: channels, times, frames, by number and as a stream.
inline void check_same_in_memory(const std::filesystem::path& file, const ositrace::OpenOptions& options)
{
    using namespace ositrace;
    const auto contents = std::make_shared<const std::string>(read_file(file));
    const auto bytes = in_memory(bytes_of(*contents), file, contents);
    const auto from_file = open_trace(file, options);
    std::filesystem::remove(file);  // nothing reopens it by name
    const auto trace = open_trace(bytes, options);
    CHECK(trace->info().file == file);
    CHECK(trace->info().container == from_file->info().container);
    CHECK(trace->info().compression == from_file->info().compression);
    CHECK(trace->info().metadata == from_file->info().metadata);
    REQUIRE(trace->info().channels.size() == from_file->info().channels.size());
    std::uint64_t frames = 0;
    for (std::uint32_t channel = 0; channel != trace->info().channels.size(); ++channel) {
        CHECK(trace->info().channels[channel].topic == from_file->info().channels[channel].topic);
        const auto count = from_file->frame_count(channel);
        REQUIRE(count != 0);
        REQUIRE(trace->frame_count(channel) == count);
        frames += count;
        for (auto i = count; i-- != 0;) {
            const auto frame = trace->frame(channel, i);
            const auto expected = from_file->frame(channel, i);
            CHECK((text_of(frame.bytes) == text_of(expected.bytes)));
            CHECK(frame.time == expected.time);
            CHECK(frame.log_time == expected.log_time);
            CHECK(frame.offset == expected.offset);
            CHECK(trace->frame_at(channel, frame.time.value()) == i);
        }
    }
    const auto stream = open_stream(bytes, options);
    Frame frame;
    std::uint64_t read = 0;
    for (; stream->read(frame); ++read) CHECK(frame.index == read);
    CHECK(read == frames);
    REQUIRE(stream->info().attachments.size() == from_file->info().attachments.size());
    for (const auto& attachment : stream->info().attachments) {
        std::string data;
        attachment.read([&](Bytes piece) { data += text_of(piece); });
        CHECK(data.size() == attachment.bytes);
    }
}
