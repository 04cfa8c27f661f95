// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/shell_files.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "app/terminal/near_word.hpp"
#include "app/terminal/parse.hpp"

namespace ositrace::app {
namespace {

/// What a verb declares.
struct Verb {
    CommandText text;
    std::vector<OptionRow> rows;
};

std::vector<OptionRow> every_option(const Program& program)
{
    Options options;
    Messages messages("");
    declare_messages(program, options, messages);
    auto rows = options.rows();
    rows.push_back(help_option());
    return rows;
}

std::vector<Verb> verbs_of(const Program& program)
{
    std::vector<Verb> verbs;
    for (const auto& command : program.commands) {
        Options options;
        command->declare(options);
        verbs.push_back({command->text(), options.rows()});
    }
    return verbs;
}

/// `osiplay-bench` for `osiplay bench`
std::string file_name_of(std::string name)
{
    std::ranges::replace(name, ' ', '-');
    return name;
}

/// `-o` and `--output` of `-o,--output`
std::vector<std::string> names_of(const OptionRow& row)
{
    const auto comma = row.name.find(',');
    if (comma == std::string::npos) return {row.name};
    return {row.name.substr(0, comma), row.name.substr(comma + 1)};
}

/// With every occurrence of a character replaced.
std::string replaced(std::string_view text, char from, std::string_view to)
{
    std::string result;
    for (const char c : text) c == from ? result.append(to) : result.append(1, c);
    return result;
}

bool is_file(const OptionRow& row) { return row.value.starts_with("FILE") || row.value.starts_with("OUT"); }
bool is_folder(const OptionRow& row) { return row.value == "DIR"; }

// The man page

std::string roff(std::string_view text)
{
    auto safe = replaced(replaced(text, '\\', "\\e"), '-', "\\-");
    if (safe.starts_with('.') || safe.starts_with('\'')) safe.insert(0, "\\&");
    return safe;
}

std::string as_sentence(std::string_view summary)
{
    std::string text(summary);
    if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text + '.';
}

void add_option(std::string& out, const OptionRow& row)
{
    auto names = names_of(row);
    std::ranges::transform(names, names.begin(), roff);
    out += ".TP\n\\fB" + joined(names, "\\fR, \\fB") + "\\fR";
    if (!row.value.empty()) out += " \\fI" + roff(row.value) + "\\fR";
    out += '\n' + roff(row.help) + '\n';
}

/// Options of so many verbs are described once.
constexpr std::size_t least_verbs_of_common = 4;

/// The verbs that have an option, by its name and help.
using Users = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

Users users_of(const std::vector<Verb>& verbs)
{
    Users users;
    for (const auto& verb : verbs)
        for (const auto& row : verb.rows) users[{row.name, row.help}].emplace_back(verb.text.name);
    return users;
}

void add_verb(std::string& out, const Program& program, const Verb& verb, const Users& users)
{
    const std::string program_name(program.name);
    if (!verb.text.name.empty()) {
        out += ".SS " + program_name + ' ' + std::string(verb.text.name) + "\n.nf\n";
        for (const auto line : verb.text.usage) out += roff(program_name + ' ' + std::string(line)) + '\n';
        out += ".fi\n.PP\n" + roff(as_sentence(verb.text.summary)) + '\n';
        for (const auto line : verb.text.notes) out += roff(line) + '\n';
    }
    std::vector<std::string> common;
    for (const auto& row : verb.rows)
        if (users.at({row.name, row.help}).size() < least_verbs_of_common)
            add_option(out, row);
        else
            common.push_back(names_of(row).back());
    if (!common.empty()) out += ".PP\nCommon options: " + roff(joined(common, ", ")) + '\n';
}

void add_common_options(std::string& out, const std::vector<Verb>& verbs, const Users& users)
{
    out += ".SH COMMON OPTIONS\n";
    std::vector<std::pair<std::string, std::string>> described;
    for (const auto& verb : verbs)
        for (const auto& row : verb.rows) {
            const std::pair key{row.name, row.help};
            if (users.at(key).size() < least_verbs_of_common || std::ranges::find(described, key) != described.end())
                continue;
            described.push_back(key);
            add_option(out, row);
        }
}

std::string man_page(const Program& program)
{
    const std::string name(program.name);
    const auto verbs = verbs_of(program);
    const auto users = users_of(verbs);
    const auto title = file_name_of(name);
    std::string upper = title;
    std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    std::string out = ".TH " + roff(upper) + " 1 \"\" \"ositrace\" \"User Commands\"\n.SH NAME\n" + roff(title) +
                      " \\- " + roff(program.summary) + "\n.SH SYNOPSIS\n.nf\n";
    const auto& main = program.commands.front();
    if (is_main(*main))
        for (const auto line : main->text().usage) out += roff(name + ' ' + std::string(line)) + '\n';
    if (program.commands.size() > 1)
        out += roff(name + " COMMAND [OPTIONS] ...") + '\n' + roff(name + " help [COMMAND]") + '\n';
    out += ".fi\n";
    if (is_main(*main)) {
        out += ".SH DESCRIPTION\n";
        for (const auto line : main->text().notes) out += roff(line) + '\n';
        out += ".SH OPTIONS\n";
        add_verb(out, program, verbs.front(), users);
    }
    if (program.commands.size() > 1) {
        out += ".SH COMMANDS\n";
        for (const auto& verb : verbs)
            if (!verb.text.name.empty()) add_verb(out, program, verb, users);
        if (std::ranges::any_of(users, [](const auto& each) { return each.second.size() >= least_verbs_of_common; }))
            add_common_options(out, verbs, users);
    }
    if (!is_main(*main)) out += ".SH OPTIONS OF EVERY COMMAND\n";
    for (const auto& row : every_option(program)) add_option(out, row);
    add_option(out, version_option());
    out += ".SH EXIT STATUS\n";
    for (const auto& [code, meaning] : exit_codes_of(program))
        out += ".TP\n.B " + std::to_string(static_cast<int>(code)) + '\n' + roff(meaning) + '\n';
    for (const auto& [heading, rows] : program.manual) {
        out += ".SH " + roff(heading) + '\n';
        for (const auto& [left, right] : rows) out += ".TP\n.B " + roff(left) + '\n' + roff(right) + '\n';
    }
    out += ".SH EXAMPLES\n.nf\n";
    for (const auto line : program.examples) out += roff(name + ' ' + std::string(line)) + '\n';
    for (const auto& verb : verbs)
        for (const auto line : verb.text.examples) out += roff(name + ' ' + std::string(line)) + '\n';
    out += ".fi\n.SH SEE ALSO\nThe pages in docs/ of the project describe formats, commands and what they report.\n";
    return out;
}

// Completions

std::string option_names(const Program& program, const Verb& verb)
{
    std::vector<std::string> names;
    for (const auto& row : verb.rows)
        for (const auto& name : names_of(row)) names.push_back(name);
    for (const auto& row : every_option(program)) names.push_back(names_of(row).back());
    return joined(names, " ");
}

std::string shell_word(std::string_view text) { return '\'' + replaced(text, '\'', "'\\''") + '\''; }

void add_bash_values(std::string& out, const Verb& verb)
{
    for (const auto& row : verb.rows) {
        if (row.value.empty()) continue;
        out += "                " + joined(names_of(row), " | ") + ") ";
        if (!row.choices.empty())
            out += "words=" + shell_word(joined(row.choices, " "));
        else
            out += is_file(row) ? "files=-f" : is_folder(row) ? "files=-d" : "return";
        out += " ;;\n";
    }
}

/// Of the verb that is run where none is named.
const Verb* verb_without_name(const Program& program, const std::vector<Verb>& verbs)
{
    const auto found =
        std::ranges::find_if(verbs, [&](const Verb& verb) { return verb.text.name == program.default_command; });
    return found == verbs.end() ? nullptr : &*found;
}

/// Can the first word be a file?
bool takes_files(const Program& program)
{
    return is_main(*program.commands.front()) || !program.default_command.empty();
}

/// Names of functions of the shell.
std::string function_of(std::string_view program)
{
    std::string name = '_' + std::string(program);
    std::ranges::replace_if(name, [](char c) { return c == ' ' || c == '-'; }, '_');
    return name;
}

std::string bash_completion(const Program& program)
{
    const auto verbs = verbs_of(program);
    const std::string name(program.name), function = function_of(name);
    const auto place = std::to_string(1 + std::ranges::count(name, ' '));
    std::vector<std::string> names;
    for (const auto& verb : verbs)
        if (!verb.text.name.empty()) names.emplace_back(verb.text.name);
    const auto all_names = joined(names, " ");
    std::string out = "# bash completion for " + name + "\n\n" + function + "()\n{\n";
    out += "    local verb=${COMP_WORDS[" + place +
           "]} prev=${COMP_WORDS[COMP_CWORD - 1]} cur=${COMP_WORDS[COMP_CWORD]}\n";
    out += "    local words='' options='' files=''\n    COMPREPLY=()\n";
    out += "    if [ \"$COMP_CWORD\" = " + place + " ]; then\n        verb=''" +
           (takes_files(program) ? " files=-f" : "") + " words=" + shell_word(all_names + " help --help --version") +
           "\n    fi\n    case $verb in\n";
    out += "        help) words=" + shell_word(all_names) + " ;;\n";
    for (const auto& verb : verbs) {
        if (verb.text.name.empty()) continue;
        const std::string verb_name(verb.text.name);
        const auto part = function + '_' + verb_name;
        out += "        " + verb_name + ")\n";
        if (verb.text.is_program) {
            out += "            declare -F " + part + " >/dev/null || source <(\"${COMP_WORDS[0]}\" " + verb_name +
                   " help --bash 2>/dev/null)\n            ! declare -F " + part + " >/dev/null || " + part +
                   "\n            return ;;\n";
            continue;
        }
        out += "            options=" + shell_word(option_names(program, verb)) + "\n            case $prev in\n";
        add_bash_values(out, verb);
        out += "            esac ;;\n";
    }
    if (const auto* const verb = verb_without_name(program, verbs)) {
        out += "        *)\n            options=" + shell_word(option_names(program, *verb)) +
               "\n            case $prev in\n";
        add_bash_values(out, *verb);
        out += "            esac ;;\n";
    }
    out += "    esac\n    [[ $cur != -* ]] || words=\"$words $options\"\n";
    out += "    [ -z \"$words\" ] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n";
    out += "    [ -n \"$words$files\" ] || files=-f\n";
    out += "    [ -z \"$files\" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen $files -- \"$cur\")\n";
    out += "    [[ ${COMPREPLY[0]} != *[:/=] ]] || compopt -o nospace 2>/dev/null\n}\n";
    if (place == "1") out += "\ncomplete -o filenames -F " + function + ' ' + name + '\n';
    return out;
}

/// In a specification of _arguments.
std::string zsh_text(std::string_view text)
{
    std::string safe;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
        safe += c;
    }
    return safe;
}

std::string zsh_option(const OptionRow& row)
{
    const auto names = names_of(row);
    std::string spec = row.repeatable ? "*" : "";
    const auto add = [&](const std::string& name) {
        std::string text = spec + name + '[' + zsh_text(row.help) + ']';
        if (!row.value.empty()) {
            text += ':' + zsh_text(row.value) + ':';
            text += !row.choices.empty() ? '(' + replaced(joined(row.choices, " "), ':', "\\:") + ')'
                    : is_file(row)       ? "_files"
                    : is_folder(row)     ? "_directories"
                                         : "";
        }
        return "            " + shell_word(text) + '\n';
    };
    std::string out;
    for (const auto& name : names) out += add(name);
    return out;
}

std::string zsh_arguments(const Program& program, const Verb& verb)
{
    std::string out = "_arguments -s \\\n";
    std::string specs;
    for (const auto& row : verb.rows) specs += zsh_option(row);
    for (const auto& row : every_option(program)) specs += zsh_option(row);
    specs += "            '*:file:_files'\n";
    return out + replaced(specs.substr(0, specs.size() - 1), '\n', " \\\n") + '\n';
}

std::string zsh_completion(const Program& program)
{
    const auto verbs = verbs_of(program);
    const std::string name(program.name), function = function_of(name);
    const bool is_verb = name.find(' ') != std::string::npos;  // of another program
    std::string out = (is_verb ? "" : "#compdef " + name + '\n') + "# zsh completion for " + name + "\n\n" + function +
                      "()\n{\n    local -a commands\n    commands=(\n";
    for (const auto& verb : verbs)
        if (!verb.text.name.empty())
            out += "        " + shell_word(std::string(verb.text.name) + ':' + zsh_text(verb.text.summary)) + '\n';
    out +=
        "        'help:show the help of a command'\n    )\n"
        "    if (( CURRENT == 2 )); then\n        _describe command commands\n" +
        std::string(takes_files(program) ? "        _files\n" : "") +
        "        return\n    fi\n"
        "    local verb=$words[2]\n"
        "    if (( $commands[(I)$verb:*] )); then\n        shift words\n        (( CURRENT-- ))\n    fi\n"
        "    case $verb in\n        help) _describe command commands ;;\n";
    for (const auto& verb : verbs) {
        if (verb.text.name.empty()) continue;
        const std::string verb_name(verb.text.name);
        const auto part = function + '_' + verb_name;
        out += "        " + verb_name + ")\n        ";
        out += verb.text.is_program ? "(( $+functions[" + part + "] )) || source <(" + name + ' ' + verb_name +
                                          " help --zsh 2>/dev/null)\n        " + part + '\n'
                                    : zsh_arguments(program, verb);
        out += "        ;;\n";
    }
    if (const auto* const verb = verb_without_name(program, verbs))
        out += "        *)\n        " + zsh_arguments(program, *verb) + "        ;;\n";
    return out + "    esac\n}\n" + (is_verb ? "" : '\n' + function + " \"$@\"\n");
}

// For tests/option_tables.py: names, verb, value, choices and help of every option, between tabs.

std::string option_list(const Program& program)
{
    std::string out;
    for (const auto& verb : verbs_of(program))
        for (const auto& row : verb.rows)
            out +=
                joined({row.name, std::string(verb.text.name), row.value, joined(row.choices, " "), row.help}, "\t") +
                '\n';
    return out;
}

struct Kind {
    std::string_view name;
    std::string (*make)(const Program& program);
};

constexpr std::array kinds{Kind{"--man", man_page}, Kind{"--bash", bash_completion}, Kind{"--zsh", zsh_completion},
                           Kind{"--options", option_list}};

}  // namespace

std::optional<std::string> shell_file(const Program& program, std::string_view kind)
{
    const auto found = std::ranges::find(kinds, kind, &Kind::name);
    return found == kinds.end() ? std::nullopt : std::optional(found->make(program));
}

}  // namespace ositrace::app
