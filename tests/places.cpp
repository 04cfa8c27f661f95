// SPDX-License-Identifier: MPL-2.0
#include "tests/places.hpp"

namespace ositrace::test {

std::filesystem::path source_folder() { return OSITRACE_SOURCE_DIR; }
std::filesystem::path shared_folder() { return OSITRACE_SHARED_DIR; }
std::filesystem::path schema_370() { return OSITRACE_TEST_SCHEMA_370; }
std::filesystem::path schema_380() { return OSITRACE_TEST_SCHEMA_380; }
std::filesystem::path program(std::string_view name)
{
    return std::filesystem::path(OSITRACE_BINARY_DIR) / "bin" / name;
}
std::filesystem::path model_folder() { return std::filesystem::path(OSITRACE_BINARY_DIR) / "tests/lib/fmu/models"; }

}  // namespace ositrace::test
