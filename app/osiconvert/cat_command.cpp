// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/stated_channel.hpp>

#include "app/osiconvert/cat.hpp"
#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/inputs.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/near_word.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/trace/nanoseconds.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace::app {

namespace {

constexpr CatFormatRow cat_formats[] = {
    {"jsonl", jsonl_printer},
    {"text", text_printer},
    {"csv", csv_printer},
};

const CatFormatRow& format_named(const std::string& name)
{
    for (const auto& row : cat_formats)
        if (row.name == name) return row;
    throw unknown_word("format", name, {"jsonl", "text", "csv"});
}

std::vector<std::string> split(std::string_view list)
{
    const auto all = list;
    std::vector<std::string> parts;
    for (;;) {
        auto comma = std::min(list.find(','), list.size());
        // A name in brackets may have a comma.
        for (auto open = list.find('['); open < comma; open = list.find('[', open)) {
            open = std::min(bracket_end(list, open), list.size());
            if (open > comma) comma = std::min(list.find(',', open), list.size());
        }
        parts.emplace_back(list.substr(0, comma));
        if (parts.back().empty()) throw Error(Cause::usage, "empty path in '" + std::string(all) + "'");
        if (comma == list.size()) return parts;
        list.remove_prefix(comma + 1);
    }
}

std::optional<Nanoseconds> time_of(const Frame& frame, const Channel& channel)
{
    if (const auto time = frame.time ? frame.time : time_in_range_of(frame, channel)) return time;
    return frame.log_time;
}

struct FactRow {
    std::string_view name;
    std::string (*text)(const CatFrame& frame);
};

std::string nanoseconds_text(const std::optional<Nanoseconds>& time)
{
    return time ? std::to_string(time->count()) : std::string();
}

constexpr FactRow facts[] = {
    {"@frame", [](const CatFrame& frame) { return std::to_string(frame.frame.index); }},
    {"@time", [](const CatFrame& frame) { return frame.time ? exact_seconds(*frame.time) : std::string(); }},
    {"@time_ns", [](const CatFrame& frame) { return nanoseconds_text(frame.time); }},
    {"@log_time_ns", [](const CatFrame& frame) { return nanoseconds_text(frame.frame.log_time); }},
};

const FactRow& fact_named(std::string_view name)
{
    const auto* const row = std::ranges::find(facts, name, &FactRow::name);
    if (row != std::end(facts)) return *row;
    std::vector<std::string> known;
    for (const auto& fact : facts) known.emplace_back(fact.name);
    throw unknown_word("column", name, known);
}

/// A name in a path that the message before it does not have.
struct UnknownField {
    std::string name;
    std::vector<std::string> known;
};

std::optional<UnknownField> unknown_field(const MessageTable& root, std::string_view path)
{
    const auto* table = &root;
    for (const auto& part : path_parts(path)) {
        if (table == nullptr) break;
        const auto* const field = table->find(part.name);
        if (field == nullptr) {
            UnknownField found{std::string(part.name), {}};
            for (const auto& row : table->fields) found.known.emplace_back(row.name);
            return found;
        }
        table = field->child;
    }
    return std::nullopt;
}

/// Prints the frames of one run.
class Cat {
public:
    Cat(FrameSource& frames, const CatFormatRow& format, CatRequest request, Messages& messages)
        : frames_(frames), format_(format), request_(std::move(request)), messages_(messages)
    {
    }

    ExitCode run(std::stop_token stop)
    {
        for (std::uint32_t i = 0; i < frames_.info().channels.size(); ++i) begin(printer_of(i));
        if (!begun_ && !frames_.info().channels.empty())
            throw Error(Cause::unsupported, {.file = frames_.info().file}, "has no channel that can be printed");
        for (Frame frame; frames_.read(frame, stop);) print_frame(frame);
        if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped");
        return finish();
    }

private:
    /// Null for a channel that cannot be printed.
    FramePrinter* printer_of(std::uint32_t number)
    {
        const auto found = printers_.find(number);
        if (found != printers_.end()) return found->second.get();
        auto& printer = printers_[number];
        const auto& channel = frames_.info().channels[number];
        if (channel.root == nullptr) {
            const auto what = "channel '" + channel.topic + "' is dropped: " + why_not_osi(channel);
            const bool lost = request_.fields.empty();  // else the requested fields are in other channels
            dropped_channel_ = dropped_channel_ || lost;
            lost ? messages_.error(what) : messages_.warning(what);
            return nullptr;
        }
        try {
            printer = format_.create(request_, *channel.root);
        } catch (const Error& error) {
            if (!request_.several_channels) throw explained(error, channel);
            messages_.warning("channel '" + channel.topic + "' is dropped: " + error.reason());
        }
        return printer.get();
    }

    /// The first of the requested fields that a message does not have.
    [[nodiscard]] std::optional<UnknownField> unknown_in(const MessageTable& table) const
    {
        for (const auto& field : request_.fields)
            if (!field.starts_with('@'))
                if (auto unknown = unknown_field(table, field)) return unknown;
        return std::nullopt;
    }

    /// If a message type of OSI has these fields, the command line may be right, and the file is another one.
    [[nodiscard]] Error explained(const Error& error, const Channel& channel) const
    {
        const auto unknown = unknown_in(*channel.root);
        if (!unknown) return error;
        const auto schema = Schema::built_in();
        const bool has_another = std::ranges::any_of(message_types(), [&](const MessageTypeRow& row) {
            const auto* const table = schema->find(row.full_name);
            return table != nullptr && !unknown_in(*table);
        });
        if (has_another)
            return {Cause::mismatch,
                    {.file = frames_.info().file},
                    "has " + channel.type_name + " messages: " + error.reason()};
        return {error.cause(), error.reason() + did_you_mean(unknown->name, unknown->known)};
    }

