// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "app/bench/core/bench_command.hpp"

namespace ositrace::bench {

[[nodiscard]] std::unique_ptr<app::Command> all_bench();
[[nodiscard]] std::unique_ptr<TraceBenchCommand> columns_bench();
[[nodiscard]] std::unique_ptr<TraceBenchCommand> convert_bench();
[[nodiscard]] std::unique_ptr<app::Command> cosim_bench();
[[nodiscard]] std::unique_ptr<app::Command> python_bench();
[[nodiscard]] std::unique_ptr<app::Command> replay_bench();
[[nodiscard]] std::unique_ptr<TraceBenchCommand> size_bench();
[[nodiscard]] std::unique_ptr<app::Command> structs_bench();

}  // namespace ositrace::bench
