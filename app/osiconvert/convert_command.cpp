// SPDX-License-Identifier: MPL-2.0
#include <limits>

#include <ositrace/error.hpp>
#include <ositrace/trace_metadata.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/utf8.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/convert_job.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

constexpr std::uint64_t max_chunk_bytes = std::uint64_t{1} << 30;

/// `key=value`, `OLD=NEW`.
std::map<std::string, std::string>::iterator take_pair(std::map<std::string, std::string>& to, const std::string& text, std::string_view form)
{
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw Error(Cause::usage, "found '" + text + "', expected " + std::string(form));
    return to.insert_or_assign(text.substr(0, equals), text.substr(equals + 1)).first;
}

/// Of what becomes a topic or a name in an MCAP file.
void check_utf8(const std::string& name)
{
    if (!is_utf8(name)) throw Error(Cause::usage, "'" + name + "' is not UTF-8, which MCAP requires");
}

class ConvertCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "convert",
                .summary = "convert traces from any container and encoding to any other",
                .usage = {"convert IN... -o OUT", "IN -o OUT"},
                .notes = {"The extension of OUT says what it becomes: .osi, .osifb (each also with .zst or .lz4), .mcap. Several inputs become",
                          "channels of one MCAP file, merged by time."},
                .examples = {"convert drive.osi -o drive.mcap", "convert lidar.osi radar.osi -o drive.mcap --meta authors=us",
                             "convert drive.mcap -o lidar.osi --topic lidar", "drive.osi -o drive.osi.zst --level 19"}};
    }
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    void check() const;

    ConvertRequest request_;
};

void ConvertCommand::declare(Options& options)
{
    request_.files.declare(options, SIZE_MAX, false);
    options.option("--encoding", "NAME", "encoding to write, where the extension of OUT leaves it open: protobuf|flatbuffers",
                   [this](const std::string& name) { request_.encoding = parse_encoding(name); });
    options.option("--topic", "REGEX", "only channels whose topic matches",
                   [this](const std::string& text) { request_.topic = TopicPattern(text); });
    options.options("--rename", "OLD=NEW", "another topic for a channel; may be given again",
                   [this](const std::string& text) { check_utf8(take_pair(request_.rename, text, "OLD=NEW")->second); });
    options.options("--meta", "KEY=VALUE", "an entry of the metadata record net.asam.osi.trace (MCAP); may be given again",
                   [this](const std::string& text) {
                       const auto entry = take_pair(request_.meta, text, "KEY=VALUE");
                       check_trace_entry(entry->first, entry->second);
                   });
    options.options("--attach", "FILE", "a file to travel along as an attachment (MCAP); may be given again",
                   [this](const std::string& file) { check_utf8(request_.attach.emplace_back(file).filename().string()); });
    options.option("--compression", "NAME", "of the chunks of an MCAP file: none|lz4|zstd (default lz4)",
                   [this](const std::string& name) { request_.compression = name; });
    options.option("--level", "L", "level of the compression: lz4 1 to 12 (default 1), zstd 1 to 22 (default 3)",
                   [this](const std::string& text) { request_.level = static_cast<int>(parse_count(text, 0, 100)); });
    options.option("--chunk-size", "BYTES", "an MCAP chunk is closed when it holds this much (default 4M; K, M, G: powers of 1024)",
                   [this](const std::string& text) { request_.chunk_bytes = parse_bytes(text, max_chunk_bytes); });
    options.flag("--skip-bad-frames", request_.skip_bad_frames, "go on behind damage, where the next frame can be found");
}

void ConvertCommand::check() const
{
    if (!request_.files.output) throw Error(Cause::usage, "no output: name it with -o OUT");
    check_trace_output(*request_.files.output, request_.files.json);
    check_one_standard_input(request_.files.words);
    for (const auto& [from, to] : request_.rename)
        if (to.empty()) throw Error(Cause::usage, "--rename " + from + "=: a topic has a name");
    if (request_.files.output->extension() == ".mcap") return;
    const auto file_name = request_.files.output->filename().string();
    const auto extension = trace_extension(file_name);
    if (request_.level && (!extension || extension->compression == "none"))
        throw Error(Cause::usage, "--level is for compressed files, and " + request_.files.output->string() + " is none");
    for (const auto& [name, given] : {std::pair{"--compression", request_.compression.has_value()},
                                      std::pair{"--chunk-size", request_.chunk_bytes.has_value()},
                                      std::pair{"--meta", !request_.meta.empty()},
                                      std::pair{"--attach", !request_.attach.empty()},
                                      std::pair{"--rename", !request_.rename.empty()}})
        if (given) throw Error(Cause::usage, std::string(name) + " is for MCAP files, and " + request_.files.output->string() + " is none");
}

ExitCode ConvertCommand::run(Messages& messages)
{
    check();
    const Interrupt interrupt;
    const auto outcome = run_convert_job(request_, messages, interrupt.token());
    messages.clear_progress();
    const bool lossy = tell_left_out(*request_.files.output, outcome.loss, outcome.result, messages);
    if (request_.files.json) print(json_of(request_, outcome));
    else if (!messages.quiet && !is_standard_output(*request_.files.output)) print_summary(line_of(request_, outcome), messages);
    return lossy ? ExitCode::answer_is_no : ExitCode::done;
}

}  // namespace

std::unique_ptr<Command> convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace ositrace::app
