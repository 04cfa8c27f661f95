// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cctype>
#include <set>

#include <ositrace/edit/cut.hpp>
#include <ositrace/edit/rename.hpp>
#include <ositrace/edit/split.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"
#include "app/terminal/static_text.hpp"
#include "lib/system/process.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace::app {
namespace {

/// `Sensor/Front[1]` -> `Sensor-Front-1`
std::string in_a_file_name(const std::string& topic)
{
    std::string text;
    for (const char c : topic) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
        if (plain)
            text += c;
        else if (!text.empty() && text.back() != '-')
            text += '-';
    }
    while (!text.empty() && text.back() == '-') text.pop_back();
    return text;
}

/// `Sensor-Front`, or `Sensor-Front-2` if another topic has the same form in a file name.
std::string unique_mark(std::set<std::string>& used, const std::string& mark)
{
    auto name = mark;
    for (int number = 2; !used.insert(name).second; ++number) name = mark + '-' + std::to_string(number);
    return name;
}

std::string piece_mark(std::uint64_t number)
{
    auto text = std::to_string(number);
    return std::string(text.size() < 3 ? 3 - text.size() : 0, '0') + text;
}

class SplitCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "split",
                .summary = "split a trace into files with standard names",
                .usage = {"split IN --out-dir DIR --every-frames N | --every-seconds S | --every-bytes B | --channels "
                          "[--to mcap]"},
                .notes = {"The static data of earlier frames is copied into the first frame of each piece.",
                          "Pieces are named by the standard, with a number or the topic after the custom name."},
                .examples = {"split drive.osi --out-dir parts --every-seconds 2",
                             "split both.mcap --out-dir channels --channels",
                             "split both.mcap --out-dir channels --channels --to mcap"}};
    }
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    void check() const;
    void remove_pieces(Messages& messages);
    void read_to_the_end(const OpenOptions& open) const;
    void split_channels(const OpenOptions& open, Messages& messages, const std::stop_token& stop);
    void split_pieces(const OpenOptions& open, Messages& messages, const std::stop_token& stop);
    [[nodiscard]] std::string piece_extension(const TraceInfo& info) const;
    FileOutcome write_hidden(FrameSource& piece, const FileJob& job, const std::string& mark, Messages& messages,
                             const std::stop_token& stop);
    void write_piece(FrameSource& piece, const std::string& extension, const std::string& mark, Messages& messages,
                     const std::stop_token& stop);
    [[nodiscard]] std::filesystem::path final_name(const std::filesystem::path& written, const TraceSummary& piece,
                                                   const std::string& mark);
    [[nodiscard]] std::filesystem::path input() const { return request_.words.front(); }

    EditRequest request_;
    SplitOptions options_;
    bool channels_ = false;
    std::vector<FileOutcome> outcomes_;
    std::string sources_;  ///< of the names, equal for all pieces
    bool lossy_ = false;
};

void SplitCommand::declare(Options& options)
{
    options.option("--every-frames", "N", "a piece has at most N frames of each channel",
                   [this](const std::string& text) { options_.every_frames = parse_count(text, 1); });
    options.option("--every-seconds", "S", "a piece has S seconds of OSI time", [this](const std::string& text) {
        options_.every_time = Nanoseconds(parse_seconds(text));
        if (options_.every_time.count() <= 0)
            throw Error(Cause::usage, "'" + text + "' is not a number of seconds above 0");
    });
    options.option("--every-bytes", "BYTES",
                   "a piece has at most this many bytes of messages (K, M, G: powers of 1024), but at least one frame",
                   [this](const std::string& text) { options_.every_bytes = parse_bytes(text); });
    options.flag("--channels", channels_,
                 "one file for each OSI channel; with --to mcap for every channel, with metadata");
    options.option("--static", "WHAT", "carry (default): copy the static data of earlier frames into each piece | drop",
                   [this](const std::string& text) { options_.carry_static = parse_static_choice(text); },
                   {"carry", "drop"});
    options.words("IN", request_.words, 1, 1);
    options.option("--out-dir", "DIR", "write the pieces to this folder",
                   [this](const std::string& name) { request_.outputs.directory = name; });
    declare_container(options, request_.write);
    declare_overwrite(options, request_.write.overwrite);
    request_.input.declare(options);
    declare_threads(options, request_.write.threads);
    declare_json(options, request_.json, "print the result as JSON");
}

