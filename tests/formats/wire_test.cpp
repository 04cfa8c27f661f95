// SPDX-License-Identifier: MPL-2.0
#include <limits>

#include "formats/protobuf/wire.hpp"
#include "tests/catch.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

/// The value and how many bytes it took; nullopt when it is broken.
struct Read {
    std::uint64_t value;
    std::size_t bytes;
    friend bool operator==(const Read&, const Read&) = default;
};

std::optional<Read> read_varint(const std::string& text)
{
    const auto bytes = bytes_of(text);
    std::uint64_t value = 0;
    const auto* const behind = wire::read_varint(bytes.data(), bytes.data() + bytes.size(), value);
    if (behind == nullptr) return std::nullopt;
    return Read{value, static_cast<std::size_t>(behind - bytes.data())};
}

std::optional<std::uint32_t> read_tag(const std::string& text)
{
    const auto bytes = bytes_of(text);
    std::uint32_t tag = 0;
    return wire::read_tag(bytes.data(), bytes.data() + bytes.size(), tag) == nullptr ? std::nullopt
                                                                                     : std::optional(tag);
}

/// Bytes that skip_field() passes over behind the tag; nullopt when the field is broken.
std::optional<std::size_t> skipped(const Message& field, int depth = 100)
{
    const auto bytes = field.bytes();
    std::uint32_t tag = 0;
    const auto* const value = wire::read_tag(bytes.data(), bytes.data() + bytes.size(), tag);
    const auto* const behind = wire::skip_field(value, bytes.data() + bytes.size(), tag, depth);
    if (behind == nullptr) return std::nullopt;
    return static_cast<std::size_t>(behind - value);
}

Message groups(int count)
{
    Message nested;
    for (int i = 0; i != count; ++i) nested.tag(5, wire::start_group);
    for (int i = 0; i != count; ++i) nested.tag(5, wire::end_group);
    return nested;
}

}  // namespace

