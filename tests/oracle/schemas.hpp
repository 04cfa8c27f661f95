// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string_view>

#include <ositrace/schema.hpp>

#include "app/bench/naive/opponent.hpp"

namespace oracle {

/// The schema of every_kind.proto, compiled by us.
std::shared_ptr<const ositrace::Schema> every_kind_schema();
/// The generated conversions of one message of OSI or of every_kind.proto.
const opponent::Row& row_of(std::string_view full_name);

/// How many rounds a random test goes: `normal`, times the environment's OSITRACE_ORACLE_ROUNDS.
int rounds(int normal);

}  // namespace oracle
