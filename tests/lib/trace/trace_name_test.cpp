// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_name.hpp>

#include <catch2/catch.hpp>

#include "tests/lib/error_of.hpp"

using namespace ositrace;

TEST_CASE("an extension says container, encoding and compression")
{
    struct Row {
        std::string_view name, text, container;
        std::optional<Encoding> encoding;
        std::string_view compression;
    };
    const auto row = GENERATE(
        Row{"a.osi", ".osi", "length-prefixed", Encoding::protobuf, "none"},
        Row{"a.b.osifb", ".osifb", "length-prefixed", Encoding::flatbuffers, "none"},
        Row{"a.osi.zst", ".osi.zst", "length-prefixed", Encoding::protobuf, "zstd"},
        Row{"a.osifb.lz4", ".osifb.lz4", "length-prefixed", Encoding::flatbuffers, "lz4"},
        Row{"a.osi.gz", ".osi.gz", "length-prefixed", Encoding::protobuf, "gzip"},
        Row{"a.osi.xz", ".osi.xz", "length-prefixed", Encoding::protobuf, "xz"},
        Row{"a.osi.lzma", ".osi.lzma", "length-prefixed", Encoding::protobuf, "xz"},
        Row{"a.mcap", ".mcap", "mcap", std::nullopt, "none"}, Row{"a.txth", ".txth", "text", std::nullopt, "none"},
        Row{"a.jsonl", ".jsonl", "json-lines", std::nullopt, "none"});
    const auto found = trace_extension(row.name);
    REQUIRE(found);
    CHECK(found->text == row.text);
    CHECK(found->container == row.container);
    CHECK(found->encoding == row.encoding);
    CHECK(found->compression == row.compression);
}

TEST_CASE("other extensions say nothing")
{
    for (const auto* name : {"", "osi", "a.txt", "a.zst", "a.osi.bz2", "a.osi.zst.zst", "a.osi_"}) CHECK_FALSE(trace_extension(name));
}
