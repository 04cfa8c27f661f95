// SPDX-License-Identifier: MPL-2.0
#include <limits>

#include <ositrace/error.hpp>
#include <ositrace/trace_metadata.hpp>
#include <ositrace/utf8.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/convert_job.hpp"
#include "app/terminal/printable.hpp"

namespace ositrace::app {
namespace {

/// `key=value`, `OLD=NEW`. Which of two with one key is meant, nobody can tell.
std::map<std::string, std::string>::iterator take_pair(std::map<std::string, std::string>& to, const std::string& text,
                                                       std::string_view form)
{
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw Error(Cause::usage, "found '" + text + "', expected " + std::string(form));
    const auto [pair, is_new] = to.emplace(text.substr(0, equals), text.substr(equals + 1));
    if (!is_new)
        throw Error(Cause::usage,
                    "found '" + text + "', but " + pair->first + '=' + pair->second + " is given already");
    return pair;
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
                .usage = {"convert IN... -o OUT", "IN -o OUT", "convert IN... --out-dir DIR [--to NAME] [--resume]"},
                .notes = {"The extension of OUT, or --to, says what it becomes: .osi, .osifb (each also with .zst or "
                          ".lz4), .mcap. Several inputs",
                          "become channels of one MCAP file, merged by time; with --out-dir each becomes a file of its "
                          "own. IN is a file or a folder."},
                .examples = {"convert drive.osi -o drive.mcap",
                             "convert lidar.osi radar.osi -o drive.mcap --meta authors=us",
                             "convert recordings/ --out-dir mcap --to mcap --resume",
                             "convert drive.mcap -o lidar.osi --topic lidar",
                             "convert drive.osi -o - --to mcap | ssh host 'cat >drive.mcap'",
                             "drive.osi -o drive.osi.zst --level 19"}};
    }
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    void check(const std::vector<FileJob>& jobs) const;

    ConvertRequest request_;
};

void ConvertCommand::declare(Options& options)
{
    request_.files.joins = true;
    request_.files.declare(options, SIZE_MAX, true);
    options.option("--encoding", "NAME",
                   "encoding to write, where the extension of the output leaves it open: protobuf|flatbuffers",
                   [this](const std::string& name) { request_.encoding = parse_encoding(name); });
    options.option("--topic", "REGEX", "only channels whose topic matches",
                   [this](const std::string& text) { request_.topic = TopicPattern(text); });
    options.options(
        "--rename", "OLD=NEW", "another topic for a channel; may be given again",
        [this](const std::string& text) { check_utf8(take_pair(request_.rename, text, "OLD=NEW")->second); });
    options.options("--meta", "KEY=VALUE",
                    "an entry of the metadata record net.asam.osi.trace (MCAP); may be given again",
                    [this](const std::string& text) {
                        const auto entry = take_pair(request_.meta, text, "KEY=VALUE");
                        check_trace_entry(entry->first, entry->second);
                    });
    options.options(
        "--attach", "FILE", "a file to travel along as an attachment (MCAP); may be given again",
        [this](const std::string& file) { check_utf8(request_.attach.emplace_back(file).filename().string()); });
    options.flag("--skip-bad-frames", request_.skip_bad_frames,
                 "go on behind damage, where the next frame can be found");
}

void ConvertCommand::check(const std::vector<FileJob>& jobs) const
{
    for (const auto& [from, to] : request_.rename)
        if (to.empty()) throw Error(Cause::usage, "--rename " + from + "=: a topic has a name");
    for (const auto& job : jobs)
        for (const auto& [name, given] :
             {std::pair{"--meta", !request_.meta.empty()}, std::pair{"--attach", !request_.attach.empty()},
              std::pair{"--rename", !request_.rename.empty()}}) {
            if (!given || is_mcap(job.output, request_.files.write)) continue;
            const auto output = shown_file(job.output, "standard output");
            throw Error(Cause::usage, std::string(name) + " is for MCAP files, and " + output + " is none");
        }
}

ExitCode ConvertCommand::run(Messages& messages)
{
    const auto jobs = request_.files.plan();
    check(jobs);
    return run_batch(jobs, request_.files.batch_options("converted"), messages,
                     [&](const FileJob& job, std::stop_token stop) {
                         return run_convert_job(request_, job, messages, std::move(stop));
                     });
}

}  // namespace

std::unique_ptr<Command> convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace ositrace::app
