// SPDX-License-Identifier: MPL-2.0
// A loop of a few lines around the naive conversion: std::ifstream, length, payload, convert, std::ofstream.
#include <fstream>

#include <ositrace/error.hpp>

#include "app/bench/convert/file_variants.hpp"
#include "app/bench/naive/naive_converter.hpp"
#include "app/bench/naive/naive_file.hpp"

namespace ositrace::bench {
namespace {

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

}  // namespace

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

}  // namespace ositrace::bench
