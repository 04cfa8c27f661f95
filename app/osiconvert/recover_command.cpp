// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <chrono>

#include <ositrace/recover.hpp>

#include "app/osiconvert/batch_text.hpp"
#include "app/osiconvert/commands.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

std::string seconds_text(const std::optional<Nanoseconds>& time)
{
    return time ? decimal_text(std::chrono::duration<double>(*time).count(), 9) + " s" : std::string("?");
}

std::string line_of(const std::string& input, const LostBytes& loss)
{
    std::string line = input + (loss.bytes == 0 ? ": damaged" : ": lost " + bytes_text(loss.bytes)) + " at byte " + std::to_string(loss.offset);
    if (loss.compressed) line += " of the compressed file";
    if (loss.before_frame) line += ", in front of frame " + std::to_string(*loss.before_frame) + " of the output";
    if (loss.after || loss.before) line += " (between " + seconds_text(loss.after) + " and " + seconds_text(loss.before) + ")";
    line += ": " + loss.reason;
    if (loss.kept != 0) line += "; " + count_text(loss.kept, "frame") + " of it came back, whole by content";
    return line + '\n';
}

std::string what_is_lost(const RecoverResult& result)
{
    const auto places = count_text(result.losses, "place");
    return result.lost_bytes == 0 ? "nothing lost, damaged in " + places : "lost " + bytes_text(result.lost_bytes) + " in " + places;
}

std::string hints_for(const Recognition& stated)
{
    const auto layout = stated.format.encoding == Encoding::flatbuffers ? " --layout " + std::string(name_of(stated.format.layout)) : "";
    return "--type " + std::string(row_of(stated.type).code) + " --input-encoding " + std::string(row_of(stated.format.encoding).name) + layout;
}

class RecoverCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "recover",
                .summary = "save what can still be read of a damaged trace",
                .usage = {"recover IN -o OUT"},
                .notes =
                    {"Every frame that can be read from its first byte to its last comes back, from in front of the damage and from behind",
                     "it. What was lost where is reported, and the exit code is then 3. An intact file comes back as it was. Of a damaged",
                     "chunk of an MCAP file those messages come back that can be unpacked and whose content is whole; they are counted."},
                .examples = {"recover drive.osi -o saved.osi", "recover cut_off.osi.zst -o saved.osi --json | jq '.files[0].lost'",
                             "recover broken.mcap -o saved.mcap"}};
    }

    void declare(Options& options) override
    {
        options.words("IN", words_, 1, 1);
        options.option("-o,--output", "OUT", "the trace to write", [this](const std::string& file) { output_ = file; });
        declare_overwrite(options, recover_.write.overwrite);
        input_.declare(options);
        declare_json(options, json_, "print the report as JSON");
    }

    ExitCode run(Messages& messages) override;

private:
    std::string text_of(const RecoverResult& result, bool quiet) const;
    std::string json_of(const RecoverResult& result) const;

    std::vector<std::string> words_;
    std::optional<std::filesystem::path> output_;
    RecoverOptions recover_;
    InputOptions input_;
    bool json_ = false;
};

ExitCode RecoverCommand::run(Messages& messages)
{
    if (!output_) throw Error(Cause::usage, "the output is missing: -o OUT");
    check_trace_output(*output_, json_);
    recover_.open = input_.open_options();
    recover_.on_progress = [&, started = std::chrono::steady_clock::now()](std::uint64_t frames, std::uint64_t bytes,
                                                                           std::optional<std::uint64_t> of) {
        const auto done = of && *of != 0 ? std::optional(static_cast<double>(bytes) / static_cast<double>(*of)) : std::nullopt;
        messages.progress({words_.front(), frames, bytes, done, std::chrono::steady_clock::now() - started});
    };
    const Interrupt interrupt;
    const auto result = recover_trace(words_.front(), *output_, recover_, interrupt.token());
    messages.clear_progress();
    if (json_)
        print(json_of(result));
    else if (!is_standard_output(*output_))
        print(text_of(result, messages.quiet));
    else if (!result.intact())
        messages.error(shown_file(words_.front(), "standard input") + ": " + what_is_lost(result));
    if (result.to_be_stated) messages.warning(output_->string() + ": opens only with " + hints_for(*result.to_be_stated) + ": " + result.why_stated);
    return result.intact() ? ExitCode::done : ExitCode::answer_is_no;
}

/// Quiet: the line that explains the exit code.
std::string RecoverCommand::text_of(const RecoverResult& result, bool quiet) const
{
    if (quiet && result.intact()) return {};
    const auto input = shown_file(words_.front(), "standard input");
    std::string text;
    for (const auto& loss : result.lost)
        if (!quiet) text += line_of(input, loss);
    if (result.losses > result.lost.size() && !quiet)
        text += input + ": " + count_text(result.losses - result.lost.size(), "more place") + '\n';
    text += input + " -> " + output_->string() + ": " + count_text(result.frames, "frame") +
            (result.type_name.empty() ? "" : " of " + result.type_name) + ", " + bytes_text(result.bytes_in) + " -> " +
            bytes_text(result.bytes_out);
    if (result.intact()) return text + "; intact\n";
    text += "; " + what_is_lost(result);
    if (result.kept_unproven != 0) {
        const bool compressed = std::ranges::any_of(result.lost, [](const LostBytes& loss) { return loss.compressed && loss.kept != 0; });
        text += "; " + count_text(result.kept_unproven, "frame") + " from damaged " + (compressed ? "compressed frames" : "chunks") + ", which no checksum vouches for";
    }
    return text + '\n';
}

std::string RecoverCommand::json_of(const RecoverResult& result) const
{
    const auto time = [](JsonWriter& json, std::string_view name, const std::optional<Nanoseconds>& value) {
        json.key(name);
        value ? json.nanoseconds(value->count()) : json.null();
    };
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array().begin_object();
    json.member("input", words_.front())
        .member("output", output_->string())
        .member("type", result.type_name)
        .member("frames", result.frames);
    json.member("bytes_in", result.bytes_in).member("bytes_out", result.bytes_out);
    json.member("losses", result.losses).member("lost_bytes", result.lost_bytes).member("kept_unproven", result.kept_unproven);
    json.key("opens_only_with");
    result.to_be_stated ? json.value(hints_for(*result.to_be_stated)) : json.null();
    json.key("lost").begin_array();
    for (const auto& loss : result.lost) {
        json.begin_object().member("byte", loss.offset).member("bytes", loss.bytes).key("before_frame");
        loss.before_frame ? json.value(*loss.before_frame) : json.null();
        time(json, "after", loss.after);
        time(json, "before", loss.before);
        json.member("reason", loss.reason).member("kept", loss.kept).member("compressed", loss.compressed).end_object();
    }
    return json.end_array().end_object().end_array().end_object().text();
}

}  // namespace

std::unique_ptr<Command> recover_command() { return std::make_unique<RecoverCommand>(); }

}  // namespace ositrace::app
