// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/recover.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/osiconvert/file_jobs.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/system/terminal.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::app {
namespace {

std::string time_text(const std::optional<Nanoseconds>& time) { return time ? exact_seconds_text(*time) : "?"; }

/// `up to 3 frames (392 B)`; 0 frames: their number is unknown.
std::string amount_text(std::uint64_t frames, std::uint64_t bytes)
{
    if (frames == 0) return bytes_text(bytes);
    return (frames == 1 ? "" : "up to ") + count_text(frames, "frame") +
           (bytes == 0 ? "" : " (" + bytes_text(bytes) + ")");
}

std::string reason_of(const SkippedBytes& loss)
{
    const auto& field = loss.error.where().field;
    return (field.empty() ? "" : field + ": ") + loss.error.reason();
}

std::string line_of(const std::string& input, const SkippedBytes& loss)
{
    std::string line =
        input + (loss.bytes == 0 && loss.frames == 0 ? ": damaged" : ": lost " + amount_text(loss.frames, loss.bytes)) +
        " at byte " + std::to_string(loss.offset);
    if (loss.compressed) line += " of the compressed file";
    if (loss.frame) line += ", before frame " + std::to_string(*loss.frame) + " of the output";
    if (loss.after || loss.before)
        line += " (between " + time_text(loss.after) + " and " + time_text(loss.before) + ")";
    line += ": " + printable(reason_of(loss));
    if (loss.kept != 0)
        line += "; " + count_text(loss.kept, "frame") + " of it recovered (content complete, no checksum)";
    return line;
}

/// Of what no message depends on, a file may have one for each chunk: these are one line for each kind.
bool is_of_index(const SkippedBytes& loss)
{
    constexpr std::array kinds{Damage::chunk_index, Damage::chunk_times, Damage::message_index};
    return loss.bytes == 0 && loss.frames == 0 && loss.kept == 0 &&
           std::ranges::find(kinds, loss.error.damage()) != kinds.end();
}

std::string lines_of(const std::string& input, const std::vector<SkippedBytes>& losses)
{
    std::map<Damage, std::uint64_t> of_index;
    for (const auto& loss : losses)
        if (is_of_index(loss)) ++of_index[loss.error.damage()];
    std::string text;
    for (const auto& loss : losses) {
        const auto count = is_of_index(loss) ? std::exchange(of_index[loss.error.damage()], 0) : 1;
        if (count != 0)
            text += line_of(input, loss) + (count == 1 ? "" : " (" + std::to_string(count - 1) + " more)") + '\n';
    }
    return text;
}

std::string what_is_lost(const RecoverResult& result)
{
    const auto places = count_text(result.losses, "place");
    const auto frames = result.lost_frames.count().value_or(0);
    if (result.lost_bytes != 0 || frames != 0)
        return "lost " + amount_text(frames, result.lost_bytes) + " in " + places;
    if (!result.lost_frames.count()) return "lost an unknown number of frames in " + places;
    // A frame that no checksum confirms may be altered.
    return (result.kept_unproven == 0 ? "nothing lost, damaged in " : "damaged in ") + places;
}

std::string hints_for(const Recognition& stated)
{
    const auto layout = stated.format.encoding == Encoding::flatbuffers
                            ? " --layout " + std::string(name_of(stated.format.layout))
                            : "";
    return "--type " + std::string(row_of(stated.type).code) + " --input-encoding " +
           std::string(row_of(stated.format.encoding).name) + layout;
}

class RecoverCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "recover",
            .summary = "recover the readable frames of a damaged trace",
            .usage = {"recover IN -o OUT", "recover IN... --out-dir DIR [--resume]"},
            .notes = {"Copies every frame that can be read completely, before and after the damage. The report lists "
                      "what was lost and where,",
                      "and the exit code is then 3. A file without damage is copied unchanged. Messages of a damaged "
                      "MCAP chunk are recovered",
                      "if they can be decompressed and their content is complete; they are counted."},
            .examples = {"recover drive.osi -o saved.osi",
                         "recover cut_off.osi.zst -o saved.osi --json | jq '.files[0].lost'",
                         "recover broken.mcap -o saved.mcap", "recover crashed/*.mcap --out-dir saved"}};
    }

    void declare(Options& options) override
    {
        options.words("IN", request_.words, 1, SIZE_MAX);
        options.option("-o,--output", "OUT", "the trace to write",
                       [this](const std::string& file) { request_.output = file; });
        request_.outputs.declare(options);
        declare_container(options, request_.write);
        declare_overwrite(options, request_.write.overwrite);
        request_.input.declare(options);
        options.flag("--keep-empty", keep_empty_,
                     "keep empty messages that otherwise count as damage: at the end, many in a row, or FlatBuffers");
        declare_json(options, request_.json, "print the report as JSON");
    }

    ExitCode run(Messages& messages) override;

