// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/parse.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <ositrace/error.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/version.hpp>

#include "app/terminal/near_word.hpp"
#include "app/terminal/shell_files.hpp"

namespace ositrace::app {

void Options::flag(std::string name, bool& to, std::string help)
{
    rows_.push_back({std::move(name), {}, std::move(help), &to, {}});
}

void Options::option(std::string name, std::string value, std::string help,
                     std::function<void(const std::string&)> read, std::vector<std::string> choices)
{
    rows_.push_back(
        {std::move(name), std::move(value), std::move(help), nullptr, std::move(read), false, std::move(choices)});
}

void Options::options(std::string name, std::string value, std::string help,
                      std::function<void(const std::string&)> read_each, std::vector<std::string> choices)
{
    rows_.push_back(
        {std::move(name), std::move(value), std::move(help), nullptr, std::move(read_each), true, std::move(choices)});
}

void Options::flags(std::string name, std::string help, std::function<void()> read_each)
{
    rows_.push_back({std::move(name),
                     {},
                     std::move(help),
                     nullptr,
                     [read = std::move(read_each)](const std::string&) { read(); },
                     true});
}

void declare_messages(const Program& program, Options& options, Messages& messages)
{
    if (!program.reports) return;
    options.flag("--quiet", messages.quiet, "print only errors");
    options.flag("--verbose", messages.verbose, "print details");
}

OptionRow help_option() { return {.name = "-h,--help", .value = {}, .help = "show this text"}; }

OptionRow version_option()
{
    return {.name = "--version", .value = {}, .help = "show the versions of the program and of its OSI schema"};
}

void Options::words(std::string name, std::vector<std::string>& to, std::size_t at_least, std::size_t at_most)
{
    words_ = {std::move(name), &to, at_least, at_most};
}

namespace {

std::string versions_text(std::string_view program)
{
    const auto osi = Schema::built_in()->osi_version();
    return std::string(program) + ' ' + std::string(version()) + "\nOSI schema " +
           (osi ? osi->to_string() : "of no stated version") + " (built in)\n";
}

Error usage(const std::string& reason) { return {Cause::usage, reason}; }

/// The error of the value names its option.
void read_value(const OptionRow& row, const std::string& value)
{
    try {
        row.read(value);
    } catch (const Error& e) {
        throw usage(row.name + ": " + e.reason());
    }
}

/// The rows of repeatable options, by their options in CLI11.
using RepeatableRows = std::map<const CLI::Option*, const OptionRow*>;

RepeatableRows add_options(CLI::App& app, const Options& options)
{
    RepeatableRows repeatable;
    for (const auto& row : options.rows()) {
        if (row.flag != nullptr) {
            app.add_flag(row.name, *row.flag);
        } else if (row.repeatable && row.value.empty()) {
            repeatable[app.add_flag(row.name)] = &row;
        } else if (row.repeatable) {
            auto* const option = app.add_option(row.name);
            option->type_size(1)
                ->allow_extra_args(false)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                ->type_name(row.value);
            repeatable[option] = &row;
        } else {
            app.add_option_function<std::string>(row.name, [&row](const std::string& value) { read_value(row, value); })
                ->type_name(row.value);
        }
    }
    if (options.words().to != nullptr) app.add_option("words", *options.words().to);
    return repeatable;
}

void read_in_order(const CLI::App& app, const RepeatableRows& repeatable)
{
    std::map<const CLI::Option*, std::size_t> values_read;
    for (const auto* const option : app.parse_order()) {
        const auto row = repeatable.find(option);
        if (row != repeatable.end()) read_value(*row->second, option->results().at(values_read[option]++));
    }
}

void check_words(const Options::Words& words)
{
    if (words.to == nullptr) return;
    if (words.to->size() < words.at_least)
        throw usage(words.name + (words.at_least == 1 ? " is missing" : " are required"));
    if (words.to->size() > words.at_most) throw usage("unexpected argument '" + (*words.to)[words.at_most] + "'");
}

/// `--output` of `-o,--output`
std::vector<std::string> long_names(const Options& options)
{
    std::vector<std::string> names;
    for (const auto& row : options.rows()) names.push_back(row.name.substr(row.name.rfind(',') + 1));
    names.emplace_back("--help");
    return names;
}

/// CLI11 describes its model of a command line; our errors quote the arguments.
Error translated(const CLI::ParseError& e, const CLI::App& app, const Options& options)
{
    if (const auto left = app.remaining(true); !left.empty()) {
        const auto name = left.front().substr(0, left.front().find('='));
        if (!name.starts_with('-') || name == "-") return usage("unexpected argument '" + left.front() + "'");
        return usage("unknown option '" + left.front() + "'" + did_you_mean(name, long_names(options)));
    }
    std::string text = e.what();
    constexpr std::string_view no_flag = "Could not convert: ";  // only flags convert values
    if (text.starts_with(no_flag))
        return usage(text.substr(no_flag.size(), text.find(" = ") - no_flag.size()) + " has no value");
    if (const auto end = text.find(": At Most 1 required "); end != std::string::npos)
        return usage(text.substr(0, end) + " is given more than once");
    if (const auto end = text.find(": 1 required "); end != std::string::npos)
        return usage(text.substr(0, end) + " needs a value");
    return usage(text);
}

std::vector<std::string> known_commands(const Program& program)
{
    std::vector<std::string> names;
    for (const auto& command : program.commands)
        if (!is_main(*command)) names.emplace_back(command->text().name);
    return names;
}

Command& command_named(const Program& program, std::string_view name)
{
    for (const auto& command : program.commands) {
        if (command->text().name == name) return *command;
    }
    throw unknown_word("command", name, known_commands(program));
}

/// `osiplay TRACE`, `osiconvert IN -o OUT`
Command* command_without_name(const Program& program, int argc, char** argv)
{
    const auto is_named = [&](const auto& command) {
        return argc > 1 && !is_main(*command) && command->text().name == argv[1];
    };
    if (std::ranges::any_of(program.commands, is_named)) return nullptr;
    if (is_main(*program.commands.front())) return program.commands.front().get();
    const auto is_output = [](std::string_view argument) {
        return argument == "-o" || argument.starts_with("--output");
    };
    if (program.default_command.empty()) return nullptr;
    return std::any_of(argv + 1, argv + argc, is_output) ? &command_named(program, program.default_command) : nullptr;
}

/// Ignores `argv[0]`.
void parse_verb(const Program& program, int argc, char** argv, Messages& messages, Request& request)
{
    Options options;
    request.command->declare(options);
    declare_messages(program, options, messages);
    CLI::App app;
    app.set_help_flag("-h,--help");
    app.allow_windows_style_options(false);  // a path may begin with a slash
    const auto repeatable = add_options(app, options);
    try {
        app.parse(argc, argv);
        read_in_order(app, repeatable);
    } catch (const CLI::CallForHelp&) {
        request.text = help_of(program, *request.command, options);
        return;
    } catch (const CLI::ParseError& e) {
        throw translated(e, app, options);
    }
    check_words(options.words());
}

}  // namespace

void parse(Program& program, int argc, char** argv, Messages& messages, Request& request)
{
    const bool has_main = is_main(*program.commands.front());
    if (argc > 1 && std::string_view(argv[1]) == "help") {  // a file of this name is ./help
        if (argc > 3) throw usage("unexpected argument '" + std::string(argv[3]) + "'");
        if (argc > 2 && (request.text = shell_file(program, argv[2]))) return;
        std::string option = "--help";
        std::array words{argv[0], argc > 2 ? argv[2] : option.data(), option.data()};
        return parse(program, argc, words.data(), messages, request);
    }
    if (argc < 2 && !has_main)
        throw usage("a command is missing (known: " + joined(known_commands(program), ", ") + ")");
    const std::string_view first = argc < 2 ? "" : argv[1];
    if (!has_main && (first == "--help" || first == "-h")) {
        request.text = help_of(program);
    } else if (first == "--version") {
        request.text = program.version ? program.version() : versions_text(program.name);
    } else if (auto* const command = command_without_name(program, argc, argv)) {
        request.command = command;
        parse_verb(program, argc, argv, messages, request);
    } else if (first.starts_with('-') && first != "-") {
        throw usage("unknown option '" + std::string(first) + "'");
    } else {
        request.command = &command_named(program, first);
        parse_verb(program, argc - 1, argv + 1, messages, request);
    }
}

}  // namespace ositrace::app
