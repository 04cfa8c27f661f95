// SPDX-License-Identifier: MPL-2.0
// Arguments that several functions take.
#pragma once

#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace::python {

/// `GroundTruth`, `osi3.GroundTruth` or `gt`. Throws Error (usage) with the known names.
[[nodiscard]] MessageType type_named(const std::string& name);

/// A descriptor set: a path or bytes; null for None.
[[nodiscard]] std::shared_ptr<const Schema> schema_of(nanobind::handle schema);

}  // namespace ositrace::python