void SplitCommand::check() const
{
    const int reasons =
        (options_.every_frames != 0) + (options_.every_bytes != 0) + (options_.every_time.count() != 0) + channels_;
    if (reasons != 1)
        throw Error(Cause::usage, "expected one of --every-frames, --every-seconds, --every-bytes, --channels");
    if (!request_.outputs.directory) throw Error(Cause::usage, "no folder for the pieces: use --out-dir DIR");
    if (input() == "-") throw Error(Cause::usage, "standard input has no file name for the pieces");
}

ExitCode SplitCommand::run(Messages& messages)
{
    check();
    request_.write.inputs = {input()};
    const auto open = request_.input.open_options(messages);
    const OutputFolder folder(*request_.outputs.directory);
    const Interrupt interrupt;
    try {
        channels_ ? split_channels(open, messages, interrupt.token()) : split_pieces(open, messages, interrupt.token());
        // A stop ends the frames, too, as their end does.
        if (interrupt.token().stop_requested()) throw Error(Cause::cancelled, {.file = input()}, "stopped");
    } catch (...) {
        messages.clear_progress();
        remove_pieces(messages);
        throw;
    }
    messages.clear_progress();
    if (request_.json)
        print(json_of(outcomes_));
    else if (!messages.quiet)
        print_summary(summary_of(outcomes_, "written") + (sources_.empty() ? "" : "names: " + sources_ + '\n'),
                      messages);
    return lossy_ ? ExitCode::findings : ExitCode::success;
}

/// All or none: a run that fails leaves no pieces.
void SplitCommand::remove_pieces(Messages& messages)
{
    std::error_code failed;
    for (const auto& piece : outcomes_)
        if (!std::filesystem::remove(piece.job.output, failed))
            messages.error(piece.job.output.string() + ": cannot be removed: " + failed.message());
    if (!outcomes_.empty())
        messages.error(count_text(outcomes_.size(), "piece") + " written before " +
                       (outcomes_.size() == 1 ? "is" : "are") + " removed: the split is not complete");
    outcomes_.clear();
}

/// That of --to; else that of the input, without a compression that is only read.
std::string SplitCommand::piece_extension(const TraceInfo& info) const
{
    if (!request_.write.extension.empty()) return request_.write.extension;
    const auto file = input();
    const auto name = file.filename().string();
    const auto extension = trace_extension(name);
    if (!extension)
        return std::string(info.container.extension.empty()
                               ? row_of(info.channels.front().format.encoding).file_extension
                               : info.container.extension);
    std::string text(extension->text);
    if (!extension->is_written) text.resize(text.rfind('.'));
    return text;
}

void SplitCommand::split_pieces(const OpenOptions& open, Messages& messages, const std::stop_token& stop)
{
    CarriedReport report(input(), messages);
    options_.on_carry = [&](const CarriedPart& part) { report.add(part); };
    auto open_here = open;
    open_here.stop = stop;
    auto in = open_source(input(), open_here);
    const auto extension = piece_extension(in->info());
    Splitter splitter(std::move(in), options_);
    for (std::uint64_t piece = 1; splitter.next(stop); ++piece)
        write_piece(splitter.piece(), extension, piece_mark(piece), messages, stop);
    report.finish();
    if (options_.every_time.count() != 0 && !outcomes_.empty() && !splitter.has_times())
        messages.warning(input().string() + ": no frame has a time, so all frames are one piece");
}

