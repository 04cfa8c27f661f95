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

/// `run.osi.gz` -> `run.osi`: compressions that are only read do not stay in the name.
std::filesystem::path output_name(const std::filesystem::path& input)
{
    const auto name = input.filename().string();
    const auto extension = trace_extension(name);
    const bool read_only = extension && (extension->compression == "gzip" || extension->compression == "xz");
    return read_only ? name.substr(0, name.rfind('.')) : name;
}

/// Empty: every channel keeps its own.
std::optional<Format> output_format(const FileJob& job, const TraceInfo& info)
{
    const auto name = job.output.filename().string();
    const auto extension = trace_extension(name);
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
    declare_overwrite(options, overwrite);
    input.declare(options);
    declare_threads(options, threads);
    declare_json(options, json, "print the result as JSON");
}

std::string EditRequest::take_mode(std::string_view one, std::string_view other)
{
    auto mode = words.front();
    if (mode != one && mode != other) throw usage("expected " + std::string(one) + " or " + std::string(other) + ", found '" + mode + "'");
    words.erase(words.begin());
    if (words.empty()) throw usage("IN is missing");
    return mode;
}

std::vector<FileJob> EditRequest::plan() const
{
    if (output && outputs.directory) throw usage("-o and --out-dir exclude each other");
    if (outputs.directory) return plan_batch(words, batch_options(""), output_name);
    if (outputs.resume) throw usage("--resume needs --out-dir");
    if (!output) throw usage("no output: name it with -o OUT");
    if (words.size() > 1) throw usage("more than one input: use --out-dir DIR to make a file of each");
    check_trace_output(*output, json);
    return {{words.front(), *output}};
}

bool is_mcap(const std::filesystem::path& output)
{
    const auto name = output.filename().string();
    const auto extension = trace_extension(name);
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

FileOutcome write_edit(FrameSource& edit, const FileJob& job, const EditRequest& request, Messages& messages, std::stop_token stop)
{
    const auto started = Clock::now();
    FileOutcome outcome;
    outcome.job = job;
    ConvertOptions options;
    options.to = output_format(job, edit.info());
    options.threads = request.threads;
    options.max_message_bytes = max_encodable_bytes;
    options.on_progress = [&](const ConvertProgress& progress) { messages.progress(progress_of(job.input.string(), progress, started)); };
    WriteOptions write;
    write.overwrite = request.overwrite;
    write.threads = request.threads;
    for (const auto& word : request.words) write.inputs.emplace_back(word);
    const auto out = create_trace(job.output, converted_info(edit.info(), options.to), write);
    outcome.result = convert(edit, *out, options, std::move(stop));
    if (outcome.result.frames == 0 && !request.may_be_empty)
        throw Error(Cause::mismatch, {.file = job.input}, "no frame lies in the part that was asked for ('osiconvert info' shows what there is)");
    // What was read of a file that is left early depends on how far the reading ran ahead.
    outcome.bytes_in = edit.bytes_total().value_or(edit.bytes_consumed());
    outcome.bytes_out = out->close();
    tell_about(*out, job.output, messages);
    outcome.type_name = edit.info().channels.size() == 1 ? edit.info().channels.front().type_name : "";
    outcome.seconds = Clock::now() - started;
    return outcome;
}

}  // namespace ositrace::app
