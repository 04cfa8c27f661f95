// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <vector>

#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/lib/trace/sample_frames.hpp"

struct Walked {
    std::vector<std::string> payloads;
    std::vector<std::uint64_t> offsets;
    std::string error;
};

/// Everything a file gives, up to the Error it ends with.
inline Walked walk(const std::filesystem::path& file, const ositrace::OpenOptions& options = sample::as_sensor_view())
{
    Walked walked;
    walked.error = error_of([&] {
        const auto source = ositrace::open_stream(file, options);
        ositrace::Frame frame;
        while (source->read(frame)) {
            CHECK(frame.index == walked.payloads.size());
            walked.payloads.emplace_back(ositrace::text_of(frame.bytes));
            walked.offsets.push_back(frame.offset);
        }
    });
    return walked;
}

/// A file in the scratch folder; errors start with its name, which is left out.
struct File {
    ScratchFolder folder;
    std::filesystem::path path;

    explicit File(const std::string& contents, const std::string& name = "run.osi") : path(folder / name)
    {
        write_file(path, contents);
    }
    [[nodiscard]] std::string without_folder(const std::string& error) const
    {
        const auto name = folder.path().string() + "/";
        return error.starts_with(name) ? error.substr(name.size()) : error;
    }
    [[nodiscard]] std::string error(const ositrace::OpenOptions& options = sample::as_sensor_view()) const
    {
        return without_folder(walk(path, options).error);
    }
};
