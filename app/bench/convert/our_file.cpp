// SPDX-License-Identifier: MPL-2.0
// The work of `osiconvert proto2flat` and `flat2proto`, in this process.
#include <ositrace/convert.hpp>

#include "app/bench/convert/file_variants.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

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

}  // namespace

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

std::filesystem::path FileTask::output(const std::string& variant) const
{
    return folder / (variant + (to.encoding == Encoding::flatbuffers ? ".osifb" : ".osi"));
}

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
