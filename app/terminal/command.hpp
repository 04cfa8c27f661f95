// SPDX-License-Identifier: MPL-2.0
// What a verb of a program is: its words, its options, its work. One verb is one file.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// Scripts may rely on these. A program that was interrupted ends by the signal instead, so that a shell loop also
/// ends.
enum class ExitCode : int {
    success = 0,
    failed = 1,    ///< invalid data or I/O error
    usage = 2,     ///< invalid usage
    findings = 3,  ///< completed with findings, differences or losses
};

/// The last one only of programs that report.
inline constexpr std::array exit_codes{
    std::pair{ExitCode::success, std::string_view("success")},
    std::pair{ExitCode::failed, std::string_view("failed: invalid data or I/O error")},
    std::pair{ExitCode::usage, std::string_view("invalid usage")},
    std::pair{ExitCode::findings, std::string_view("completed with findings, differences or losses")}};

/// An option as declared, parsed, and shown in the help, the man page and the completions.
struct OptionRow {
    std::string name;   ///< `--type`, or `-o,--output`
    std::string value;  ///< the name of its value, `BYTES`; empty for a flag. FILE, OUT and DIR are completed as paths
    std::string help;
    bool* flag = nullptr;
    std::function<void(const std::string&)> read;  ///< of an option with a value; throws Error (usage)
    bool repeatable = false;  ///< each value is read, in the order of the command line over all such options
    std::vector<std::string> choices = {};  ///< the values that there are, or beginnings of them, for completions
};

/// The options of one verb. What they write to must outlive the parsing.
class Options {
public:
    void flag(std::string name, bool& to, std::string help);
    /// `choices`: see OptionRow.
    void option(std::string name, std::string value, std::string help, std::function<void(const std::string&)> read,
                std::vector<std::string> choices = {});
    /// A repeatable option: every value is read, in the order of such options on the command line.
    void options(std::string name, std::string value, std::string help,
                 std::function<void(const std::string&)> read_each, std::vector<std::string> choices = {});
    /// A repeatable flag.
    void flags(std::string name, std::string help, std::function<void()> read_each);
    /// The words that are not options; `name` is shown when there are too few: `IN`.
    void words(std::string name, std::vector<std::string>& to, std::size_t at_least, std::size_t at_most);

    struct Words {
        std::string name;
        std::vector<std::string>* to = nullptr;
        std::size_t at_least = 0, at_most = 0;
    };
    [[nodiscard]] const std::vector<OptionRow>& rows() const noexcept { return rows_; }
    [[nodiscard]] const Words& words() const noexcept { return words_; }

private:
    std::vector<OptionRow> rows_;
    Words words_;
};

/// The texts of a verb, one line per element.
struct CommandText {
    std::string_view name;  ///< empty: what the program does without a verb
    std::string_view summary;
    std::vector<std::string_view> usage;     ///< without the program's name
    std::vector<std::string_view> notes;     ///< paragraph between the usage and the options
    std::vector<std::string_view> examples;  ///< without the program's name
    bool is_program = false;                 ///< a program of its own with verbs, which prints its own completions
};

/// A verb, or what the program does without one.
class Command {
public:
    virtual ~Command() = default;
    [[nodiscard]] virtual CommandText text() const = 0;
    virtual void declare(Options& options) = 0;
    /// Called after parsing. Throws Error: `usage` ends with 2, `cancelled` by the signal, everything else with 1.
    virtual ExitCode run(Messages& messages) = 0;
};

[[nodiscard]] inline bool is_main(const Command& command) { return command.text().name.empty(); }

/// A part of the man page alone: names and what they mean.
struct ManSection {
    std::string_view title;
    std::vector<std::pair<std::string, std::string>> rows;
};

struct Program {
    std::string_view name;
    std::string_view summary;
    std::function<std::string()> version;  ///< what --version prints; null: this version and that of the schema
    /// A first command without a name is the default.
    std::vector<std::unique_ptr<Command>> commands;
    std::string_view default_command;  ///< runs if no command is named and the arguments contain `-o`; empty: none
    std::vector<std::string_view> examples;
    std::string_view recover;  ///< the verb to suggest if damage in a file ends another one; empty: there is none
    bool reports = true;       ///< has --quiet, --verbose and ExitCode::findings
    std::vector<ManSection> manual = {};
};

/// All of main(): parses, runs one verb, prints errors, returns the exit code.
int run_program(Program& program, int argc, char** argv);

}  // namespace ositrace::app
