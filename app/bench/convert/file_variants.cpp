// SPDX-License-Identifier: MPL-2.0
// The variants that convert a whole file, from the page cache to a folder.
#include <cerrno>
#include <fstream>
#include <string>

#include <spawn.h>
#include <sys/wait.h>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/transcoder.hpp>

#include "app/bench/convert/convert_variants.hpp"
#include "app/bench/naive/naive_converter.hpp"
#include "app/terminal/quantity.hpp"

extern char** environ;

namespace ositrace::bench {
namespace {

void run_cp(std::string from, std::string to)
{
    std::string program = "cp", end_of_options = "--";
    char* words[] = {program.data(), end_of_options.data(), from.data(), to.data(), nullptr};
    pid_t child = 0;
    int status = 0;
    if (::posix_spawnp(&child, "cp", nullptr, nullptr, words, environ) != 0)
        throw Error(Cause::io, "cp cannot be started");
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) throw Error(Cause::io, "cp failed");
}

std::size_t convert_naively(const FileTask& task, const std::filesystem::path& output, NaiveConverter& naive)
{
    std::ofstream out(output, std::ios::binary);
    std::size_t written = 0;
    for_each_frame_of(task.in, [&](Bytes frame) {
        const auto result = task.to.encoding == Encoding::flatbuffers ? naive.to_flat(frame) : naive.to_protobuf(frame);
        const auto size = static_cast<std::uint32_t>(result.size());
        out.write(reinterpret_cast<const char*>(&size), sizeof size);
        out.write(reinterpret_cast<const char*>(result.data()), static_cast<std::streamsize>(result.size()));
        written += sizeof size + result.size();
    });
    out.close();
    if (!out) throw Error(Cause::io, {.file = output}, "cannot be written");
    return written;
}

std::size_t convert_file(const FileTask& task, const std::filesystem::path& output, unsigned threads)
{
    OpenOptions open;
    open.type = task.sample.type;
    open.encoding = task.from.encoding;
    const auto in = open_stream(task.in, open);
    WriteOptions write;
    write.overwrite = true;
    write.sync = false;  // cp does not sync either
    const auto out = create_trace(output, converted_info(in->info(), task.to), write);
    static_cast<void>(convert(*in, *out, {.to = task.to, .threads = threads}));
    return out->close();
}

/// Adds the contents of a file in one of the encodings, as canonical Protobuf.
void add_file(Answer& answer, const std::filesystem::path& file, const Sample& sample)
{
    OpenOptions open;
    open.type = sample.type;
    const auto in = open_stream(file, open);
    const auto& channel = in->info().channels.front();
    if (channel.format.encoding == Encoding::protobuf) {
        for (Frame frame; in->read(frame);) answer.add(frame.bytes);
        return;
    }
    Transcoder back(*channel.root, channel.format, Format{});
    ByteBuffer protobuf;
    for (Frame frame; in->read(frame);) {
        back.transcode(frame.bytes, protobuf);
        answer.add(protobuf.bytes());
    }
}

}  // namespace

std::filesystem::path FileTask::output(const std::string& variant) const
{
    return folder / (variant + (to.encoding == Encoding::flatbuffers ? ".osifb" : ".osi"));
}

// The yardstick: the program `cp`, its start included.

Variant copy_file_by_cp(const FileTask& task)
{
    const auto out = task.output("cp");
    const auto copy = [in = task.in, out] {
        run_cp(in.string(), out.string());
        return static_cast<std::size_t>(std::filesystem::file_size(out));
    };
    return {
        .name = "cp of the input", .what = "the program cp, its start included", .role = Role::yardstick, .run = copy};
}

// A loop of a few lines around the naive conversion: std::ifstream, length, payload, convert, std::ofstream.

Variant naive_file(const FileTask& task)
{
    const auto naive = std::make_shared<NaiveConverter>(task.sample.type);
    const auto out = task.output("naive");
    return {.name = "naive",
            .what = "std::ifstream, generated code with message and builder reused, std::ofstream; one thread",
            .role = Role::naive,
            .run = [task, out, naive] { return convert_naively(task, out, *naive); },
            .answer = [task, out](Answer& answer) { add_file(answer, out, task.sample); }};
}

// The work of `osiconvert proto2flat` and `flat2proto`, in this process.

Variant our_file(const FileTask& task, unsigned threads)
{
    const auto out = task.output("ours-" + std::to_string(threads));
    return {.name = "ositrace, " + app::count_text(threads, "thread"),
            .what = "convert(), as osiconvert calls it; the output appears complete or not at all",
            .role = Role::ours,
            .run = [task, out, threads] { return convert_file(task, out, threads); },
            .answer = [task, out](Answer& answer) { add_file(answer, out, task.sample); }};
}

}  // namespace ositrace::bench