private:
    struct Recovered {
        FileJob job;
        enum class State : std::uint8_t { done, already_complete, failed } state = State::done;
        RecoverResult result = {};
        bool lossy = false;  ///< the output does not support everything that was read
        std::string error = {};
    };
    Recovered recover(const FileJob& job, Messages& messages, const std::stop_token& stop) const;
    void recover_trace_of(Recovered& file, Messages& messages, const std::stop_token& stop) const;
    static std::string unread_line_of(const Recovered& file);
    static std::string text_of(const Recovered& file, bool quiet);
    static std::string summary_of(const std::vector<Recovered>& files);
    static void add(JsonWriter& json, const Recovered& file);
    static std::string json_of(const std::vector<Recovered>& files);
    static ExitCode exit_code_of(const std::vector<Recovered>& files);

    EditRequest request_;
    bool keep_empty_ = false;
};

ExitCode RecoverCommand::run(Messages& messages)
{
    const auto jobs = request_.plan();
    const Interrupt interrupt;
    std::optional<OutputFolder> folder;
    if (request_.outputs.directory) folder.emplace(*request_.outputs.directory);
    std::vector<Recovered> files;
    for (const auto& job : jobs) {
        files.push_back(recover(job, messages, interrupt.token()));
        if (!request_.json && !messages.quiet && files.back().state != Recovered::State::done)
            print_summary(unread_line_of(files.back()), messages);
    }
    if (request_.json)
        print(json_of(files));
    else if (files.size() > 1 && !messages.quiet)
        print_summary(summary_of(files), messages);
    return exit_code_of(files);
}

/// One bad file does not stop the others.
RecoverCommand::Recovered RecoverCommand::recover(const FileJob& job, Messages& messages,
                                                  const std::stop_token& stop) const
{
    Recovered file{.job = job};
    if (request_.outputs.resume && is_complete(job)) {
        file.state = Recovered::State::already_complete;
        return file;
    }
    try {
        recover_trace_of(file, messages, stop);
    } catch (const Error& e) {
        if (!request_.outputs.directory || e.cause() == Cause::cancelled) throw;
        messages.clear_progress();
        messages.error(e);
        file.state = Recovered::State::failed;
        file.error = e.what();
    }
    return file;
}

void RecoverCommand::recover_trace_of(Recovered& file, Messages& messages, const std::stop_token& stop) const
{
    const auto& input = file.job.input();
    const auto& output = file.job.output;
    RecoverOptions options;
    options.open = request_.input.open_options(messages);
    options.write = request_.write;
    options.open.keep_empty = options.write.keep_empty = keep_empty_;
    options.on_progress = [&, started = std::chrono::steady_clock::now()](std::uint64_t frames, std::uint64_t bytes,
                                                                          std::optional<std::uint64_t> of) {
        const auto done =
            of && *of != 0 ? std::optional(static_cast<double>(bytes) / static_cast<double>(*of)) : std::nullopt;
        messages.progress(
            {shown_file(input, "standard input"), frames, bytes, done, std::chrono::steady_clock::now() - started});
    };
    options.on_written = [&](const TraceWriter& out) { report_output(out, output, messages); };
    file.result = recover_trace(input, output, options, stop);
    const auto& result = file.result;
    messages.clear_progress();
    if (!request_.json && !is_standard_output(output))
        print_summary(text_of(file, messages.quiet), messages);
    else if (!request_.json && !result.intact())
        messages.error(shown_file(input, "standard input") + ": " + what_is_lost(result));
    if (result.to_be_stated)
        messages.warning(shown_file(output, "standard output") + ": opens only with " +
                         hints_for(*result.to_be_stated) + ": " + result.why_stated);
    file.lossy = report_loss(output, {}, result.copied, messages);
}

ExitCode RecoverCommand::exit_code_of(const std::vector<Recovered>& files)
{
    auto code = ExitCode::success;
    for (const auto& file : files) {
        if (file.state == Recovered::State::failed) return ExitCode::failed;
        if (file.lossy || !file.result.intact()) code = ExitCode::findings;
    }
    return code;
}

