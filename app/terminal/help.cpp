// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/parse.hpp"

#include <algorithm>

namespace ositrace::app {
namespace {

constexpr std::size_t line_width = 100;

/// `left` at column 2, `right` wrapped from `column` on.
void add_row(std::string& out, const std::string& left, std::string_view right, std::size_t column)
{
    std::string line = "  " + left;
    line.resize(std::max(column, line.size() + 2), ' ');
    while (!right.empty()) {
        const auto word = right.substr(0, right.find(' '));
        if (line.size() + word.size() > line_width && line.size() > column) {
            out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
            line.assign(column, ' ');
        }
        line.append(word).append(1, ' ');
        right.remove_prefix(std::min(right.size(), word.size() + 1));
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

std::string left_of(const OptionRow& row)
{
    std::string left = row.name;
    if (const auto comma = left.find(','); comma != std::string::npos) left.insert(comma + 1, " ");
    return row.value.empty() ? left : left + ' ' + row.value;
}

void add_lines(std::string& out, std::string_view title, std::string_view program,
               const std::vector<std::string_view>& lines)
{
    out.append("\n").append(title).append("\n");
    for (const auto line : lines) out.append("  ").append(program).append(" ").append(line).append("\n");
}

void add_commands(std::string& out, const Program& program)
{
    if (program.commands.size() == 1 && is_main(*program.commands.front())) return;
    out += "\nCOMMANDS\n";
    for (const auto& command : program.commands)
        if (!is_main(*command)) add_row(out, std::string(command->text().name), command->text().summary, 16);
}

void add_exit_codes(std::string& out, const Program& program)
{
    out += "\nEXIT CODES\n";
    for (const auto& [code, meaning] : exit_codes_of(program))
        add_row(out, std::to_string(static_cast<int>(code)), meaning, 6);
}

}  // namespace

std::span<const std::pair<ExitCode, std::string_view>> exit_codes_of(const Program& program)
{
    return std::span(exit_codes).first(program.reports ? exit_codes.size() : exit_codes.size() - 1);
}

std::string help_of(const Program& program)
{
    std::string out = std::string(program.name) + ": " + std::string(program.summary) + "\n\nUSAGE\n  " +
                      std::string(program.name) + " COMMAND [OPTIONS] ...\n  " + std::string(program.name) +
                      " help COMMAND\n";
    add_commands(out, program);
    out += "\nOPTIONS\n";
    for (const auto& row : {help_option(), version_option()}) add_row(out, left_of(row), row.help, 16);
    add_exit_codes(out, program);
    add_lines(out, "EXAMPLES", program.name, program.examples);
    return out;
}

std::string help_of(const Program& program, const Command& command, const Options& options)
{
    const auto text = command.text();
    const bool main = is_main(command);
    std::string out = std::string(program.name) + (main ? "" : " ") + std::string(text.name) + ": " +
                      std::string(text.summary) + '\n';
    add_lines(out, "USAGE", program.name, text.usage);
    if (!text.notes.empty()) out += '\n';
    for (const auto note : text.notes) out.append(note).append("\n");
    out += "\nOPTIONS\n";
    for (const auto& row : options.rows()) add_row(out, left_of(row), row.help, 34);
    add_row(out, left_of(help_option()), help_option().help, 34);
    if (main) {
        add_row(out, left_of(version_option()), version_option().help, 34);
        add_commands(out, program);
        add_exit_codes(out, program);
    }
    add_lines(out, "EXAMPLES", program.name, text.examples);
    return out;
}

}  // namespace ositrace::app
