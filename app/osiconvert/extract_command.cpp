// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <optional>
#include <set>

#include <ositrace/error.hpp>
#include <ositrace/pending_output.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/file_jobs.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/near_word.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace::app {
namespace {

constexpr std::string_view map_word = "map";

/// What becomes a file.
struct Part {
    std::string_view kind;
    std::string name;  ///< in the trace
    std::uint64_t bytes = 0;
    std::function<void(const std::function<void(Bytes)>& consume)> read;
    std::string file_name;  ///< in the folder
    std::string error = {};
};

/// A name from a trace as that of a visible file in a folder: its last part, without control characters.
std::string safe_file_name(const std::string& name)
{
    auto text = name.substr(name.find_last_of("/\\") + 1);
    text.erase(0, std::min(text.find_first_not_of('.'), text.size()));
    std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '_');
    return text.empty() ? "attachment" : text;
}

/// `calibration_2.json` if another file has the name.
std::string free_file_name(std::set<std::string>& used, const std::filesystem::path& wanted)
{
    auto name = wanted.string();
    for (int number = 2; !used.insert(name).second; ++number)
        name = wanted.stem().string() + '_' + std::to_string(number) + wanted.extension().string();
    return name;
}

/// A map channel may name its map without an extension; some simulators write a PROJ string.
std::string map_file_name(const MapDocument& map, const std::filesystem::path& trace)
{
    constexpr std::string_view extension = ".xodr";
    if (map.reference.empty() || map.reference.find_first_of(" =") != std::string::npos)
        return (trace == "-" ? std::string(map_word) : trace.stem().string()).append(extension);
    auto name = safe_file_name(map.reference);
    return name.ends_with(extension) ? name : name.append(extension);
}

Part part_of(const Attachment& attachment)
{
    return {"attachment", attachment.name, attachment.bytes, attachment.read, safe_file_name(attachment.name)};
}

Part part_of(MapDocument map, const std::filesystem::path& trace)
{
    auto file_name = map_file_name(map, trace);
    const auto bytes = std::uint64_t{map.xml.size()};
    auto name = map.name;
    return {map_word, std::move(name), bytes,
            [xml = std::move(map.xml)](const std::function<void(Bytes)>& consume) { consume(bytes_of(xml)); },
            std::move(file_name)};
}

class ExtractCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "extract",
                .summary = "write the attachments and the map of a trace to files",
                .usage = {"extract IN [NAME...] --out-dir DIR"},
                .notes = {"NAME is that of an attachment, or `map`: the OpenDRIVE map in the trace (a map channel, an "
                          "attachment) or beside",
                          "it (the file that map_reference names, or the one with the trace's name). Without NAME: all "
                          "attachments, and the",
                          "map of a channel. For channels use `split --channels` or `convert --topic`.",
                          "Of a name with folders only its last part is used. A second file with the same name gets "
                          "the suffix _2."},
                .examples = {"extract drive.mcap --out-dir drive", "extract drive.mcap map --out-dir .",
                             "extract drive.mcap calibration.json --out-dir . --overwrite"}};
    }
    void declare(Options& options) override
    {
        options.words("IN", words_, 1, SIZE_MAX);
        options.option("--out-dir", "DIR", "write the files to this folder",
                       [this](const std::string& name) { directory_ = name; });
        declare_overwrite(options, overwrite_);
        input_.declare(options);
        declare_json(options, json_, "print the result as JSON");
    }
    ExitCode run(Messages& messages) override;

private:
    using Parts = std::vector<Part>;

    [[nodiscard]] std::filesystem::path input() const { return words_.front(); }
    [[nodiscard]] Error failure(Cause cause, const std::string& reason) const
    {
        return {cause, {.file = shown_file(input(), "standard input")}, reason};
    }
    [[nodiscard]] Parts everything(const Trace& trace, Messages& messages);
    [[nodiscard]] Parts named(const Trace& trace, Messages& messages) const;
    [[nodiscard]] std::optional<MapDocument> find_map(const Trace& trace, Messages& messages) const;
    void name_files(Parts& parts) const;
    void write(Part& part, Messages& messages, const std::stop_token& stop);
    void print_json(const Parts& parts) const;

    std::vector<std::string> words_;
    std::filesystem::path directory_;
    InputOptions input_;
    bool overwrite_ = false;
    bool json_ = false;
    bool failed_ = false;
};