/// The line of a file that was not recovered.
std::string RecoverCommand::unread_line_of(const Recovered& file)
{
    const auto* const state = file.state == Recovered::State::failed ? ": failed\n" : ": already complete\n";
    return shown_file(file.job.input(), "standard input") + " -> " + shown_file(file.job.output, "standard output") +
           state;
}

std::string RecoverCommand::summary_of(const std::vector<Recovered>& files)
{
    std::uint64_t intact = 0, damaged = 0, complete = 0, failed = 0;
    for (const auto& file : files) {
        complete += file.state == Recovered::State::already_complete;
        failed += file.state == Recovered::State::failed;
        if (file.state == Recovered::State::done) ++(file.result.intact() ? intact : damaged);
    }
    auto text = count_text(intact + damaged, "file") + " recovered: " + std::to_string(intact) + " without damage, " +
                std::to_string(damaged) + " damaged";
    if (complete != 0) text += "; " + std::to_string(complete) + " already complete";
    if (failed != 0) text += "; " + std::to_string(failed) + " failed";
    return text + '\n';
}

/// Quiet: only the reason for the exit code.
std::string RecoverCommand::text_of(const Recovered& file, bool quiet)
{
    const auto& result = file.result;
    if (quiet && result.intact()) return {};
    const auto input = shown_file(file.job.input(), "standard input");
    std::string text;
    if (!quiet) text += lines_of(input, result.lost);
    if (result.losses > result.lost.size() && !quiet)
        text += input + ": " + count_text(result.losses - result.lost.size(), "more place") + '\n';
    text += input + " -> " + shown_file(file.job.output, "standard output") + ": " +
            count_text(result.frames, "frame") +
            (result.type_name.empty() ? "" : " of " + printable(result.type_name)) + ", " +
            bytes_text(result.bytes_in) + " -> " + bytes_text(result.bytes_out);
    if (result.intact())
        return text + (Loss().text(result.copied).empty() ? "; no damage found\n" : "; no damage found in the input\n");
    text += "; " + what_is_lost(result);
    if (result.kept_unproven != 0)
        text += "; " + count_text(result.kept_unproven, "frame") + " not confirmed by a checksum";
    return text + '\n';
}

void RecoverCommand::add(JsonWriter& json, const Recovered& file)
{
    const auto time = [](JsonWriter& to, std::string_view name, const std::optional<Nanoseconds>& value) {
        to.key(name);
        value ? to.nanoseconds(value->count()) : to.null();
    };
    const auto& result = file.result;
    json.begin_object()
        .member("input", file.job.input().string())
        .member("output", file.job.output.string())
        .member("state", file.state == Recovered::State::done     ? "done"
                         : file.state == Recovered::State::failed ? "failed"
                                                                  : "already_complete")
        .member("error", file.error.empty() ? std::nullopt : std::optional(file.error))
        .member("type", result.type_name)
        .member("frames", result.frames);
    json.member("bytes_in", result.bytes_in).member("bytes_out", result.bytes_out);
    json.member("losses", result.losses)
        .member("lost_bytes", result.lost_bytes)
        .member("lost_frames", result.lost_frames.count())
        .member("kept_unproven", result.kept_unproven);
    add_left_out(json, result.copied);
    json.key("opens_only_with");
    result.to_be_stated ? json.value(hints_for(*result.to_be_stated)) : json.null();
    json.key("lost").begin_array();
    for (const auto& loss : result.lost) {
        json.begin_object()
            .member("byte", loss.offset)
            .member("bytes", loss.bytes)
            .member("frames", loss.frames)
            .key("before_frame");
        loss.frame ? json.value(*loss.frame) : json.null();
        time(json, "after", loss.after);
        time(json, "before", loss.before);
        json.member("reason", reason_of(loss))
            .member("kept", loss.kept)
            .member("compressed", loss.compressed)
            .end_object();
    }
    json.end_array().end_object();
}

std::string RecoverCommand::json_of(const std::vector<Recovered>& files)
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    for (const auto& file : files) add(json, file);
    return json.end_array().end_object().text();
}

}  // namespace

std::unique_ptr<Command> recover_command() { return std::make_unique<RecoverCommand>(); }

}  // namespace ositrace::app
