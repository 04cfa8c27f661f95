// SPDX-License-Identifier: MPL-2.0
#include <ositrace/equal_content.hpp>

#include <bit>
#include <string>

#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"

using namespace ositrace;

namespace {

const MessageTable& ground_truth() { return Schema::built_in()->root(MessageType::ground_truth); }

std::string message(std::string tag, const std::string& contents)
{
    return tag + static_cast<char>(contents.size()) + contents;
}

// Tags of GroundTruth: version 0a, timestamp 12, moving_object 2a, country_code 68, proj_string 72.
std::string timestamp(const std::string& contents) { return message("\x12", contents); }
std::string object(const std::string& contents) { return message("\x2a", contents); }
// MovingObject { base { position { x } } }
std::string at_x(double x)
{
    std::string bits(8, '\0');
    store(reinterpret_cast<std::byte*>(bits.data()), x);
    return object(message("\x12", message("\x12", "\x09" + bits)));
}

std::string difference(const std::string& a, const std::string& b)
{
    const auto found = first_difference({bytes_of(a), ground_truth(), {}}, {bytes_of(b), ground_truth(), {}});
    return found ? found->field + ": " + found->text : "";
}

}  // namespace

TEST_CASE("messages with the same fields are equal, in whatever order they stand on the wire")
{
    const auto a = timestamp("\x08\1\x10\2") + at_x(1) + at_x(2) + "\x68\3";
    const auto b = at_x(1) + "\x68\3" + at_x(2) + timestamp("\x10\2\x08\1");
    CHECK(difference(a, b).empty());
    CHECK(difference("", "").empty());
}

TEST_CASE("messages are equal across encodings")
{
    const auto a = timestamp("\x08\1\x10\2") + at_x(1) + at_x(2) + "\x68\3";
    for (const auto layout : {Layout::numbered, Layout::declared}) {
        const Format flat{Encoding::flatbuffers, layout};
        ByteBuffer b;
        Transcoder(ground_truth(), {}, flat).transcode(bytes_of(a), b);
        CHECK(equal_content({bytes_of(a), ground_truth(), {}}, {b.bytes(), ground_truth(), flat}));
        const auto other = a + at_x(3);
        const auto found = first_difference({b.bytes(), ground_truth(), flat}, {bytes_of(other), ground_truth(), {}});
        REQUIRE(found);
        CHECK(found->field == "moving_object");
        CHECK(found->text == "2 elements against 3");
    }
}

TEST_CASE("the first difference is named by its path")
{
    CHECK(difference(at_x(1) + at_x(1.5), at_x(1) + at_x(1.25)) ==
          "moving_object[1].base.position.x: 1.5 against 1.25");
    CHECK(difference(timestamp("\x08\1"), timestamp("\x08\2")) == "timestamp.seconds: 1 against 2");
    CHECK(difference("\x72\1a", "\x72\1b") == "proj_string: 'a' against 'b'");
    const auto longer = message("\x72", std::string(50, 'x') + "1");
    const auto other = message("\x72", std::string(50, 'x') + "2");
    CHECK(difference(longer, other) ==
          "proj_string: '" + std::string(40, 'x') + "...' against another '" + std::string(40, 'x') + "...'");
}

TEST_CASE("presence is content")
{
    CHECK(difference(timestamp({"\x08\0", 2}), timestamp("")) == "timestamp.seconds: set against not set");
    CHECK(difference(timestamp(""), "") == "timestamp: set against not set");
    CHECK(difference("", std::string("\x68\0", 2)) == "country_code: not set against set");
    CHECK(difference({"\x72\0", 2}, "") == "proj_string: set against not set");
}

TEST_CASE("the order of elements is content")
{
    CHECK(difference(at_x(1) + at_x(2), at_x(2) + at_x(1)) == "moving_object[0].base.position.x: 1 against 2");
}

TEST_CASE("numbers are compared by their bits")
{
    const auto nan = [](std::uint64_t payload) { return at_x(std::bit_cast<double>(0x7ff8'0000'0000'0000 | payload)); };
    CHECK(difference(nan(1), nan(1)).empty());
    CHECK(difference(nan(1), nan(2)) == "moving_object[0].base.position.x: nan against another nan");
    CHECK(difference(at_x(0.0), at_x(-0.0)) == "moving_object[0].base.position.x: 0 against -0");
}

TEST_CASE("fields that the schema does not know are not compared")
{
    CHECK(difference("\xf8\x7f\1", "\xf8\x7f\2").empty());
}