/// Throws if damage hides the channels.
void SplitCommand::read_to_the_end(const OpenOptions& open) const
{
    const auto in = open_stream(input(), open);
    for (Frame frame; in->read(frame, open.stop);) {
    }
}

void SplitCommand::split_channels(const OpenOptions& open, Messages& messages, const std::stop_token& stop)
{
    auto open_here = open;
    open_here.stop = stop;
    const auto trace = open_trace(input(), open_here);
    const auto& info = trace->info();
    if (info.channels.empty()) read_to_the_end(open_here);
    const auto& to = request_.write.extension;
    Loss loss;
    std::set<std::string> marks;
    for (const auto& channel : info.channels) {
        if (!channel.type && !output_container({}, request_.write).several_channels) {
            loss.left_out_topics.push_back(channel.topic);
            continue;
        }
        CutOptions only;
        only.channel = static_cast<std::uint32_t>(&channel - info.channels.data());
        const auto piece = cut(*trace, only);
        const auto extension = to.empty() ? std::string(row_of(channel.format.encoding).file_extension) : to;
        write_piece(*piece, extension, unique_mark(marks, in_a_file_name(channel.topic)), messages, stop);
    }
    if (loss.left_out_topics.empty()) return;
    messages.error(input().string() + ": " + loss.text({}) + ", which are not OSI: --to mcap keeps them");
    lossy_ = true;
}

/// An error names the folder instead of the hidden file.
FileOutcome SplitCommand::write_hidden(FrameSource& piece, const FileJob& job, const std::string& mark,
                                       Messages& messages, const std::stop_token& stop)
try {
    return write_edit(piece, job, request_, messages, stop);
} catch (const Error& e) {
    if (e.where().file != job.output) throw;
    throw Error(e.cause(), {.file = *request_.outputs.directory},
                "piece " + mark + " cannot be written: " + e.reason());
}

/// Written under a hidden name first: the final name states the number of frames, which is known at the end.
void SplitCommand::write_piece(FrameSource& piece, const std::string& extension, const std::string& mark,
                               Messages& messages, const std::stop_token& stop)
{
    FileJob job{{input()},
                *request_.outputs.directory / (".split-" + std::to_string(process_id()) + '-' + mark + extension)};
    check_container(*request_.outputs.directory / with_extension(input(), extension), request_.write);
    NamingSource named(piece);
    auto outcome = write_hidden(named, job, mark, messages, stop);
    try {
        outcome.bytes_in = outcome.result.bytes_in;
        outcome.job.output = final_name(job.output, named.summary(), mark);
        std::error_code none;
        if (request_.write.overwrite) std::filesystem::remove(outcome.job.output, none);
        rename_trace(job.output, outcome.job.output);
    } catch (const Error& e) {
        std::error_code none;
        std::filesystem::remove(job.output, none);
        if (e.cause() != Cause::exists) throw;
        throw already_exists(outcome.job.output);
    }
    messages.clear_progress();
    lossy_ = report_loss(outcome.job.output, outcome.loss, outcome.result, messages) || lossy_;
    if (!request_.json && !messages.quiet) print_summary(line_of(outcome), messages);
    outcomes_.push_back(std::move(outcome));
}

std::filesystem::path SplitCommand::final_name(const std::filesystem::path& written, const TraceSummary& piece,
                                               const std::string& mark)
{
    const auto written_name = written.filename().string();
    if (!piece.channels.empty() && !piece.channels.front().channel.type)
        return *request_.outputs.directory / (input().stem().string() + '_' + mark + written.extension().string());
    auto name = name_by_content(piece, input());
    sources_ = sources_of(name);
    name.extension = trace_extension(written_name)->text;
    name.custom += (name.custom.empty() ? "" : "_") + mark;
    return *request_.outputs.directory / to_string(name);
}

}  // namespace

std::unique_ptr<Command> split_command() { return std::make_unique<SplitCommand>(); }

}  // namespace ositrace::app
