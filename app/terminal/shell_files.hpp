// SPDX-License-Identifier: MPL-2.0
// What a program installs for the shell, from the same rows as its help and its parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/terminal/command.hpp"

namespace ositrace::app {

/// For `--man`, `--bash` and `--zsh`: the man page, or the completions of that shell. For `--options`: what the pages
/// of docs/ and the Python package say of the options is made from (tests/option_tables.py). nullopt: another word.
[[nodiscard]] std::optional<std::string> shell_file(const Program& program, std::string_view kind);

}  // namespace ositrace::app
