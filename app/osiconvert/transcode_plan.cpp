// SPDX-License-Identifier: MPL-2.0
// Which file becomes which.
#include <system_error>

#include <ositrace/trace_name.hpp>

#include "app/osiconvert/transcode.hpp"

namespace ositrace::app {
namespace {

/// `run.osi.gz` -> `run.osifb`; a name without an extension of traces keeps all it has.
std::filesystem::path renamed(const std::filesystem::path& file, Encoding to)
{
    std::string name = file.filename().string();
    if (const auto extension = trace_extension(name)) name.resize(name.size() - extension->text.size());
    return file.parent_path() / (name += row_of(to).file_extension);
}

Error usage(const std::string& reason) { return {Cause::usage, reason}; }

FileJob single(const TranscodeRequest& request)
{
    if (request.words.size() > 2) throw usage("more than IN and OUT: use --out-dir DIR to convert several files");
    if (request.outputs.resume) throw usage("--resume needs --out-dir");
    const std::filesystem::path input = request.words.front();
    if (request.words.size() == 2) {
        std::error_code unknown;
        if (std::filesystem::is_directory(request.words.back(), unknown)) {
            throw usage(request.words.back() + " is a directory: use --out-dir " + request.words.back());
        }
        return {input, request.words.back()};
    }
    return {input, input == "-" ? input : renamed(input, request.to.encoding)};
}

}  // namespace

std::vector<FileJob> plan_transcoding(const TranscodeRequest& request)
{
    const auto name = [&](const std::filesystem::path& input) { return renamed(input.filename(), request.to.encoding); };
    auto jobs = request.outputs.directory ? plan_batch(request.words, request.batch_options(), name) : std::vector{single(request)};
    if (request.follow && jobs.size() > 1) throw usage("--follow takes one file");
    if (!request.outputs.directory) check_trace_output(jobs.front().output, request.json);
    return jobs;
}

}  // namespace ositrace::app
