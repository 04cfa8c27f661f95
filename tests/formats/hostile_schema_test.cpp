// SPDX-License-Identifier: MPL-2.0
// Descriptor sets that nobody should write: refused with file, message and field, and in bounded time and memory.
// Small ones stand as files in tests/broken.
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/schema_text.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/formats/descriptors.hpp"
#include "tests/formats/every_kind.hpp"

using namespace ositrace;
using namespace by_hand;

namespace {

std::string refusal(const std::string& set)
{
    try {
        static_cast<void>(Schema::compile(bytes_of(set)));
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string in_one_file(const Message& content) { return Message().message(1, content).str(); }

Message many_fields(const char* name, std::uint32_t count)
{
    auto type = message_type(name);
    for (std::uint32_t i = 0; i != count; ++i) type.message(2, field("f" + std::to_string(i), i + 1, FieldKind::bool_));
    return type;
}

}  // namespace

TEST_CASE("more messages, fields or enum values than the limits are refused")
{
    auto messages = file("a.proto", "test");
    for (int i = 0; i != 20'001; ++i) messages.message(4, message_type("M" + std::to_string(i)));
    CHECK(refusal(in_one_file(messages)) == "schema a.proto: test: the number of messages exceeds the limit of 20000");

    auto fields = file("a.proto", "test");
    for (int i = 0; i != 7; ++i) fields.message(4, many_fields(("M" + std::to_string(i)).c_str(), 30'000));
    CHECK(refusal(in_one_file(fields)) ==
          "schema a.proto: test.M6: the number of fields and enum values exceeds the limit of 200000");

    CHECK(refusal(descriptor_set(many_fields("M", 32'766))) ==
          "schema test.proto: test.M: the number of fields exceeds the limit of 32765");

    auto values = enum_type("E");
    for (int i = 0; i != 200'001; ++i) values.message(2, enum_value("V" + std::to_string(i), i));
    CHECK(refusal(in_one_file(file("a.proto", "test").message(5, values))) ==
          "schema a.proto: test: the number of fields and enum values exceeds the limit of 200000");
}

TEST_CASE("messages declared 65 levels deep are refused, 64 are not")
{
    const auto nested = [](int levels) {
        auto type = message_type("M");
        for (int i = 0; i != levels; ++i) type = message_type("M").message(3, type);
        return descriptor_set(type);
    };
    CHECK(refusal(nested(64)).empty());
    CHECK(refusal(nested(65)).ends_with(": the nesting of declarations exceeds the limit of 64 levels"));
    CHECK_FALSE(refusal(nested(3000)).empty());
}

TEST_CASE("nested messages do not multiply a long name")
{
    auto outer = message_type(std::string(100'000, 'x'));
    for (int i = 0; i != 1000; ++i) outer.message(3, message_type("M" + std::to_string(i)));
    CHECK(refusal(descriptor_set(outer)) == "schema test.proto: test: a name exceeds the limit of 1000 bytes");
}

TEST_CASE("names that are no identifiers are refused and shown in short and on one line")
{
    CHECK(refusal(descriptor_set(message_type("a b"))) == "schema test.proto: test: 'a b' cannot be a name");
    CHECK(refusal(descriptor_set(message_type("1st"))) == "schema test.proto: test: '1st' cannot be a name");
    CHECK(refusal(descriptor_set(message_type("M", field("x\ny", 1, FieldKind::bool_)))) ==
          "schema test.proto: test.M: 'x?y' cannot be a name");
    CHECK(refusal(descriptor_set(message_type("M", field(std::string(5000, '-'), 1, FieldKind::bool_)))) ==
          "schema test.proto: test.M: '" + std::string(100, '-') + "...' cannot be a name");
    CHECK(refusal(in_one_file(file("a.proto", "a..b"))) == "schema a.proto: the file: 'a..b' cannot be a package");
    CHECK(refusal(in_one_file(file("a.proto", "a").message(5, enum_type("E", enum_value("", 0))))) ==
          "schema a.proto: a.E: '' cannot be a name");
}

TEST_CASE("a message and an enum cannot share a name, nor two fields, nor two values")
{
    const auto one = enum_value("A", 0);
    CHECK(refusal(in_one_file(file("a.proto", "a").message(4, message_type("M")).message(5, enum_type("M", one)))) ==
          "schema a.proto: a.M: declared twice");
    CHECK(
        refusal(descriptor_set(message_type("M", field("x", 1, FieldKind::bool_), field("x", 2, FieldKind::bool_)))) ==
        "schema test.proto: test.M: the field x is declared twice");
    CHECK(refusal(in_one_file(file("a.proto", "a").message(5, enum_type("E", one, enum_value("A", 1))))) ==
          "schema a.proto: a.E: the value A is declared twice");
}

TEST_CASE("a chain of 20 000 message types is no deep recursion")
{
    auto content = file("a.proto", "test");
    constexpr int length = 19'999;
    for (int i = 0; i != length; ++i)
        content.message(4, message_type("M" + std::to_string(i),
                                        field("next", 1, FieldKind::message, ".test.M" + std::to_string(i + 1))));
    content.message(4, message_type("M" + std::to_string(length), field("x", 1, FieldKind::bool_)));
    const auto schema = Schema::compile(bytes_of(in_one_file(content)));
    const auto& root = *schema->find("test.M0");
    ByteBuffer flat, back;
    Transcoder(root, {}, {Encoding::flatbuffers, Layout::numbered}).transcode(Message().text(1, "").bytes(), flat);
    Transcoder(root, {Encoding::flatbuffers, Layout::numbered}, {}).transcode(flat.bytes(), back);
    CHECK(text_of(back.bytes()) == Message().text(1, "").str());
}

TEST_CASE("placeholders for unused numbers do not fill the memory")
{
    auto content = file("a.proto", "test");
    for (int i = 0; i != 1000; ++i)
        content.message(4, message_type("M" + std::to_string(i), field("far", 32'765, FieldKind::bool_)));
    const auto schema = Schema::compile(bytes_of(in_one_file(content)));
    CHECK_THROWS_WITH(flatbuffers_schema(*schema),
                      "the number of fields, with placeholders for unused numbers, exceeds the limit of 1000000");
    CHECK_FALSE(flatbuffers_schema(*schema, {Layout::declared, std::nullopt}).empty());
}

TEST_CASE("thousands of names that differ in case only are refused")
{
    auto type = message_type("M");
    for (std::uint32_t i = 0; i != 4096; ++i) {
        std::string name(12, 'a');
        for (std::size_t bit = 0; bit != name.size(); ++bit)
            if ((i >> bit & 1) != 0) name[bit] = 'A';
        type.message(2, field(name, i + 1, FieldKind::bool_));
    }
    const auto schema = Schema::compile(bytes_of(descriptor_set(type)));
    CHECK_THROWS_WITH(flatbuffers_schema(*schema), "M has too many fields whose names differ in case only");
}

TEST_CASE("bytes that are no descriptor set are told so, with the byte counted from their start")
{
    CHECK(refusal(every_kind_descriptors().substr(0, 1000)) ==
          "byte 1: not a descriptor set: a length of 1500 bytes, found 997 before the end of the message");
    const auto cut_inside = descriptor_set(message_type("M").message(2, Message().text(1, "x").tag(3, 0)));
    CHECK(refusal(cut_inside) == "byte " + std::to_string(cut_inside.size()) +
                                     ": not a descriptor set: a varint that the end of the message cuts off");
    CHECK(refusal("") == "the descriptor set declares neither messages nor enums");
}
