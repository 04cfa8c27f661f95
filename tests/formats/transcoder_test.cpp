// SPDX-License-Identifier: MPL-2.0
// What the transcoder keeps, fact by fact, in both directions, with fast paths and without, in both layouts.
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/transcode/payload_reader.hpp"
#include "tests/catch.hpp"
#include "tests/formats/every_kind.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::every_kind;
using by_hand::Message;

namespace {

constexpr Format protobuf{};
constexpr Format numbered{Encoding::flatbuffers, Layout::numbered};
constexpr Format declared{Encoding::flatbuffers, Layout::declared};

// Fields of test.EveryKind: the kind's number; see every_kind.hpp.
constexpr std::uint32_t double_field = 1, int64_field = 3, int32_field = 5, bool_field = 8, string_field = 9,
                        enum_field = 10, leaf_field = 11, bytes_field = 12, uint32_field = 13, sint32_field = 17,
                        sint64_field = 18, itself = 19, doubles = 21, int32s = 25, strings = 29, leaves = 31,
                        many_itself = 39, packed_doubles = 41, packed_int32s = 45, far_away = 300;

std::string transcoded(const MessageTable& root, Format from, Format to, std::string_view in,
                       TranscodeOptions options = {})
{
    ByteBuffer out;
    Transcoder(root, from, to, options).transcode(bytes_of(in), out);
    return std::string(text_of(out.bytes()));
}

/// There and back in every way; the ways must agree.
std::string round_trip(const Message& message)
{
    std::string result;
    for (const auto flat : {numbered, declared})
        for (const bool shapes : {true, false}) {
            const auto there = transcoded(every_kind(), protobuf, flat, message.str(), {.shapes = shapes});
            const auto back = transcoded(every_kind(), flat, protobuf, there, {.shapes = shapes});
            if (result.empty()) result = back;
            CHECK(back == result);
        }
    return result;
}

bool survives(const Message& message) { return round_trip(message) == message.str(); }

std::string error_of(const MessageTable& root, Format from, Format to, std::string_view in,
                     TranscodeOptions options = {})
{
    try {
        transcoded(root, from, to, in, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("an empty message stays one")
{
    CHECK(round_trip(Message()).empty());
    CHECK(transcoded(every_kind(), protobuf, numbered, "").size() == 20);
}

TEST_CASE("explicit zeros of every kind survive, unset fields stay unset")
{
    CHECK(survives(Message().real(double_field, 0)));
    CHECK(survives(Message().fixed32(2, 0)));
    for (const std::uint32_t number : {3, 4, 5, 8, 10, 13, 17, 18}) CHECK(survives(Message().varint(number, 0)));
    CHECK(survives(Message().fixed64(6, 0).fixed32(7, 0).fixed32(15, 0).fixed64(16, 0)));
    CHECK(survives(Message().text(string_field, "").text(bytes_field, "")));
    CHECK(survives(Message().text(leaf_field, "").text(itself, "")));
}

TEST_CASE("values at the ends of their ranges survive")
{
    constexpr auto all = ~std::uint64_t{0};
    CHECK(survives(Message().varint(int64_field, all).varint(4, all).varint(int32_field, all)));
    CHECK(survives(Message().varint(int64_field, std::uint64_t{1} << 63).varint(uint32_field, 0xffff'ffff)));
    CHECK(survives(Message().varint(int32_field, 0x7fff'ffff).fixed64(6, all).fixed32(7, 0xffff'ffff)));
    CHECK(survives(Message().varint(sint32_field, 0xffff'ffff).varint(sint64_field, all)));
}

TEST_CASE("NaN payloads, signed zeros, infinities and denormals keep their bits")
{
    for (const std::uint64_t bits : {0x7ff8'0000'0000'0000ull, 0xfff0'0000'dead'beefull, 0x7ff0'0000'0000'0001ull,
                                     0x8000'0000'0000'0000ull, 0x7ff0'0000'0000'0000ull, 0x0000'0000'0000'0001ull}) {
        CHECK(survives(Message().fixed64(double_field, bits)));
        CHECK(survives(Message().message(leaves, Message().fixed64(1, bits).fixed64(2, ~bits).fixed64(3, bits))));
    }
    for (const std::uint32_t bits : {0x7fc0'0000u, 0xff80'beefu, 0x8000'0000u, 0x0000'0001u})
        CHECK(survives(Message().fixed32(2, bits)));
}

TEST_CASE("enum values that the schema does not know survive")
{
    CHECK(survives(Message().varint(enum_field, 77)));
    CHECK(survives(Message().varint(enum_field, static_cast<std::uint64_t>(-5))));
    CHECK(survives(Message().varint(34, 0).varint(34, 77)));
}

TEST_CASE("a bool that is not 0 is 1, an int32 keeps its lower half, as libprotobuf reads them")
{
    CHECK(round_trip(Message().varint(bool_field, 300)) == Message().varint(bool_field, 1).str());
    CHECK(round_trip(Message().varint(int32_field, 0x1'0000'0007)) == Message().varint(int32_field, 7).str());
    CHECK(round_trip(Message().varint(int32_field, 0xffff'ffff)) ==
          Message().varint(int32_field, ~std::uint64_t{0}).str());
}

TEST_CASE("strings and bytes are kept byte by byte, zeros and broken UTF-8 included")
{
    CHECK(survives(Message().text(string_field, std::string("a\0b", 3)).text(bytes_field, std::string("\0\xff", 2))));
    CHECK(survives(Message().text(string_field, "\xc3\x28\xff")));
    CHECK(survives(Message().text(strings, "a").text(strings, "").text(strings, std::string(1000, 'x'))));
    CHECK(survives(Message().text(32, std::string("\0", 1)).text(32, "")));
}

TEST_CASE("elements keep their order, scalars and messages alike")
{
    CHECK(survives(Message().varint(int32s, 3).varint(int32s, 1).varint(int32s, 2)));
    CHECK(survives(Message().real(doubles, 3).real(doubles, 1)));
    Message message;
    for (int i = 0; i != 100; ++i) message.message(leaves, Message().real(1, i * 37 % 100));
    CHECK(survives(message));
}

TEST_CASE("fields out of order come back in order, elements of interleaved fields in theirs")
{
    const auto mixed =
        Message().varint(int32s, 1).text(strings, "a").varint(int32s, 2).text(strings, "b").varint(bool_field, 1);
    CHECK(round_trip(mixed) == Message()
                                   .varint(bool_field, 1)
                                   .varint(int32s, 1)
                                   .varint(int32s, 2)
                                   .text(strings, "a")
                                   .text(strings, "b")
                                   .str());
}

TEST_CASE("of a scalar or string that occurs twice the last counts")
{
    CHECK(round_trip(
              Message().varint(bool_field, 0).text(string_field, "a").varint(bool_field, 1).text(string_field, "b")) ==
          Message().varint(bool_field, 1).text(string_field, "b").str());
}

TEST_CASE("a submessage that occurs twice is merged, deeply")
{
    const auto first = Message()
                           .varint(bool_field, 1)
                           .varint(int32s, 1)
                           .message(itself, Message().varint(uint32_field, 1).varint(int32_field, 9));
    const auto second =
        Message().varint(int32s, 2).message(itself, Message().varint(uint32_field, 2)).varint(bool_field, 0);
    const auto merged = Message()
                            .varint(bool_field, 0)
                            .message(itself, Message().varint(int32_field, 9).varint(uint32_field, 2))
                            .varint(int32s, 1)
                            .varint(int32s, 2);
    CHECK(round_trip(Message().message(itself, first).varint(bool_field, 1).message(itself, second)) ==
          Message().varint(bool_field, 1).message(itself, merged).str());
}

TEST_CASE("each piece of a split submessage must be whole by itself")
{
    const auto cut = Message().text(itself, "\x40").text(itself, "\x01");
    CHECK(error_of(every_kind(), protobuf, numbered, cut.str()) ==
          "byte 3: itself: a varint that the end of the message cuts off");
}

TEST_CASE("elements of a repeated message are not merged")
{
    CHECK(survives(Message()
                       .message(many_itself, Message().varint(int32_field, 1))
                       .message(many_itself, Message().varint(uint32_field, 2))));
}

TEST_CASE("packed and unpacked are read for both, and written as declared")
{
    const std::string three("\x01\x02\x83\x01", 4);
    const auto unpacked = [](std::uint32_t number) {
        return Message().varint(number, 1).varint(number, 2).varint(number, 131);
    };
    CHECK(round_trip(Message().text(int32s, three)) == unpacked(int32s).str());
    CHECK(round_trip(unpacked(packed_int32s)) == Message().text(packed_int32s, three).str());
    CHECK(round_trip(Message().varint(int32s, 1).text(int32s, three.substr(1)).text(int32s, "")) ==
          unpacked(int32s).str());
    CHECK(survives(Message().text(packed_doubles, std::string(24, 'd'))));
}

TEST_CASE("an empty packed list is no element")
{
    CHECK(round_trip(Message().text(packed_int32s, "").text(int32s, "")).empty());
    CHECK(transcoded(every_kind(), protobuf, numbered, Message().text(packed_int32s, "").str()) ==
          transcoded(every_kind(), protobuf, numbered, ""));
}

TEST_CASE("packed lists that end in the middle of an element are broken")
{
    CHECK(error_of(every_kind(), protobuf, numbered, Message().text(packed_doubles, "1234567").str()) ==
          "byte 3: packed_kind_1[0]: a packed list of 7 bytes, expected a multiple of 8");
    CHECK(error_of(every_kind(), protobuf, numbered,
                   Message().varint(packed_int32s, 1).text(packed_int32s, "\x01\x80").str()) ==
          "byte 7: packed_kind_5[1]: broken varint in a packed list");
}

TEST_CASE("unknown fields are counted, of every wire type, and refused when strict")
{
    const auto message = Message()
                             .varint(777, 1)
                             .fixed64(778, 1)
                             .text(779, "x")
                             .fixed32(780, 1)
                             .tag(781, 3)
                             .varint(1, 1)
                             .tag(781, 4)
                             .message(itself, Message().varint(777, 1))
                             .varint(uint32_field, 5);
    Transcoder transcoder(every_kind(), protobuf, numbered);
    ByteBuffer out;
    for (const std::uint64_t expected : {6, 12, 18}) {
        transcoder.transcode(message.bytes(), out);
        CHECK(transcoder.dropped_unknown_fields() == expected);
    }
    CHECK(error_of(every_kind(), protobuf, numbered, message.str(), {.strict = true}) ==
          "byte 0: field 777 with wire type 0 is unknown to the schema and has no place in a FlatBuffer");
    CHECK(error_of(every_kind(), protobuf, numbered,
                   Message().message(itself, Message().varint(8, 1).text(777, "")).str(), {.strict = true}) ==
          "byte 5: itself: field 777 with wire type 2 is unknown to the schema and has no place in a FlatBuffer");
}

TEST_CASE("a known field with another wire type is unknown, as in libprotobuf")
{
    Transcoder transcoder(every_kind(), protobuf, numbered);
    ByteBuffer out;
    transcoder.transcode(Message()
                             .varint(double_field, 1)
                             .fixed32(string_field, 1)
                             .varint(leaf_field, 1)
                             .text(uint32_field, "\x01")
                             .bytes(),
                         out);
    CHECK(transcoder.dropped_unknown_fields() == 4);
    CHECK(text_of(out.bytes()) == transcoded(every_kind(), protobuf, numbered, ""));
}

TEST_CASE("slots that the schema does not know are counted on the way back, and refused when strict")
{
    const auto& leaf = *by_hand::every_kind_schema().find("test.Leaf");
    const auto rich =
        transcoded(every_kind(), protobuf, numbered, Message().varint(int32_field, 7).varint(bool_field, 1).str());
    Transcoder transcoder(leaf, numbered, protobuf);
    ByteBuffer out;
    transcoder.transcode(bytes_of(rich), out);  // number 5 is n, number 8 is none
    CHECK(text_of(out.bytes()) == Message().varint(5, 7).str());
    CHECK(transcoder.dropped_unknown_fields() == 1);
    CHECK(error_of(leaf, numbered, protobuf, rich, {.strict = true})
              .ends_with("a table has fields that the schema does not know"));
}

TEST_CASE("the output does not depend on what was converted before, fast or slow")
{
    std::vector<std::string> messages;
    for (int i = 0; i != 40; ++i) {
        Message message;
        for (int n = 0; n != i % 7; ++n) {
            auto element = Message()
                               .varint(int32_field, static_cast<std::uint64_t>(i))
                               .text(string_field, std::string(static_cast<std::size_t>(n % 3), 'x'));
            if (n % 2 != 0) element.message(leaf_field, Message().real(1, i).real(2, n).real(3, 1));
            message.message(many_itself, element).message(leaves, Message().real(1, n).real(3, i));
        }
        messages.push_back(message.varint(far_away, static_cast<std::uint64_t>(i % 3)).str());
    }
    for (const auto flat : {numbered, declared}) {
        Transcoder used(every_kind(), protobuf, flat), used_back(every_kind(), flat, protobuf);
        ByteBuffer there, back;
        for (int round = 0; round != 3; ++round)
            for (const auto& message : messages) {
                used.transcode(bytes_of(message), there);
                CHECK(text_of(there.bytes()) == transcoded(every_kind(), protobuf, flat, message, {.shapes = false}));
                used_back.transcode(there.bytes(), back);
                CHECK(text_of(back.bytes()) ==
                      transcoded(every_kind(), flat, protobuf, text_of(there.bytes()), {.shapes = false}));
            }
    }
}

TEST_CASE("a transcoder works on after an error")
{
    Transcoder there(every_kind(), protobuf, numbered);
    ByteBuffer out;
    Message message;
    for (int i = 0; i != 5; ++i)
        message.message(many_itself, Message().varint(int32_field, 1).message(leaf_field, Message().real(1, 2)));
    const auto expected = transcoded(every_kind(), protobuf, numbered, message.str());
    for (std::size_t cut = 1; cut != message.str().size(); ++cut) {
        try {
            there.transcode(message.bytes().first(cut), out);
        } catch (const Error&) {
        }
        there.transcode(message.bytes(), out);
        CHECK(text_of(out.bytes()) == expected);
    }
}

TEST_CASE("the layouts differ, and one changes into the other without loss")
{
    const auto message =
        Message().varint(far_away, 1).varint(bool_field, 1).message(itself, Message().varint(int32s, 1)).str();
    const auto by_number = transcoded(every_kind(), protobuf, numbered, message);
    const auto by_place = transcoded(every_kind(), protobuf, declared, message);
    CHECK(by_number != by_place);
    CHECK(transcoded(every_kind(), numbered, declared, by_number) == by_place);
    CHECK(transcoded(every_kind(), declared, numbered, by_place) == by_number);
}

TEST_CASE("equal encodings are refused, a change of layout is not")
{
    const std::string same = "both sides have the same encoding: there is nothing to transcode";
    CHECK_THROWS_WITH(Transcoder(every_kind(), protobuf, protobuf), same);
    CHECK_THROWS_WITH(Transcoder(every_kind(), numbered, numbered), same);
    CHECK_NOTHROW(Transcoder(every_kind(), numbered, declared));
}

TEST_CASE("a payload carries its type's identifier, is aligned from its first byte and ends with it")
{
    const auto schema = Schema::built_in();
    for (const auto& type : message_types())
        for (const auto layout : {Layout::numbered, Layout::declared}) {
            const auto flat = transcoded(schema->root(type.type), protobuf, {Encoding::flatbuffers, layout}, "");
            CHECK(flat.substr(4, 4) == type.file_identifier[static_cast<std::size_t>(layout)]);
            CHECK(load_le32(bytes_of(flat).data()) % 8 == 0);
        }
    CHECK(transcoded(every_kind(), protobuf, numbered, "").substr(4, 4) == std::string(4, '\0'));
}

TEST_CASE("a FlatBuffer that says it is of another type or layout is refused, one that says nothing is not")
{
    const auto schema = Schema::built_in();
    const auto& truth = schema->root(MessageType::ground_truth);
    const auto& view = schema->root(MessageType::sensor_view);
    auto flat = transcoded(truth, protobuf, numbered, "");
    CHECK(error_of(view, numbered, protobuf, flat) ==
          "byte 4: the file identifier 'OGTN' says GroundTruth in layout numbered, expected SensorView in layout "
          "numbered");
    CHECK(error_of(truth, declared, protobuf, flat) ==
          "byte 4: the file identifier 'OGTN' says GroundTruth in layout numbered, expected GroundTruth in layout "
          "declared");
    flat.replace(4, 4, 4, '\0');
    CHECK(error_of(view, numbered, protobuf, flat).empty());
}

TEST_CASE("an error names byte and field, with the place of elements")
{
    const auto element = Message().varint(int32_field, 1);
    const auto broken = Message().message(leaf_field, Message().tag(1, 1).raw("123"));
    const auto message = Message()
                             .message(many_itself, element)
                             .message(many_itself, element)
                             .message(many_itself, Message(element).message(itself, broken));
    CHECK(error_of(every_kind(), protobuf, numbered, message.str()) ==
          "byte 20: many_itself[2].itself.kind_11.x: expected 8 bytes, found 3 before the end of the message");
    CHECK(error_of(every_kind(), protobuf, numbered, Message().text(packed_int32s, "\x01").tag(0, 1).str()) ==
          "byte 4: field number 0, expected 1 to 536870911");
}

TEST_CASE("a payload may stand at any address")
{
    const auto message =
        Message().real(double_field, 1.5).text(string_field, "abc").message(leaves, Message().real(1, 1));
    const auto flat = transcoded(every_kind(), protobuf, numbered, message.str());
    for (std::size_t shift = 0; shift != 8; ++shift) {
        const auto moved = std::string(shift, 'x') + flat;
        CHECK(transcoded(every_kind(), numbered, protobuf, std::string_view(moved).substr(shift)) == message.str());
    }
}

// Findings of the fuzzers.

TEST_CASE("a string without its terminator is refused by transcoder and view alike")
{
    for (const std::uint32_t number : {string_field, strings, 32u}) {
        auto flat = transcoded(every_kind(), protobuf, numbered, Message().text(number, "abc").str());
        const auto text = flat.find("abc");
        flat.replace(text + 3, 1, "!");
        const auto& row = *every_kind().find(number);
        const auto field = std::string(row.name) + (row.repeated ? "[0]" : "");
        const auto expected =
            "byte " + std::to_string(text + 3) + ": " + field + ": a string does not end with a zero byte";
        CHECK(error_of(every_kind(), numbered, protobuf, flat) == expected);
        const MessageView view(bytes_of(flat), every_kind(), numbered);
        CHECK_THROWS_WITH(row.repeated ? view.repeated(row)[0] : view.get(row), expected);
    }
    auto bytes =
        transcoded(every_kind(), protobuf, numbered, Message().text(bytes_field, "abc").varint(uint32_field, 1).str());
    CHECK(error_of(every_kind(), numbered, protobuf, bytes).empty());  // bytes have none
}

TEST_CASE("a value behind the end that its table states is read by transcoder and view alike, as flatbuffers does")
{
    const auto message = Message().varint(int32_field, 7);
    auto flat = transcoded(every_kind(), protobuf, numbered, message.str());
    const auto* const bytes = bytes_of(flat).data();
    const auto root = load_le32(bytes);
    const auto vtable = root - load_le32(bytes + root);
    flat.replace(vtable + 2, 2, std::string("\x04\0", 2));
    CHECK(transcoded(every_kind(), numbered, protobuf, flat) == message.str());
    CHECK(MessageView(bytes_of(flat), every_kind(), numbered).integer(int32_field) == 7);
}

TEST_CASE("a type without a file identifier is converted")
{
    const auto& leaf = *by_hand::every_kind_schema().find("test.Leaf");
    CHECK(transcoded(leaf, protobuf, numbered, "").substr(4, 4) == std::string(4, '\0'));
}

TEST_CASE("a payload is read from end to end without memory for its long texts")
{
    const std::string text(std::size_t{4} << 20, 'x');
    const auto message = Message().text(string_field, text).text(bytes_field, text).text(strings, text).str();
    for (const auto format : {protobuf, numbered, declared}) {
        const auto payload = format == protobuf ? message : transcoded(every_kind(), protobuf, format, message);
        PayloadReader reader(every_kind(), format);
        ByteBuffer scratch;
        reader.read(bytes_of(payload), scratch);
        CHECK(scratch.size() < 1000);
        CHECK_THROWS_AS(reader.read(bytes_of(payload).first(payload.size() - 1), scratch), Error);
    }
}
