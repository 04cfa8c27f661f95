// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/trace_file.hpp"

#include <system_error>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

namespace ositrace::fmu {

namespace {

std::filesystem::path first_trace_in(const std::filesystem::path& folder)
{
    std::filesystem::path first;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto name = entry.path().filename().string();
        if (!entry.is_regular_file() || name.starts_with(".") || !trace_extension(name)) continue;
        if (first.empty() || name < first.filename().string()) first = entry.path();
    }
    if (first.empty())
        throw Error(Cause::usage,
                    "no trace (.osi, .osifb, .mcap) in the folder " + folder.string() + ", which 'trace_path' names");
    return first;
}

}  // namespace

std::filesystem::path trace_file(const std::string& path, const std::string& name)
try {
    if (path.empty() && name.empty())
        throw Error(Cause::usage,
                    "no trace: set 'trace_path' to a trace, or to a folder, and 'trace_name' to a trace in it");
    if (!name.empty()) return std::filesystem::path(path) / name;
    return std::filesystem::is_directory(path) ? first_trace_in(path) : std::filesystem::path(path);
} catch (const std::filesystem::filesystem_error& e) {
    throw Error(Cause::io, {.file = path}, e.code().message());
}

}  // namespace ositrace::fmu
