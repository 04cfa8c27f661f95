// SPDX-License-Identifier: MPL-2.0
// What a program installs for the shell, from the same rows as its help and its parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/terminal/command.hpp"

namespace ositrace::app {

/// For `--man`, `--bash` and `--zsh`: the man page, or the completions of that shell. nullopt: another word.
[[nodiscard]] std::optional<std::string> shell_file(const Program& program, std::string_view kind);

}  // namespace ositrace::app
