// SPDX-License-Identifier: MPL-2.0
// A verb for each table of what happens in a trace: the options and columns are those of the library.
#include <algorithm>
#include <chrono>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/pending_output.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/inputs.hpp"
#include "app/osiconvert/table_output.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "lib/system/terminal.hpp"

namespace ositrace::app {

namespace {

class TableCommand final : public Command {
public:
    explicit TableCommand(const TrafficTableRow& table) : table_(table), options_(table.options)
    {
        name_ = table.name;
        std::ranges::replace(name_, '_', '-');
        usage_ = name_ + ' ' + (has_operand() ? operand_word() + ' ' : "") +
                 "IN... [-o FILE.csv|FILE.jsonl] [--json] [--time A:B] [--topic REGEX]";
        columns_ = "Columns: ";
        for (const auto& column : table.columns)
            columns_.append(&column == &table.columns.front() ? "" : ", ").append(column.name);
        columns_ += '.';
    }

    CommandText text() const override
    {
        CommandText text{.name = name_, .summary = table_.summary, .usage = {usage_}, .notes = {}, .examples = {}};
        text.notes.assign(table_.notes.begin(), table_.notes.end());
        text.notes.push_back(columns_);
        text.examples.assign(table_.examples.begin(), table_.examples.end());
        return text;
    }

    void declare(Options& options) override
    {
        options.words(has_operand() ? operand_word() + " and IN" : "IN", words_, has_operand() ? 2 : 1, SIZE_MAX);
        options.option("-o,--output", "FILE",
                       "the table: CSV, or JSON lines if it ends in .jsonl (default: CSV on standard output)",
                       [this](const std::string& file) { output_ = file; });
        for (const auto& option : table_.options)
            if (option.name != table_.operand) declare_option(options, option);
        selection_.declare(options);
        input_.declare(options);
        declare_overwrite(options, overwrite_);
        declare_json(options, json_, "print JSON");
    }

    ExitCode run(Messages& messages) override
    {
        if (json_ && output_) throw invalid_usage("--json and -o exclude each other; FILE.jsonl has JSON lines");
        auto words = words_;
        if (has_operand()) {
            options_.set(table_.operand, words.front());
            words.erase(words.begin());
        }
        check_one_standard_input(words);
        const Interrupt interrupt;
        auto open = input_.open_options(messages);
        open.stop = interrupt.token();
        const auto files = with_folders(words);
        const auto format = json_ ? TableFormat::json : table_format_of(output_.value_or("-"));
        const bool several = files.size() != 1;
        const auto write = [&](const std::function<void(std::string_view)>& put) {
            TableOutput out(table_, format, several, put);
            for (const auto& file : files) write_rows(file, open, out, messages);
            out.end();
        };
        if (!output_ || is_standard_output(*output_)) {
            write([](std::string_view text) { print(text); });
        } else {
            write_file(*output_, overwrite_, [&](const std::function<void(Bytes)>& append) {
                write([&](std::string_view text) { append(bytes_of(text)); });
            });
        }
        return ExitCode::success;
    }

private:
    [[nodiscard]] bool has_operand() const noexcept { return !table_.operand.empty(); }
    [[nodiscard]] std::string operand_word() const
    {
        for (const auto& option : table_.options)
            if (option.name == table_.operand) return std::string(option.value);
        return {};
    }

    void declare_option(Options& options, const TrafficOption& option)
    {
        const auto name = std::string(option.name);
        auto help = std::string(option.text);
        if (!option.initial.empty()) help += " (default " + std::string(option.initial) + ')';
        if (option.kind == TrafficOption::Kind::flag)
            return options.flags("--" + name, help, [this, name] { options_.set(name, "true"); });
        options.option("--" + name, std::string(option.value), help,
                       [this, name](const std::string& value) { options_.set(name, value); });
    }

    void write_rows(const std::string& file, const OpenOptions& open, TableOutput& out, Messages& messages)
    {
        std::shared_ptr<FrameSource> frames = selected_frames(file, open, cut_options(selection_), messages);
        TrafficTableReader reader(frames, table_, options_);
        out.begin_file(file, *frames);
        const auto started = std::chrono::steady_clock::now();
        std::uint64_t count = 0;
        while (out.add_rows(reader, open.stop)) {
            const auto read = frames->bytes_consumed();
            std::optional<double> done;
            if (const auto total = frames->bytes_total(); total && *total != 0)
                done = static_cast<double>(read) / static_cast<double>(*total);
            messages.progress({file, ++count, read, done, std::chrono::steady_clock::now() - started});
        }
        messages.clear_progress();
        out.end_file();
        for (const auto& note : reader.notes()) {
            auto text = file;
            messages.warning(text.append(": ").append(note));
        }
    }

    const TrafficTableRow& table_;
    std::string name_, usage_, columns_;
    std::vector<std::string> words_;
    std::optional<std::filesystem::path> output_;
    TrafficOptions options_;
    InputOptions input_;
    SelectionOptions selection_;
    bool overwrite_ = false;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> table_command(const TrafficTableRow& table) { return std::make_unique<TableCommand>(table); }

}  // namespace ositrace::app