ExitCode ExtractCommand::run(Messages& messages)
{
    if (directory_.empty()) throw invalid_usage("no folder for the files: use --out-dir DIR");
    const Interrupt interrupt;
    auto open = input_.open_options(messages);
    open.stop = interrupt.token();
    const auto trace = open_trace(input(), open);
    auto parts = words_.size() == 1 ? everything(*trace, messages) : named(*trace, messages);
    name_files(parts);
    const OutputFolder folder(directory_);
    for (auto& part : parts) write(part, messages, interrupt.token());
    if (json_) print_json(parts);
    return failed_ ? ExitCode::failed : ExitCode::success;
}

std::optional<MapDocument> ExtractCommand::find_map(const Trace& trace, Messages& messages) const
{
    auto map = find_map_document(trace, {.file = {}, .max_bytes = input_.max_message_bytes});
    if (map)
        for (const auto& note : map->notes) messages.warning(note.what());
    return map;
}

/// A map that cannot be read does not stop the attachments.
ExtractCommand::Parts ExtractCommand::everything(const Trace& trace, Messages& messages)
{
    Parts parts;
    for (const auto& attachment : trace.info().attachments) parts.push_back(part_of(attachment));
    try {
        auto map = find_map(trace, messages);
        if (map && map->origin == MapOrigin::channel) parts.push_back(part_of(*std::move(map), input()));
    } catch (const Error& error) {
        messages.failure(error);
        failed_ = true;
    }
    if (parts.empty() && !failed_) throw failure(Cause::missing, "contains no attachment and no map");
    return parts;
}

ExtractCommand::Parts ExtractCommand::named(const Trace& trace, Messages& messages) const
{
    const auto& attachments = trace.info().attachments;
    Parts parts;
    std::set<std::string> seen;
    for (auto name = words_.begin() + 1; name != words_.end(); ++name) {
        auto wanted = *name;
        if (wanted == map_word) {
            auto map = find_map(trace, messages);
            if (!map) throw failure(Cause::missing, "there is no map in or beside the trace");
            if (map->origin != MapOrigin::attachment) {
                if (seen.insert(wanted).second) parts.push_back(part_of(*std::move(map), input()));
                continue;
            }
            wanted = map->name;
        }
        if (!seen.insert(wanted).second) continue;
        const auto before = parts.size();
        std::vector<std::string> known{std::string(map_word)};
        for (const auto& attachment : attachments) {
            known.push_back(attachment.name);
            if (attachment.name == wanted) parts.push_back(part_of(attachment));
        }
        if (parts.size() == before)
            throw failure(Cause::missing, printable("has no attachment '" + wanted + "' (known: " +
                                                    joined(known, ", ") + ')' + did_you_mean(wanted, known)));
    }
    return parts;
}

/// Nothing is written if a file exists.
void ExtractCommand::name_files(Parts& parts) const
{
    std::set<std::string> used;
    for (auto& part : parts) {
        part.file_name = free_file_name(used, part.file_name);
        std::error_code none;
        const auto file = directory_ / part.file_name;
        if (!overwrite_ && std::filesystem::exists(std::filesystem::symlink_status(file, none)))
            throw already_exists(file);
    }
}

void ExtractCommand::write(Part& part, Messages& messages, const std::stop_token& stop)
try {
    const auto file = directory_ / part.file_name;
    write_file(file, overwrite_, [&](const auto& append) {
        part.read([&](Bytes bytes) {
            if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = input()}, "stopped");
            append(bytes);
        });
    });
    if (!json_ && !messages.quiet)
        print_summary(shown_file(input(), "standard input") + ": " + printable(part.name) + " -> " +
                          shown_file(file, "") + ": " + std::string(part.kind) + ", " + bytes_text(part.bytes) + '\n',
                      messages);
} catch (const Error& error) {
    if (error.cause() == Cause::cancelled) throw;
    messages.failure(error);
    part.error = error.what();
    failed_ = true;
}

void ExtractCommand::print_json(const Parts& parts) const
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    for (const auto& part : parts)
        json.begin_object()
            .member("input", input().string())
            .member("kind", part.kind)
            .member("name", part.name)
            .member("output", (directory_ / part.file_name).string())
            .member("bytes", part.bytes)
            .member("error", part.error.empty() ? std::nullopt : std::optional(part.error))
            .end_object();
    print(json.end_array().end_object().text());
}

}  // namespace

std::unique_ptr<Command> extract_command() { return std::make_unique<ExtractCommand>(); }

}  // namespace ositrace::app
