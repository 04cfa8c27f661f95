// SPDX-License-Identifier: MPL-2.0
// Which file becomes which.
#include <system_error>

#include "app/osiconvert/transcode.hpp"

namespace ositrace::app {
namespace {

Error usage(const std::string& reason) { return {Cause::usage, reason}; }

FileJob single(const TranscodeRequest& request)
{
    if (request.words.size() > 2) throw usage("more than IN and OUT: use --out-dir DIR to convert several files");
    if (request.outputs.resume) throw usage("--resume needs --out-dir");
    const std::filesystem::path input = request.words.front();
    std::error_code unknown;
    if (std::filesystem::is_directory(input, unknown))
        throw usage(input.string() + " is a folder: use --out-dir DIR to convert the traces in it");
    if (request.words.size() == 2) {
        if (std::filesystem::is_directory(request.words.back(), unknown)) {
            throw usage(request.words.back() + " is a directory: use --out-dir " + request.words.back());
        }
        return {{input}, request.words.back()};
    }
    return {
        {input},
        input == "-" ? input : input.parent_path() / with_extension(input, row_of(request.to.encoding).file_extension)};
}

}  // namespace

std::vector<FileJob> plan_transcoding(const TranscodeRequest& request)
{
    const auto name = [&](const std::filesystem::path& input) {
        return with_extension(input, row_of(request.to.encoding).file_extension);
    };
    auto jobs = request.outputs.directory ? plan_batch(request.words, request.batch_options(), name)
                                          : std::vector{single(request)};
    if (request.follow && jobs.size() > 1) throw usage("--follow takes one file");
    if (!request.outputs.directory) check_trace_output(jobs.front().output, request.json);
    return jobs;
}

}  // namespace ositrace::app
