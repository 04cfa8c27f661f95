// SPDX-License-Identifier: MPL-2.0
// Where tests find things. In one source file, so that no other depends on where the checkout stands.
#pragma once

#include <filesystem>
#include <string_view>

namespace ositrace::test {

/// The top of the checkout.
[[nodiscard]] std::filesystem::path source_folder();
/// Traces and conformance cases beside the checkout; absent on a stranger's machine.
[[nodiscard]] std::filesystem::path shared_folder();
/// Descriptor sets of OSI releases, with comments; empty when they were not fetched.
[[nodiscard]] std::filesystem::path schema_370();
[[nodiscard]] std::filesystem::path schema_380();
/// A program of this build, such as osiconvert; it may not have been built.
[[nodiscard]] std::filesystem::path program(std::string_view name);
/// The FMUs of tests/lib/fmu, and what they are packed from.
[[nodiscard]] std::filesystem::path model_folder();

}  // namespace ositrace::test