TEST_CASE("a varint has one to ten bytes")
{
    CHECK(read_varint(std::string(1, '\0')) == Read{0, 1});
    CHECK(read_varint("\x7f") == Read{127, 1});
    CHECK(read_varint("\x80\x01") == Read{128, 2});
    CHECK(read_varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") ==
          Read{std::numeric_limits<std::uint64_t>::max(), 10});
    CHECK(read_varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") == std::nullopt);
}

TEST_CASE("a padded varint is its value") { CHECK(read_varint(std::string("\x85\x80\x80\0", 4)) == Read{5, 4}); }

TEST_CASE("bits of a varint beyond the 64th are ignored")
{
    CHECK(read_varint("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f") == Read{std::uint64_t{1} << 63, 10});
}

TEST_CASE("a varint that the end cuts off is broken")
{
    CHECK(read_varint("") == std::nullopt);
    CHECK(read_varint("\x80") == std::nullopt);
    CHECK(read_varint("\xff\xff\xff") == std::nullopt);
}

TEST_CASE("a tag has at most five bytes and a number other than 0")
{
    CHECK(read_tag("\x08") == wire::make_tag(1, wire::varint));
    CHECK(read_tag("\xfa\xff\xff\xff\x0f") == wire::make_tag(0x1fff'ffff, wire::length_delimited));
    CHECK(read_tag(std::string("\x88\x80\0", 3)) == wire::make_tag(1, wire::varint));
    CHECK(read_tag("\x07") == std::nullopt);
    CHECK(read_tag(std::string("\x80\0", 2)) == std::nullopt);
    CHECK(read_tag(std::string("\x88\x80\x80\x80\x80\0", 6)) == std::nullopt);
}

TEST_CASE("a length is checked against the bytes left")
{
    const auto bytes = bytes_of(
        "\x03"
        "abcd");
    std::size_t length = 0;
    CHECK(wire::read_length(bytes.data(), bytes.data() + 5, length) == bytes.data() + 1);
    CHECK(length == 3);
    CHECK(wire::read_length(bytes.data(), bytes.data() + 4, length) == bytes.data() + 1);
    CHECK(wire::read_length(bytes.data(), bytes.data() + 3, length) == nullptr);
    const Message huge = Message().raw_varint(~std::uint64_t{0});
    CHECK(wire::read_length(huge.bytes().data(), huge.bytes().data() + huge.bytes().size(), length) == nullptr);
}

TEST_CASE("fields of every wire type are passed over")
{
    CHECK(skipped(Message().varint(1, 300)) == 2);
    CHECK(skipped(Message().fixed64(1, 0)) == 8);
    CHECK(skipped(Message().fixed32(1, 0)) == 4);
    CHECK(skipped(Message().text(1, "abc")) == 4);
    CHECK(skipped(Message().tag(1, 3).varint(2, 1).text(3, "x").tag(1, 4)) == 6);
    CHECK(skipped(Message().tag(1, 1).raw("1234567")) == std::nullopt);
    CHECK(skipped(Message().tag(1, 5).raw("123")) == std::nullopt);
    CHECK(skipped(Message().tag(1, 6)) == std::nullopt);
    CHECK(skipped(Message().tag(1, 7)) == std::nullopt);
}

TEST_CASE("a group ends with its own number, and nothing ends without a start")
{
    CHECK(skipped(Message().tag(1, 3).tag(2, 4)) == std::nullopt);
    CHECK(skipped(Message().tag(1, 3).varint(2, 1)) == std::nullopt);
    CHECK(skipped(Message().tag(1, 4)) == std::nullopt);
}

TEST_CASE("groups nest as deep as they may")
{
    CHECK(skipped(groups(100)) == 199);
    CHECK(skipped(groups(101)) == std::nullopt);
    CHECK(skipped(groups(100'000)) == std::nullopt);
}

TEST_CASE("varint sizes")
{
    for (int bits = 0; bits != 64; ++bits) {
        const auto value = std::uint64_t{1} << bits;
        CHECK(wire::varint_size(value) == bits / 7 + 1);
        CHECK(wire::varint_size(value - 1) == (bits == 0 ? 1 : (bits - 1) / 7 + 1));
    }
}

TEST_CASE("what a varint means depends on the kind, and comes back")
{
    constexpr auto all = ~std::uint64_t{0};
    CHECK(wire::decode_varint(FieldKind::bool_, 256) == 1);
    CHECK(wire::decode_varint(FieldKind::int32, all) == 0xffff'ffff);
    CHECK(wire::decode_varint(FieldKind::enumeration, 0x1'0000'0005) == 5);
    CHECK(wire::decode_varint(FieldKind::sint32, 1) == 0xffff'ffff);
    CHECK(wire::decode_varint(FieldKind::sint64, 1) == all);
    CHECK(wire::decode_varint(FieldKind::uint64, all) == all);
    CHECK(wire::encode_varint(FieldKind::int32, 0xffff'ffff) == all);
    CHECK(wire::encode_varint(FieldKind::enumeration, 0x8000'0000) == 0xffff'ffff'8000'0000);
    CHECK(wire::encode_varint(FieldKind::uint32, 0xffff'ffff) == 0xffff'ffff);
    CHECK(wire::encode_varint(FieldKind::bool_, 7) == 1);
    for (const auto kind : {FieldKind::sint32, FieldKind::int32, FieldKind::uint32, FieldKind::enumeration})
        for (const std::uint64_t stored : {0x0ull, 0x1ull, 0x7fff'ffffull, 0x8000'0000ull, 0xffff'ffffull})
            CHECK(wire::decode_varint(kind, wire::encode_varint(kind, stored)) == stored);
    for (const auto kind : {FieldKind::sint64, FieldKind::int64, FieldKind::uint64})
        for (const std::uint64_t stored : {std::uint64_t{0}, std::uint64_t{1} << 63, all})
            CHECK(wire::decode_varint(kind, wire::encode_varint(kind, stored)) == stored);
}

TEST_CASE("why a value is broken: found and expected")
{
    const auto why = [](const Message& value, std::uint8_t wire_type) {
        return wire::why_broken(value.bytes().data(), value.bytes().data() + value.bytes().size(), wire_type);
    };
    CHECK(why(Message().raw("123"), wire::fixed64) == "expected 8 bytes, found 3 before the end of the message");
    CHECK(why(Message(), wire::fixed32) == "expected 4 bytes, found 0 before the end of the message");
    CHECK(why(Message().raw_varint(500).raw("ab"), wire::length_delimited) ==
          "a length of 500 bytes, found 2 before the end of the message");
    CHECK(why(Message().raw("\x80\x80"), wire::varint) == "a varint that the end of the message cuts off");
    CHECK(why(Message().raw(std::string(12, '\xff')), wire::varint) == "a varint of more than 10 bytes");
    CHECK(why(Message(), wire::start_group) ==
          "a group without its end, or its nesting exceeds the limit of 100 levels");
    CHECK(why(Message(), wire::end_group) == "wire type 4, expected 0, 1, 2 or 5");
}
