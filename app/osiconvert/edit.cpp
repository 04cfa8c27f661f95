// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/edit.hpp"

#include <algorithm>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/near_word.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"

namespace ositrace::app {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void EditRequest::declare(Options& options, std::size_t most_inputs, bool many)
{
    options.words("IN", words, 1, most_inputs);
    options.option("-o,--output", "OUT",
                   "the trace to write; its extension selects container, encoding and compression",
                   [this](const std::string& file) { output = file; });
    if (many) outputs.declare(options);
    declare_container(options, write);
    declare_overwrite(options, write.overwrite);
    input.declare(options);
    declare_threads(options, write.threads);
    declare_json(options, json, "print the result as JSON");
}

std::string EditRequest::remove_mode(std::initializer_list<std::string_view> modes)
{
    auto mode = words.front();
    if (std::ranges::find(modes, std::string_view(mode)) == modes.end()) {
        std::string all;
        for (const auto& each : modes)
            all += (all.empty() ? "" : &each + 1 == modes.end() ? " or " : ", ") + std::string(each);
        throw invalid_usage("expected " + all + ", found '" + mode + "'" +
                            did_you_mean(mode, {modes.begin(), modes.end()}));
    }
    words.erase(words.begin());
    if (words.empty()) throw invalid_usage("IN is missing");
    return mode;
}

/// The second word, or the name of the input with the added extension.
void EditRequest::name_output()
{
    if (words.size() > 2) throw invalid_usage("more than IN and OUT: use --out-dir DIR to convert several files");
    const std::filesystem::path file = words.front();
    std::error_code none;
    if (std::filesystem::is_directory(file, none))
        throw invalid_usage(file.string() + " is a folder: use --out-dir DIR to convert the traces in it");
    if (words.size() == 1) {
        output = file == "-" ? file : file.parent_path() / output_name(file);
        return;
    }
    output = words.back();
    words.pop_back();
    if (std::filesystem::is_directory(*output, none))
        throw invalid_usage(output->string() + " is a folder: use --out-dir " + output->string());
}

/// Without an extension of its own `run.osi.gz` becomes `run.osi`: compressions that are only read are dropped.
std::filesystem::path EditRequest::output_name(const std::filesystem::path& file) const
{
    const std::string_view own = write.extension.empty() ? added_extension : std::string_view(write.extension);
    if (!own.empty()) return with_extension(file, own);
    const auto name = file.filename().string();
    const auto extension = trace_extension(name);
    return extension && !extension->is_written ? name.substr(0, name.rfind('.')) : name;
}

std::vector<FileJob> EditRequest::plan()
{
    if (!added_extension.empty() && !outputs.directory) name_output();
    if (output && outputs.directory) throw invalid_usage("-o and --out-dir exclude each other");
    if (!output && !outputs.directory) throw invalid_usage("no output: use -o OUT");
    if (outputs.resume && !outputs.directory) throw invalid_usage("--resume requires --out-dir");
    write.overwrite = write.overwrite || outputs.resume;
    std::vector<FileJob> jobs;
    if (outputs.directory) {
        jobs =
            plan_jobs(words, job_options(""), [this](const std::filesystem::path& file) { return output_name(file); });
    } else {
        check_trace_output(*output, json ? "--json" : "");
        check_one_standard_input(words);
        const auto files = with_folders(words);
        if (files.size() > 1 && !joins)
            throw invalid_usage("more than one input: use --out-dir DIR to write a file for each");
        jobs.push_back({{files.begin(), files.end()}, *output});
    }
    for (const auto& job : jobs) {
        check_container(job.output, write);
        write.inputs.insert(write.inputs.end(), job.inputs.begin(), job.inputs.end());
    }
    return jobs;
}

ContainerTraits output_container(const std::filesystem::path& output, const WriteOptions& options)
{
    const auto extension = output_extension(output, options);
    return extension ? extension->container : ContainerTraits();
}

std::string sources_of(const NameByContent& name)
{
    const auto text = [](NameSource source) -> std::string {
        switch (source) {
        case NameSource::metadata: return "from the metadata";
        case NameSource::old_name: return "from the old name";
        case NameSource::file_time: return "from the modification time";
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
    options.to = output_format(job.output, request.write, edit.info());
    options.threads = request.write.threads;
    options.max_message_bytes = max_encodable_bytes;
    options.on_progress = [&](const ConvertProgress& progress) {
        messages.progress(progress_of(shown_file(job.input(), "standard input"), progress, started));
    };
    const auto out = create_trace(job.output, converted_info(edit.info(), options.to), request.write);
    outcome.result = convert(edit, *out, options, std::move(stop));
    if (outcome.result.frames == 0 && !request.may_be_empty)
        throw Error(Cause::mismatch, {.file = shown_file(job.input(), "standard input")},
                    "the selected part contains no frame ('osiconvert info' prints what the trace contains)");
    // If reading ends early, the number of bytes read depends on the read-ahead.
    outcome.bytes_in = edit.bytes_total().value_or(edit.bytes_consumed());
    outcome.bytes_out = out->close();
    report_output(*out, job.output, messages);
    outcome.channels = edit.info().channels;
    outcome.seconds = Clock::now() - started;
    return outcome;
}

ExitCode run_edits(EditRequest& request, std::string_view done, Messages& messages,
                   const std::function<FileOutcome(const OpenOptions& open, const FileJob& job)>& run_one)
{
    const auto jobs = request.plan();
    auto open = request.input.open_options(messages);
    return run_jobs(jobs, request.job_options(done), messages, [&](const FileJob& job, std::stop_token stop) {
        open.stop = std::move(stop);
        return run_one(open, job);
    });
}

}  // namespace ositrace::app
