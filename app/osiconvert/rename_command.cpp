// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/rename.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

struct Renaming {
    std::filesystem::path from;
    std::filesystem::path to;
    NameByContent name;
    bool renamed = false;
    std::optional<std::string> error;
};

class RenameCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "rename",
                .summary = "rename traces by the standard, from their content",
                .usage = {"rename PATH... [--apply]"},
                .notes = {"PATH is a file, or a folder with all traces in it.",
                          "<timestamp>_<type>_<osi-version>_<protobuf-version>_<number-of-frames>_<custom-name>: type, "
                          "OSI version and frames come",
                          "from the content; the other parts are kept from the old name. Without --apply nothing is "
                          "renamed."},
                .examples = {"rename drive.osi", "rename recordings/*.osi --apply"}};
    }
    void declare(Options& options) override
    {
        options.words("PATH", files_, 1, SIZE_MAX);
        options.flag("--apply", apply_, "rename; an existing file is never replaced");
        input_.declare(options);
        declare_json(options, json_, "print as JSON");
    }
    ExitCode run(Messages& messages) override;

private:
    Renaming rename(const std::filesystem::path& file, const OpenOptions& open, std::stop_token stop) const;
    [[nodiscard]] std::string json_of(const std::vector<Renaming>& renamings) const;

    std::vector<std::string> files_;
    InputOptions input_;
    bool apply_ = false;
    bool json_ = false;
};

Renaming RenameCommand::rename(const std::filesystem::path& file, const OpenOptions& open, std::stop_token stop) const
{
    Renaming renaming;
    renaming.from = file;
    auto open_here = open;
    open_here.stop = stop;
    const auto trace = open_trace(file, open_here);
    renaming.name = name_by_content(summarize(*trace, {}, std::move(stop)), file);
    renaming.to = file.parent_path() / to_string(renaming.name);
    if (!apply_ || renaming.to == renaming.from) return renaming;
    rename_trace(renaming.from, renaming.to);
    renaming.renamed = true;
    return renaming;
}

std::string line_of(const Renaming& renaming)
{
    if (renaming.from == renaming.to) return printable(renaming.from.string()) + ": already has the standard's name\n";
    return printable(renaming.from.string()) + " -> " + printable(renaming.to.filename().string()) + " (" +
           sources_of(renaming.name) + ")\n";
}

std::string RenameCommand::json_of(const std::vector<Renaming>& renamings) const
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    for (const auto& renaming : renamings) {
        json.begin_object().member("path", renaming.from.string());
        json.member("name", renaming.error ? std::nullopt : std::optional(renaming.to.filename().string()));
        const auto source = [&](NameSource from) {
            return renaming.error ? std::nullopt : std::optional(name_of(from));
        };
        json.member("timestamp_from", source(renaming.name.timestamp_from));
        json.member("protobuf_version_from", source(renaming.name.protobuf_version_from));
        json.member("renamed", renaming.renamed).member("error", renaming.error).end_object();
    }
    return json.end_array().end_object().text();
}

ExitCode RenameCommand::run(Messages& messages)
{
    const auto open = input_.open_options(messages);
    const Interrupt interrupt;
    std::vector<Renaming> renamings;
    auto code = ExitCode::success;
    for (const auto& file : with_folders(files_)) {
        if (file == "-") throw Error(Cause::usage, "standard input has no file name");
        try {
            renamings.push_back(rename(file, open, interrupt.token()));
            if (!json_) print(line_of(renamings.back()));
        } catch (const Error& e) {
            if (e.cause() == Cause::cancelled) throw;
            auto& failed = renamings.emplace_back();
            failed.from = file;
            const auto here = e.within({.file = file});
            failed.error = here.what();
            messages.error(here);
            code = ExitCode::failed;
        }
    }
    if (json_) print(json_of(renamings));
    return code;
}

}  // namespace

std::unique_ptr<Command> rename_command() { return std::make_unique<RenameCommand>(); }

}  // namespace ositrace::app
