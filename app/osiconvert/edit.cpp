// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/edit.hpp"

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/output.hpp"

namespace ositrace::app {
namespace {

using Clock = std::chrono::steady_clock;

Error usage(const std::string& reason) { return {Cause::usage, reason}; }

/// With the extension of --to. Else `run.osi.gz` -> `run.osi`: compressions that are only read do not stay in the name.
std::filesystem::path output_name(const std::filesystem::path& input, const WriteOptions& options)
{
    if (!options.extension.empty()) return with_extension(input, options.extension);
    const auto name = input.filename().string();
    const auto extension = trace_extension(name);
    return extension && !extension->is_written ? name.substr(0, name.rfind('.')) : name;
}

/// Empty: every channel keeps its own.
std::optional<Format> output_format(const FileJob& job, const WriteOptions& options, const TraceInfo& info)
{
    const auto extension = output_extension(job.output, options);
    if (!extension || !extension->encoding) return std::nullopt;
    for (const auto& channel : info.channels)
        if (channel.format.encoding == *extension->encoding) return std::nullopt;
    return Format{*extension->encoding, Layout::numbered};
}

}  // namespace

void EditRequest::declare(Options& options, std::size_t most_inputs, bool many)
{
    options.words("IN", words, 1, most_inputs);
    options.option("-o,--output", "OUT", "the trace to write; its extension says container, encoding and compression",
                   [this](const std::string& file) { output = file; });
    if (many) outputs.declare(options);
    declare_container(options, write);
    declare_overwrite(options, write.overwrite);
    input.declare(options);
    declare_threads(options, write.threads);
    declare_json(options, json, "print the result as JSON");
}

std::string EditRequest::take_mode(std::string_view one, std::string_view other)
{
    auto mode = words.front();
    if (mode != one && mode != other)
        throw usage("expected " + std::string(one) + " or " + std::string(other) + ", found '" + mode + "'");
    words.erase(words.begin());
    if (words.empty()) throw usage("IN is missing");
    return mode;
}

std::vector<FileJob> EditRequest::plan()
{
    if (output && outputs.directory) throw usage("-o and --out-dir exclude each other");
    if (!output && !outputs.directory) throw usage("no output: name it with -o OUT");
    if (outputs.resume && !outputs.directory) throw usage("--resume needs --out-dir");
    write.overwrite = write.overwrite || outputs.resume;
    std::vector<FileJob> jobs;
    if (outputs.directory) {
        jobs = plan_batch(words, batch_options(""),
                          [this](const std::filesystem::path& file) { return output_name(file, write); });
    } else {
        check_trace_output(*output, json);
        check_one_standard_input(words);
        const auto files = with_folders(words);
        if (files.size() > 1 && !joins) throw usage("more than one input: use --out-dir DIR to make a file of each");
        jobs.push_back({{files.begin(), files.end()}, *output});
    }
    for (const auto& job : jobs) {
        check_container(job.output, write);
        write.inputs.insert(write.inputs.end(), job.inputs.begin(), job.inputs.end());
    }
    return jobs;
}

bool is_mcap(const std::filesystem::path& output, const WriteOptions& options)
{
    const auto extension = output_extension(output, options);
    return extension && extension->container == "mcap";
}

std::string sources_of(const NameByContent& name)
{
    const auto text = [](NameSource source) -> std::string {
        switch (source) {
        case NameSource::metadata: return "from the metadata";
        case NameSource::old_name: return "from the old name";
        case NameSource::file_time: return "from the time of the file";
        case NameSource::assumed: break;
        }
        return "assumed";
    };
    return "timestamp " + text(name.timestamp_from) + ", Protobuf version " + text(name.protobuf_version_from);
}

FileOutcome write_edit(FrameSource& edit, const FileJob& job, const EditRequest& request, Messages& messages,
                       std::stop_token stop)
{
    const auto started = Clock::now();
    FileOutcome outcome;
    outcome.job = job;
    ConvertOptions options;
    options.to = output_format(job, request.write, edit.info());
    options.threads = request.write.threads;
    options.max_message_bytes = max_encodable_bytes;
    options.on_progress = [&](const ConvertProgress& progress) {
        messages.progress(progress_of(job.input().string(), progress, started));
    };
    const auto out = create_trace(job.output, converted_info(edit.info(), options.to), request.write);
    outcome.result = convert(edit, *out, options, std::move(stop));
    if (outcome.result.frames == 0 && !request.may_be_empty)
        throw Error(Cause::mismatch, {.file = job.input()},
                    "no frame lies in the part that was asked for ('osiconvert info' shows what there is)");
    // What was read of a file that is left early depends on how far the reading ran ahead.
    outcome.bytes_in = edit.bytes_total().value_or(edit.bytes_consumed());
    outcome.bytes_out = out->close();
    tell_about(*out, job.output, messages);
    outcome.channels = edit.info().channels;
    outcome.seconds = Clock::now() - started;
    return outcome;
}

}  // namespace ositrace::app
