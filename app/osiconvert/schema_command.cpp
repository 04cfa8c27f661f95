// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>

#include <ositrace/error.hpp>
#ifdef OSITRACE_TEXT_INPUT
#include <ositrace/proto_files.hpp>
#endif
#include <ositrace/schema_file.hpp>
#include <ositrace/schema_text.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_name.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/file_jobs.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/io/output_file.hpp"
#include "lib/system/system_error.hpp"
#include "lib/system/terminal.hpp"

namespace ositrace::app {
namespace {

/// The schema of the channel of this type, else the first one.
std::shared_ptr<const Schema> schema_in(const TraceInfo& info, std::optional<MessageType> type)
{
    const auto has_schema = [](const Channel& channel) { return channel.schema != nullptr; };
    const auto of_type = std::ranges::find_if(
        info.channels, [&](const Channel& channel) { return has_schema(channel) && channel.type == type; });
    if (of_type != info.channels.end()) return of_type->schema;
    const auto first = std::ranges::find_if(info.channels, has_schema);
    return first == info.channels.end() ? nullptr : first->schema;
}

[[noreturn]] void fail_without_schema(const TraceInfo& info)
{
    throw Error(Cause::mismatch, {.file = info.file},
                info.channels.empty() ? "contains no channel, and so no schema"
                                      : "contains no OSI schema. The channel '" + info.channels.front().topic +
                                            "': " + why_not_osi(info.channels.front()));
}

/// A trace states the schema of its frames; every other file is a descriptor set.
std::shared_ptr<const Schema> schema_of(const std::filesystem::path& file, std::optional<MessageType> type)
{
    if (!trace_extension(file.filename().string())) return load_schema(file);
    InputOptions input;
    input.type = type;
    auto stream = open_stream(file, input.open_options());
    if (auto schema = schema_in(stream->info(), type)) return schema;
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) fail_without_schema(stream->info());
    stream.reset();
    const auto trace =
        open_trace(file, input.open_options());  // also knows channels that are declared after the first frame
    if (auto schema = schema_in(trace->info(), type)) return schema;
    fail_without_schema(trace->info());
}

/// How a schema can be printed, or written as files.
struct FormRow {
    std::string_view option;
    std::string_view help;
    bool binary;
    std::string (*print)(const Schema& schema, const SchemaTextOptions& options);  ///< null: files in a folder
};

std::string binary_schema(const Schema& schema, const SchemaTextOptions& options)
{
    if (!options.type) throw Error(Cause::usage, "--bfbs requires a root table: --type TYPE");
    return std::string(ositrace::text_of(flatbuffers_binary_schema(schema, options)));
}

std::string descriptor_set(const Schema& schema, const SchemaTextOptions& options)
{
    if (options.type) throw Error(Cause::usage, "--desc prints the whole set: omit --type");
    return std::string(ositrace::text_of(complete_descriptor_set(schema)));
}

constexpr FormRow forms[] = {
    {"--list", "messages, enums and fields as text (the default)", false, schema_listing},
    {"--fbs", "FlatBuffers schema for flatc", false, flatbuffers_schema},
    {"--bfbs", "binary FlatBuffers schema; requires --type", true, binary_schema},
    {"--desc", "Protobuf descriptor set with all imports", true, descriptor_set},
    {"--proto", "write .proto files to this folder", false, nullptr},
};

#ifdef OSITRACE_TEXT_INPUT
/// No file is written if one of them exists and is not to be replaced.
std::string write_proto_files(const Schema& schema, const std::filesystem::path& folder, bool overwrite)
{
    const auto files = proto_files(schema);
    for (const auto& file : files)
        if (!overwrite && std::filesystem::exists(folder / file.name)) throw already_exists(folder / file.name);
    for (const auto& file : files) {
        const OutputFolder parent((folder / file.name).parent_path());
        OutputFile output(folder / file.name, {.overwrite = overwrite});
        output.write(bytes_of(file.text));
        output.close();
    }
    return count_text(files.size(), "file") + " written to " + printable(folder.string()) + '\n';
}
#else
std::string write_proto_files(const Schema&, const std::filesystem::path&, bool)
{
    throw Error(Cause::unsupported, "--proto requires libprotobuf, which this program was built without");
}
#endif

class SchemaCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "schema",
            .summary = "print the built-in OSI schema or that of a file",
            .usage = {"schema [FILE] [--list | --fbs | --bfbs | --desc | --proto DIR]"},
            .notes = {"FILE is a descriptor set or a trace. Without FILE the built-in schema is printed."},
            .examples = {"schema --list --type gt", "schema --fbs --type sv >sensor_view.fbs",
                         "schema --desc >osi.desc", "schema drive.mcap --proto osi", "schema osi-3.7.0.desc --fbs"}};
    }

    void declare(Options& options) override
    {
        options.words("FILE", words_, 0, 1);
        for (std::size_t i = 0; i < std::size(forms); ++i) {
            const FormRow& form = forms[i];
            if (form.print != nullptr) {
                options.flag(std::string(form.option), selected_[i], std::string(form.help));
                continue;
            }
            options.option(std::string(form.option), "DIR", std::string(form.help),
                           [this, i](const std::string& name) { selected_[i] = true, folder_ = name; });
        }
        declare_overwrite(options, overwrite_);
        declare_type(options, type_, "only this message type and the types that it uses");
        declare_layout(options, layout_, "FlatBuffers layout: numbered (default) | declared");
    }

    ExitCode run(Messages& messages) override
    {
        const FormRow& form = selected_form();
        if (folder_ && type_) throw Error(Cause::usage, "--proto writes the whole schema: omit --type");
        if (overwrite_ && !folder_) throw Error(Cause::usage, "--overwrite requires --proto DIR");
        if (form.binary && is_terminal(StandardStream::output)) {
            throw Error(Cause::usage,
                        std::string(form.option) + " prints binary data: redirect it to a file with >FILE");
        }
        const auto schema = words_.empty() ? Schema::built_in() : schema_of(words_.front(), type_);
        if (folder_) {
            const auto summary = write_proto_files(*schema, *folder_, overwrite_);
            if (!messages.quiet) print_summary(summary, messages);
            return ExitCode::success;
        }
        print(form.print(*schema, {.layout = layout_.value_or(Layout::numbered), .type = type_}));
        return ExitCode::success;
    }

private:
    const FormRow& selected_form() const
    {
        const FormRow* form = nullptr;
        for (std::size_t i = 0; i < std::size(forms); ++i) {
            if (!selected_[i]) continue;
            if (form != nullptr) {
                throw Error(Cause::usage,
                            std::string(form->option) + " and " + std::string(forms[i].option) + " exclude each other");
            }
            form = &forms[i];
        }
        return form == nullptr ? forms[0] : *form;
    }

    std::vector<std::string> words_;
    bool selected_[std::size(forms)] = {};
    std::optional<MessageType> type_;
    std::optional<Layout> layout_;
    std::optional<std::filesystem::path> folder_;  ///< of .proto files
    bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> schema_command() { return std::make_unique<SchemaCommand>(); }

}  // namespace ositrace::app
