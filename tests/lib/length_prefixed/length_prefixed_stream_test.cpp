// SPDX-License-Identifier: MPL-2.0
// With one processor a file is read without a thread: nothing else may differ.
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/one_processor.hpp"

using namespace ositrace;

namespace {

constexpr std::size_t stream_frames = 30'000;

/// GroundTruths with a timestamp of some seconds.
std::string many_frames()
{
    std::string bytes;
    for (std::size_t i = 0; i != stream_frames; ++i)
        bytes += std::string("\x04\0\0\0\x12\x02\x08", 7) + static_cast<char>(1 + i % 100);
    return bytes;
}

struct StreamRead {
    std::vector<std::string> frames;
    std::string error;
    std::ptrdiff_t threads = 0;  ///< that were started, after half of the frames
};

std::ptrdiff_t threads_now()
{
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

StreamRead read_stream(const std::filesystem::path& file)
{
    OpenOptions options;
    options.type = MessageType::ground_truth;
    const auto before = threads_now();
    const auto source = open_stream(file, options);
    StreamRead result;
    const auto read_on = [&] {
        for (Frame frame; source->read(frame);) {
            result.frames.push_back(std::to_string(frame.index) + ' ' + std::to_string(frame.offset) + ' ' +
                                    std::string(text_of(frame.bytes)));
            if (result.frames.size() == stream_frames / 2) result.threads = threads_now() - before;
        }
    };
    result.error = error_of(read_on);
    CHECK(error_of(read_on) == result.error);
    return result;
}

}  // namespace

TEST_CASE("with one processor a length-prefixed file is read without a thread, to its end or its damage")
{
    const ScratchFolder folder;
    const auto bytes = many_frames();
    const auto file = folder / "run.osi";
    for (const auto& contents : {bytes, bytes.substr(0, bytes.size() - 3)}) {
        write_file(file, contents);
        const auto with_threads = read_stream(file);
        const OneProcessor one;
        const auto alone = read_stream(file);
        CHECK(alone.frames.size() == stream_frames - (contents.size() == bytes.size() ? 0 : 1));
        CHECK(alone.frames == with_threads.frames);
        CHECK(alone.error == with_threads.error);
        CHECK(alone.error.empty() == (contents.size() == bytes.size()));
        CHECK(alone.threads == 0);
    }
}