    void begin(FramePrinter* printer)
    {
        if (printer == nullptr || std::exchange(begun_, true)) return;
        printer->begin(text_);
    }

    void print_frame(const Frame& frame)
    {
        auto* const printer = printer_of(frame.channel);
        if (printer == nullptr) return;
        begin(printer);
        const auto& info = frames_.info();
        const auto& channel = info.channels[frame.channel];
        try {
            left_out_ += printer->print(
                {frame, channel, {frame.bytes, *channel.root, channel.format}, time_of(frame, channel)}, text_);
        } catch (const Error& error) {
            throw within_frame(error, frame, info.file);
        }
        print(text_of(text_.bytes()));
        text_.clear();
    }

    ExitCode finish()
    {
        print(text_of(text_.bytes()));
        for (const auto& [number, printer] : printers_)
            if (printer) report_never_found(printer->never_found(), frames_.info().channels[number]);
        if (left_out_.unknown_fields == 0) return dropped_channel_ ? ExitCode::findings : ExitCode::success;
        messages_.error(frames_.info().file.string() + ": dropped: " + count_text(left_out_.unknown_fields, "field") +
                        " unknown to the schema (--schema selects another)");
        return ExitCode::findings;
    }

    void report_never_found(const std::vector<std::string>& fields, const Channel& channel)
    {
        if (fields.empty()) return;
        std::string list;
        for (const auto& field : fields) list += (list.empty() ? "'" : ", '") + field + "'";
        const auto where = request_.several_channels ? "channel '" + channel.topic + "'" : frames_.info().file.string();
        const auto id = fields.front().find("[id=");
        const auto name = fields.front().find("[name=");
        std::string advice = "'osiconvert stats' lists all fields";
        if (name != std::string::npos) {
            const auto elements = fields.front().substr(0, name) + "[*]";
            advice = "--fields '" + elements + ".source_reference[*].identifier[*]' lists the names";
        } else if (id != std::string::npos) {
            const auto elements = fields.front().substr(0, id) + "[*]";
            const auto path = std::string(id_path(*FieldPath::compile(*channel.root, elements).leaf().child));
            advice = "--fields '" + elements + '.' + path + "' lists the ids";
        }
        messages_.warning(where + ": no frame that was printed has " + list + ": " + advice);
    }

    FrameSource& frames_;
    const CatFormatRow& format_;
    CatRequest request_;
    Messages& messages_;
    std::map<std::uint32_t, std::unique_ptr<FramePrinter>> printers_;
    bool begun_ = false;
    ByteBuffer text_;
    LeftOut left_out_;
    bool dropped_channel_ = false;
};

class CatCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "cat",
            .summary = "print frames as JSON lines, text or a table",
            .usage =
                {"cat FILE [--format jsonl|text|csv] [--fields PATH,...] [--time A:B] [--frames A:B] [--topic REGEX]"},
            .notes =
                {"JSON has the field names of the .proto files, and 64-bit integers as strings. A table (csv) has "
                 "one row per "
                 "frame, or with",
                 "[*] in a path one row per element, with its id, and with a second [*] one per element of each; a "
                 "message becomes a column for each of its "
                 "fields. If "
                 "several channels",
                 "are printed, each line states the channel: {\"topic\":...,\"time_ns\":...,\"message\":...}. "
                 "Fields that the "
                 "schema does",
                 "not know are counted, and the exit code is 3."},
            .examples = {"cat drive.osi | jq .timestamp", "cat drive.osi --frames 0:1 --format text",
                         "cat drive.osi --format csv --fields 'global_ground_truth.moving_object[*].base.position.x'",
                         "cat both.mcap --topic lidar --time 3:4"}};
    }

    void declare(Options& options) override
    {
        options.words("FILE", words_, 1, 1);
        options.option("--format", "NAME", "jsonl (default) | text | csv",
                       [this](const std::string& name) { format_ = &format_named(name); }, {"jsonl", "text", "csv"});
        options.option(
            "--fields", "PATH,...",
            "print only these fields: a.b[3].c, moving_object[id=42].base.position.x, moving_object[*].id.value, @time",
            [this](const std::string& list) { fields_ = split(list); });
        selection_.declare(options);
        input_.declare(options);
    }

    ExitCode run(Messages& messages) override
    {
        auto open = input_.open_options(messages);
        const Interrupt interrupt;
        open.stop = interrupt.token();
        const std::filesystem::path file = words_.front();
        auto options = cut_options(selection_);
        options.carry_static = false;
        const auto frames = selected_frames(file, open, std::move(options), messages);
        const auto& info = frames->info();
        const bool several_channels = info.container.several_channels && (info.may_grow || info.channels.size() != 1);
        return Cat(*frames, *format_, {fields_, several_channels}, messages).run(interrupt.token());
    }

private:
    std::vector<std::string> words_;
    InputOptions input_;
    SelectionOptions selection_;
    const CatFormatRow* format_ = &cat_formats[0];
    std::vector<std::string> fields_;
};

}  // namespace

bool is_fact(std::string_view column) { return column.starts_with('@') && !fact_named(column).name.empty(); }

std::string fact_text(std::string_view column, const CatFrame& frame) { return fact_named(column).text(frame); }

std::unique_ptr<Command> cat_command() { return std::make_unique<CatCommand>(); }

}  // namespace ositrace::app
