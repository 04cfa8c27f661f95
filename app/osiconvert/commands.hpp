// SPDX-License-Identifier: MPL-2.0
// The verbs of osiconvert; each file creates its own. A new verb is a declaration and a row.
#pragma once

#include <array>
#include <memory>

#include <ositrace/traffic_table.hpp>

#include "app/terminal/command.hpp"

namespace ositrace::app {

[[nodiscard]] std::unique_ptr<Command> proto2flat_command();
[[nodiscard]] std::unique_ptr<Command> flat2proto_command();
[[nodiscard]] std::unique_ptr<Command> convert_command();
[[nodiscard]] std::unique_ptr<Command> info_command();
[[nodiscard]] std::unique_ptr<Command> stats_command();
[[nodiscard]] std::unique_ptr<Command> cat_command();
[[nodiscard]] std::unique_ptr<Command> cut_command();
[[nodiscard]] std::unique_ptr<Command> concat_command();
[[nodiscard]] std::unique_ptr<Command> split_command();
[[nodiscard]] std::unique_ptr<Command> extract_command();
[[nodiscard]] std::unique_ptr<Command> edit_command();
[[nodiscard]] std::unique_ptr<Command> resample_command();
[[nodiscard]] std::unique_ptr<Command> static_command();
[[nodiscard]] std::unique_ptr<Command> wrap_command();
[[nodiscard]] std::unique_ptr<Command> rename_command();
[[nodiscard]] std::unique_ptr<Command> diff_command();
[[nodiscard]] std::unique_ptr<Command> check_command();
[[nodiscard]] std::unique_ptr<Command> recover_command();
[[nodiscard]] std::unique_ptr<Command> catalog_command();
[[nodiscard]] std::unique_ptr<Command> schema_command();
[[nodiscard]] std::unique_ptr<Command> generate_command();

/// One verb for each of traffic_tables().
[[nodiscard]] std::unique_ptr<Command> table_command(const TrafficTableRow& table);

/// In the order of the help.
inline constexpr std::array verbs{
    proto2flat_command, flat2proto_command, convert_command, info_command,    stats_command, cat_command,
    cut_command,        concat_command,     split_command,   extract_command, edit_command,  resample_command,
    static_command,     wrap_command,       rename_command,  diff_command,    check_command, recover_command,
    catalog_command,    schema_command,     generate_command};

}  // namespace ositrace::app
