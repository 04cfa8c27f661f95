// SPDX-License-Identifier: MPL-2.0
// Which file becomes which.
#include <map>
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

std::vector<TranscodeJob> batch(const TranscodeRequest& request)
{
    std::vector<TranscodeJob> jobs;
    std::map<std::filesystem::path, std::filesystem::path> inputs;  // by output
    for (const auto& word : request.words) {
        if (word == "-") throw usage("standard input has no name that an output in --out-dir could have");
        auto output = *request.outputs.directory / renamed(std::filesystem::path(word).filename(), request.to.encoding);
        const auto [other, is_new] = inputs.emplace(output, word);
        if (!is_new) throw usage(other->second.string() + " and " + word + " would both become " + output.string());
        jobs.push_back({word, std::move(output)});
    }
    return jobs;
}

TranscodeJob single(const TranscodeRequest& request)
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

std::vector<TranscodeJob> plan_transcoding(const TranscodeRequest& request)
{
    auto jobs = request.outputs.directory ? batch(request) : std::vector{single(request)};
    if (request.follow && jobs.size() > 1) throw usage("--follow takes one file");
    if (!request.outputs.directory) check_trace_output(jobs.front().output, request.json);
    return jobs;
}

bool is_complete(const TranscodeJob& job)
{
    std::error_code absent;
    const auto made = std::filesystem::last_write_time(job.output, absent);
    if (absent || !std::filesystem::is_regular_file(job.output, absent)) return false;
    const auto changed = std::filesystem::last_write_time(job.input, absent);
    return !absent && made >= changed;
}

}  // namespace ositrace::app
