// SPDX-License-Identifier: MPL-2.0
// What libprotobuf's printers are not asked for in tests/oracle/text_test.cpp.
#include <bit>
#include <limits>
#include <string>

#include <ositrace/message_text.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/descriptors.hpp"
#include "tests/formats/every_kind.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

std::string json(const Message& message, const MessageTable& table = by_hand::every_kind())
{
    ByteBuffer out;
    static_cast<void>(append_json({message.bytes(), table, {}}, out));
    return std::string(text_of(out.bytes()));
}

std::string text(const Message& message, bool single_line = true, const MessageTable& table = by_hand::every_kind())
{
    ByteBuffer out;
    static_cast<void>(append_text_format({message.bytes(), table, {}}, out, {.single_line = single_line}));
    return std::string(text_of(out.bytes()));
}

std::string number(double value) { return text(Message().real(1, value)).substr(std::string_view("kind_1: ").size()); }
std::string number(float value)
{
    return text(Message().fixed32(2, std::bit_cast<std::uint32_t>(value))).substr(std::string_view("kind_2: ").size());
}

}  // namespace

TEST_CASE("numbers are the shortest that give the value back, written out where they are of everyday size")
{
    CHECK(number(0.0) == "0");
    CHECK(number(-0.0) == "-0");
    CHECK(number(0.1) == "0.1");
    CHECK(number(100000.0) == "100000");
    CHECK(number(123456789012345.0) == "123456789012345");
    CHECK(number(1e15) == "1e+15");
    CHECK(number(0.0001) == "0.0001");
    CHECK(number(0.00001) == "1e-05");
    CHECK(number(0.30000000000000004) == "0.30000000000000004");
    CHECK(number(std::numeric_limits<double>::denorm_min()) == "5e-324");
    CHECK(number(0.1f) == "0.1");
    CHECK(number(16777216.0f) == "16777216");
    CHECK(number(std::numeric_limits<float>::max()) == "3.4028235e+38");
}

TEST_CASE("numbers that are none are words, in JSON strings")
{
    const auto infinity = std::numeric_limits<double>::infinity();
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(number(infinity) == "inf");
    CHECK(number(-infinity) == "-inf");
    CHECK(number(nan) == "nan");
    CHECK(json(Message().real(1, -0.0)) == R"({"kind_1":-0.0})");
    CHECK(json(Message().real(21, nan).real(21, infinity).real(21, -infinity)) ==
          R"({"repeated_kind_1":["NaN","Infinity","-Infinity"]})");
}

TEST_CASE("64-bit integers are strings in JSON, 32-bit ones numbers")
{
    CHECK(json(Message()
                   .varint(3, ~std::uint64_t{0})
                   .varint(4, ~std::uint64_t{0})
                   .varint(5, ~std::uint64_t{0})
                   .varint(13, 0xffffffff)) ==
          R"({"kind_3":"-1","kind_4":"18446744073709551615","kind_5":-1,"kind_13":4294967295})");
}

TEST_CASE("an enum number without a name stays a number")
{
    CHECK(json(Message().varint(10, 77)) == R"({"kind_10":77})");
    CHECK(text(Message().varint(10, 77)) == "kind_10: 77");
}

TEST_CASE("strings are escaped")
{
    const std::string raw("a\"\\\n\t\x01\x7f'\xc3\x9f", 10);
    CHECK(text(Message().text(9, raw)) == R"(kind_9: "a\"\\\n\t\001\177\'\303\237")");
    CHECK(json(Message().text(9, raw)) == "{\"kind_9\":\"a\\\"\\\\\\n\\t\\u0001\\u007f'\xc3\x9f\"}");
}

TEST_CASE("a string that is no UTF-8 is an error in JSON that names the field")
{
    for (const auto* bad : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"}) {
        const auto message = Message().text(9, bad);
        CHECK(error_of([&] { return json(message); }).starts_with("kind_9: the string is not UTF-8: byte 0x"));
        CHECK(!text(message).empty());
    }
}

TEST_CASE("bytes are base64 in JSON")
{
    const auto of = [](std::string_view bytes) { return json(Message().text(12, bytes)); };
    CHECK(of("") == R"({"kind_12":""})");
    CHECK(of("a") == R"({"kind_12":"YQ=="})");
    CHECK(of("ab") == R"({"kind_12":"YWI="})");
    CHECK(of("abc") == R"({"kind_12":"YWJj"})");
    CHECK(of("\xff\xfe\xfd") == R"({"kind_12":"//79"})");
}

TEST_CASE("unknown fields are counted on every level")
{
    const auto message = Message().varint(5, 1).varint(9999, 1).message(19, Message().varint(9999, 1).varint(9998, 1));
    ByteBuffer out;
    const MessageView view(message.bytes(), by_hand::every_kind(), {});
    CHECK(append_json(view, out).unknown_fields == 3);
    CHECK(append_text_format(view, out).unknown_fields == 3);
}

TEST_CASE("an error in a nested message names its path")
{
    const auto message = Message().message(39, Message()).message(39, Message().message(19, Message().text(9, "\xff")));
    CHECK(error_of([&] { return json(message); }).starts_with("many_itself[1].itself.kind_9: "));
}

TEST_CASE("an empty message is empty text and an empty object")
{
    CHECK(text(Message()).empty());
    CHECK(text(Message(), false).empty());
    CHECK(json(Message()) == "{}");
    CHECK(text(Message().message(19, Message())) == "itself { }");
    CHECK(text(Message().message(19, Message()), false) == "itself {\n}\n");
}

TEST_CASE("a map is an object")
{
    using by_hand::field;
    auto entry =
        by_hand::message_type("PairsEntry", field("key", 1, FieldKind::int64), field("value", 2, FieldKind::string));
    entry.message(7, Message().varint(7, 1));
    auto type =
        by_hand::message_type("Root", by_hand::repeated_field("pairs", 1, FieldKind::message, ".test.Root.PairsEntry"));
    type.message(3, entry);
    const auto schema = Schema::compile(bytes_of(by_hand::descriptor_set(type)));
    const auto message =
        Message().message(1, Message().varint(1, 7).text(2, "a")).message(1, Message().varint(1, 8).text(2, "b"));
    CHECK(json(message, *schema->find("test.Root")) == R"({"pairs":{"7":"a","8":"b"}})");
    CHECK(text(message, true, *schema->find("test.Root")) ==
          R"(pairs { key: 7 value: "a" } pairs { key: 8 value: "b" })");
}
