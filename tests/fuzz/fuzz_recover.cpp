// SPDX-License-Identifier: MPL-2.0
// A damaged file of either container: frames or one Error; a file that was recovered has as many frames as reported,
// and is intact. Input: the file, then a choice: length-prefixed or MCAP.
#include <filesystem>

#include <sys/mman.h>
#include <unistd.h>

#include <ositrace/recover.hpp>

#include "tests/fuzz/memory_file.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

RecoverOptions options()
{
    RecoverOptions options;
    options.open.type = MessageType::ground_truth;
    options.open.encoding = Encoding::protobuf;
    options.open.keep_index = false;
    options.write.overwrite = true;
    options.write.sync = false;
    return options;
}

std::uint64_t frames_in(const std::filesystem::path& file)
{
    auto open = options().open;
    std::uint64_t frames = 0;
    const auto source = open_stream(file, open);
    for (Frame frame; source->read(frame);) ++frames;
    return frames;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const auto folder = std::filesystem::temp_directory_path() / ("fuzz_recover-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    Input input(data, size);
    const std::string extension = input.choose() ? ".mcap" : ".osi";
    const FileHandle file(::memfd_create("fuzz", MFD_CLOEXEC));
    check(::write(static_cast<int>(file.native()), input.rest().data(), input.rest().size()) ==
              static_cast<ssize_t>(input.rest().size()),
          "memory is there");
    const std::filesystem::path in = "/proc/self/fd/" + std::to_string(file.native());
    const auto out = folder / ("out" + extension), again = folder / ("again" + extension);

    RecoverResult result;
    const auto recovered = attempt([&] {
        result = recover_trace(in, out, options());
        return "";
    });
    if (!recovered.done() || result.frames == 0) return 0;
    // Any bytes may be a message of an MCAP file, and a .osi file has no schema that vouches for them.
    if (extension == ".osi" && input.text().starts_with("\x89MCAP")) return 0;
    check(result.kept_unproven <= result.frames, "what was kept is there");
    const auto checked = attempt([&] {
        check(frames_in(out) == result.frames, "all frames that were recovered are in the output");
        check(recover_trace(out, again, options()).frames == result.frames, "a second recovery finds the same");
        return "";
    });
    // A frame with wrong tags is kept as a message with unknown fields; of a few bytes another type may explain more,
    // or none.
    for (const auto* const reason : {": the requested type is ", ": the content is not an OSI message: "})
        if (extension == ".osi" && checked.error.find(reason) != std::string::npos) return 0;
    check(checked.done(), "what was recovered can be read", checked.error);
    return 0;
}
