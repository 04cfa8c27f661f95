// SPDX-License-Identifier: MPL-2.0
// What speaks for a table and what against it. recognize_test.cpp tells the types apart by it.
#include "formats/recognize/evidence.hpp"
#include "tests/catch.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

const MessageTable& truth_table() { return Schema::built_in()->root(MessageType::ground_truth); }

std::uint32_t number_of(const MessageTable& table, std::string_view field) { return table.find(field)->number; }
std::uint32_t truth_number(std::string_view field) { return number_of(truth_table(), field); }
std::uint32_t object_number(std::string_view field)
{
    return number_of(*truth_table().find("moving_object")->child, field);
}

Message truth_with_object(const Message& object)
{
    return Message()
        .message(truth_number("version"), Message().varint(1, 3))
        .message(truth_number("moving_object"), object);
}

Evidence evidence_in(const Message& message) { return explain(message.bytes(), truth_table()); }

}  // namespace

TEST_CASE("known fields speak for a table, no fields do not")
{
    const auto known = evidence_in(truth_with_object(Message().varint(object_number("type"), 2)));
    CHECK(known.fits());
    CHECK(known.cost() == 0);
    CHECK(known.contradiction.empty());
    const auto nothing = evidence_in({});
    CHECK_FALSE(nothing.contradicted);
    CHECK_FALSE(nothing.fits());
    CHECK_FALSE(nothing.fits_if_stated());
}

TEST_CASE("unknown fields speak against a table, but not those that are left to users")
{
    const auto with = [](std::uint32_t number) { return evidence_in(Message().varint(number, 1)); };
    CHECK(with(first_extension_field - 1).unexplained == 4);  // a tag of three bytes and the value
    CHECK(with(first_extension_field).unexplained == 0);
    const auto outweighed =
        evidence_in(Message().message(truth_number("version"), Message().varint(1, 3)).text(9'999, "123456789"));
    CHECK_FALSE(outweighed.contradicted);
    CHECK_FALSE(outweighed.fits());
}

TEST_CASE("a contradiction is named by the path of its field and what is wrong there")
{
    const auto id = object_number("id");
    CHECK(evidence_in(truth_with_object(Message().varint(id, 1))).contradiction ==
          "moving_object.id: wire type 0, expected 2");
    CHECK(evidence_in(truth_with_object(Message().message(id, Message().text(1, "a")))).contradiction ==
          "moving_object.id.value: wire type 2, expected 0");
    const auto cut = evidence_in(truth_with_object(Message().tag(id, 2).raw_varint(5).raw("a")));
    CHECK(cut.contradiction == "moving_object: a value runs beyond the end of its message");
    CHECK_FALSE(cut.fits());
    CHECK_FALSE(cut.fits_if_stated());
}

TEST_CASE("what parses and no writer writes is an oddity")
{
    const auto type = object_number("type");
    CHECK(evidence_in(truth_with_object(Message().varint(type, 2).varint(type, 2))).oddities == 1);
    const auto nameless = evidence_in(truth_with_object(Message().varint(type, 99)));
    CHECK(nameless.oddities == 1);
    CHECK(nameless.cost() == 8);
    CHECK(nameless.fits());
    const auto repeated =
        Message().message(truth_number("moving_object"), {}).message(truth_number("moving_object"), {});
    CHECK(evidence_in(repeated).oddities == 0);
}

TEST_CASE("a string that is not text speaks against a table that is not stated")
{
    const auto strange = evidence_in(Message().text(truth_number("proj_string"), "\x01\x02\x03"));
    CHECK(strange.no_text == 3);
    CHECK_FALSE(strange.fits());
    CHECK(strange.fits_if_stated());
    CHECK(evidence_in(Message().text(truth_number("proj_string"), "+proj=utm")).fits());
}

TEST_CASE("a message may be cut short at every byte")
{
    const auto object =
        Message().message(object_number("id"), Message().varint(1, 300)).varint(object_number("type"), 2);
    const auto whole = truth_with_object(object).text(truth_number("proj_string"), "\u00e4\u20ac");
    for (std::size_t length = 0; length != whole.bytes().size(); ++length) {
        CAPTURE(length);
        const auto cut = explain(whole.bytes().first(length), truth_table(), true);
        CHECK(cut.contradiction.empty());
        CHECK(cut.no_text == 0);
    }
    CHECK(explain(whole.bytes(), truth_table()).fits());
    CHECK(explain(whole.bytes().first(whole.bytes().size() - 1), truth_table()).contradicted);
}

TEST_CASE("text is UTF-8 without control characters, of which the last may be cut")
{
    const auto is_text = [](std::string_view text) { return looks_like_text(bytes_of(text)); };
    const auto begins_as_text = [](std::string_view text) { return looks_like_text(bytes_of(text), true); };
    CHECK(is_text(""));
    CHECK(is_text("a\tb\r\n\u00e4\u20ac\U0001f600"));
    CHECK_FALSE(is_text("a\x07"));
    CHECK_FALSE(is_text(std::string_view("a\0", 2)));
    CHECK_FALSE(is_text("\xc0\xaf"));  // overlong
    CHECK_FALSE(is_text("\xf5\x80\x80\x80"));
    CHECK_FALSE(is_text("\x80"));
    CHECK_FALSE(begins_as_text("\xc3("));
    for (const std::string_view cut : {"\xc3", "\xe2\x82", "\xf0\x9f\x98"}) {
        CHECK_FALSE(is_text(cut));
        CHECK(begins_as_text(cut));
    }
}
