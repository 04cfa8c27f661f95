// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/terminal/command.hpp"

namespace ositrace::app {

/// What the command line requests.
struct Request {
    Command* command = nullptr;       ///< null: the help or version of the program
    std::optional<std::string> text;  ///< printed instead of running the command
};

/// Reads the command line into the options of the verb that it names. Throws Error (usage) with one clear line;
/// `request.command` is set as soon as the verb is known. Sets --quiet and --verbose, options of every verb, in
/// `messages`.
void parse(Program& program, int argc, char** argv, Messages& messages, Request& request);

/// What every verb of a program has beside its own options, without help_option().
void declare_messages(const Program& program, Options& options, Messages& messages);
[[nodiscard]] OptionRow help_option();
/// What a program has without a verb.
[[nodiscard]] OptionRow version_option();

/// Those that the program has.
[[nodiscard]] std::span<const std::pair<ExitCode, std::string_view>> exit_codes_of(const Program& program);

/// The help texts.
[[nodiscard]] std::string help_of(const Program& program);
[[nodiscard]] std::string help_of(const Program& program, const Command& command, const Options& options);

}  // namespace ositrace::app
