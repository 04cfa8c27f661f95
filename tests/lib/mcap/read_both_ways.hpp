// SPDX-License-Identifier: MPL-2.0
// An MCAP file as a stream in the order of the file, and through its index or a walk in that of the log times.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ositrace/trace.hpp>

#include "tests/error_of.hpp"
#include "tests/lib/mcap/mcap_file.hpp"

namespace mcap_file {

struct Read {
    std::vector<std::string> lines;
    std::string error;
    ositrace::TraceInfo info;
};

inline Read streamed(const std::filesystem::path& file, const ositrace::OpenOptions& options = {})
{
    Read read;
    read.error = error_of([&] {
        const auto stream = ositrace::open_stream(file, options);
        for (ositrace::Frame frame; stream->read(frame);) read.lines.push_back(line_of(frame, stream->info()));
        read.info = stream->info();
        return 0;
    });
    return read;
}

inline Read through_index(const std::filesystem::path& file, const ositrace::OpenOptions& options = {})
{
    Read read;
    read.error = error_of([&] {
        const auto trace = ositrace::open_trace(file, options);
        read.info = trace->info();
        const auto reader = trace->reader();
        for (ositrace::Frame frame; reader->read(frame);) read.lines.push_back(line_of(frame, trace->info()));
        read.info = reader->info();
        return 0;
    });
    return read;
}

inline std::string behind_name(const std::string& error, const std::filesystem::path& file)
{
    const auto name = file.string() + ": ";
    return error.starts_with(name) ? error.substr(name.size()) : error;
}

}  // namespace mcap_file
