// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "app/terminal/command.hpp"

namespace ositrace::app {

/// `osiplay TRACE`, without a verb.
[[nodiscard]] std::unique_ptr<Command> play_command();

/// `osiplay bench`, for the help.
[[nodiscard]] std::unique_ptr<Command> bench_command();
/// Is it `osiplay bench ...`?
[[nodiscard]] bool is_bench(int argc, char** argv);
/// Executes the program of the benchmarks with the arguments after `bench`; returns an exit code if there is none.
[[nodiscard]] int run_bench(int argc, char** argv);

}  // namespace ositrace::app
