// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include "app/terminal/command.hpp"

namespace ositrace::app {

/// What the command line asks for.
struct Request {
    Command* command = nullptr;       ///< null: the program itself, whose help or version is wanted
    std::optional<std::string> text;  ///< to be printed instead of running
};

/// Reads the command line into the options of the verb that it names. Throws Error (usage) with one clear line;
/// `request.command` is set as soon as the verb is known. --quiet and --verbose, which every verb has, go to
/// `messages`.
void parse(Program& program, int argc, char** argv, Messages& messages, Request& request);

}  // namespace ositrace::app
