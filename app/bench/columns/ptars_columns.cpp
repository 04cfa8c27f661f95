// SPDX-License-Identifier: MPL-2.0
// Protobuf to Arrow by the PyPI package ptars, in a Python process; the frames are in its memory before it is timed.
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/columns/column_variants.hpp"
#include "app/bench/core/scratch_folder.hpp"
#include "bench_ptars_script.hpp"

namespace ositrace::bench {
namespace {

void write_schema(const std::filesystem::path& file)
{
    const auto schema = Schema::built_in()->descriptor_set();
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(schema.data()), static_cast<std::streamsize>(schema.size()));
}

}  // namespace

std::optional<Variant> ptars_columns(const Sample& sample, const Elements& elements, const std::string& python,
                                     const std::filesystem::path& scratch)
{
    const ScratchFolder folder(scratch);
    const auto trace = write_frames(folder.path() / "frames.osi", sample, {}), schema = folder.path() / "schema.desc";
    write_schema(schema);
    auto path = std::string(elements.sensors) + '.' + std::string(elements.elements);
    if (!elements.parent.empty()) path = std::string(elements.parent) + '.' + path;
    std::vector<std::string> arguments{trace.string(), schema.string(), std::string(row_of(elements.message).full_name),
                                       path};
    arguments.insert(arguments.end(), elements.columns.begin(), elements.columns.end());
    const auto process = PythonProcess::start(python, ptars_script, arguments);
    if (!process) return std::nullopt;
    return Variant{
        .name = "ptars",
        .what = "Python: frames to Arrow record batches, the columns as numpy arrays",
        .role = Role::other,
        .run = [process] { return process->run(); },
        .answer =
            [process](Answer& answer) { process->give([&](std::span<const double> column) { answer.add(column); }); }};
}

}  // namespace ositrace::bench
