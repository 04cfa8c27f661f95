// SPDX-License-Identifier: MPL-2.0
#include <set>
#include <string>

#include <ositrace/encoding.hpp>
#include <ositrace/message_type.hpp>

#include "tests/catch.hpp"

using namespace ositrace;

TEST_CASE("encodings and layouts are found by their names")
{
    for (const auto& row : encodings()) {
        CHECK(encoding_named(row.name) == row.encoding);
        CHECK(encoding_by_mcap_name(row.mcap_name) == row.encoding);
        CHECK(&row_of(row.encoding) == &row);
    }
    for (const auto layout : {Layout::numbered, Layout::declared}) CHECK(layout_named(name_of(layout)) == layout);
    CHECK(encoding_named("fbx") == std::nullopt);
    CHECK(encoding_by_mcap_name("flatbuffers") == std::nullopt);
    CHECK(layout_named("") == std::nullopt);
}

TEST_CASE("there are ten top-level types, found by code and by full name")
{
    REQUIRE(message_types().size() == 10);
    for (const auto& row : message_types()) {
        CHECK(&row_of(row.type) == &row);
        CHECK(message_type_by_code(row.code) == row.type);
        CHECK(message_type_by_full_name(row.full_name) == row.type);
        CHECK(row.full_name == "osi3." + std::string(row.name));
    }
    CHECK(message_type_by_code("xx") == std::nullopt);
    CHECK(message_type_by_full_name("SensorView") == std::nullopt);
}

TEST_CASE("file identifiers have four bytes and are all different")
{
    std::set<std::string_view> seen;
    for (const auto& row : message_types())
        for (const auto identifier : row.file_identifier) {
            CHECK(identifier.size() == 4);
            CHECK(seen.insert(identifier).second);
        }
}

TEST_CASE("file identifiers are frozen: files carry them")
{
    std::string all;
    for (const auto& row : message_types())
        all.append(row.file_identifier[0]).append(" ").append(row.file_identifier[1]).append(" ");
    CHECK(all ==
          "OSVN OSVD OSCN OSCD OGTN OGTD OHVN OHVD OSDN OSDD OTCN OTCD OCUN OCUD OTUN OTUD OMRN OMRD OSUN OSUD ");
}
