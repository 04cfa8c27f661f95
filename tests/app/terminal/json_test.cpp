// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/json.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

using ositrace::app::JsonWriter;

namespace {

std::string string_value(std::string_view text) { return JsonWriter().value(text).text(); }

}  // namespace

TEST_CASE("objects and arrays nest, indented by two")
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    json.begin_object().member("path", "a.osi").end_object();
    json.begin_object().end_object();
    json.end_array().key("none").begin_array().end_array().end_object();
    CHECK(json.text() == R"({
  "format": 1,
  "files": [
    {
      "path": "a.osi"
    },
    {}
  ],
  "none": []
}
)");
}

TEST_CASE("strings are escaped, and bytes that are no UTF-8 become the replacement character")
{
    CHECK(string_value("a\"b\\c\nd\te\x01\x7f") == "\"a\\\"b\\\\c\\nd\\te\\u0001\\u007f\"\n");
    CHECK(string_value("h\xc3\xb6he \xf0\x9f\x9a\x97") == "\"h\xc3\xb6he \xf0\x9f\x9a\x97\"\n");
    CHECK(string_value("\xff") == "\"\xef\xbf\xbd\"\n");
    CHECK(string_value("\xc0\x80") == "\"\xef\xbf\xbd\xef\xbf\xbd\"\n");                  // overlong
    CHECK(string_value("\xed\xa0\x80") == "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n");  // surrogate
    CHECK(string_value("\xe2\x82") == "\"\xef\xbf\xbd\xef\xbf\xbd\"\n");                  // cut short
}

TEST_CASE("numbers keep their value, nanoseconds are decimal strings, what is no number is null")
{
    CHECK(JsonWriter().value(std::uint64_t{18446744073709551615u}).text() == "18446744073709551615\n");
    CHECK(JsonWriter().value(0.1).text() == "0.1\n");
    CHECK(JsonWriter().value(std::numeric_limits<double>::quiet_NaN()).text() == "null\n");
    CHECK(JsonWriter().nanoseconds(-1'500'000'000).text() == "\"-1500000000\"\n");
}

TEST_CASE("a member without a value is null")
{
    JsonWriter json;
    json.begin_object()
        .member("rate_hz", std::optional<double>())
        .member("frames", std::optional<std::uint64_t>(7))
        .end_object();
    CHECK(json.text() == "{\n  \"rate_hz\": null,\n  \"frames\": 7\n}\n");
}

TEST_CASE("a document that is printed piece by piece is the one that is returned as a whole")
{
    const auto write = [](JsonWriter& json) {
        json.begin_array();
        for (std::uint64_t i = 0; i != 20'000; ++i) json.begin_object().member("number", i).end_object();
        json.end_array();
    };
    JsonWriter whole;
    write(whole);
    std::string printed;
    std::size_t largest = 0;
    JsonWriter pieces([&](std::string_view piece) {
        printed += piece;
        largest = std::max(largest, piece.size());
    });
    write(pieces);
    pieces.print_end();
    CHECK(printed == whole.text());
    CHECK(largest < 100'000);
}
