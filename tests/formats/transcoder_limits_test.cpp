// SPDX-License-Identifier: MPL-2.0
// Messages made to exhaust memory, time or the stack: a limit is hit, and says so.
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/formats/descriptors.hpp"
#include "tests/formats/every_kind.hpp"

using namespace ositrace;
using by_hand::every_kind;
using by_hand::Message;

namespace {

constexpr Format protobuf{};
constexpr Format numbered{Encoding::flatbuffers, Layout::numbered};
constexpr std::uint32_t int32_field = 5, uint32_field = 13, itself = 19, int32s = 25, strings = 29, leaves = 31,
                        many_itself = 39;

std::string transcoded(Format from, Format to, std::string_view in, TranscodeOptions options = {},
                       const MessageTable& root = every_kind())
{
    ByteBuffer out;
    Transcoder(root, from, to, options).transcode(bytes_of(in), out);
    return std::string(text_of(out.bytes()));
}

std::string error_of(Format from, Format to, std::string_view in, TranscodeOptions options = {},
                     const MessageTable& root = every_kind())
{
    try {
        transcoded(from, to, in, options, root);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// As many levels below the root, in a singular or a repeated field.
std::string nested(std::uint32_t number, int levels)
{
    std::vector<Message> message(1);
    message.back().varint(int32_field, 1);
    for (int i = 0; i != levels; ++i) message.back() = Message().message(number, message.back());
    return message.back().str();
}

/// Writes FlatBuffers with offsets as they should never be.
class Flat {
public:
    std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.str().size()); }
    template <class T>
    std::uint32_t put(T value)
    {
        const auto at = size();
        bytes_.raw_value(value);
        return at;
    }
    void set(std::uint32_t at, std::uint32_t value)
    {
        auto bytes = bytes_.str();
        store_le32(reinterpret_cast<std::byte*>(bytes.data()) + at, value);
        bytes_ = Message().raw(bytes);
    }
    void point(std::uint32_t from, std::uint32_t to) { set(from, to - from); }
    const std::string& str() const { return bytes_.str(); }

private:
    Message bytes_;
};

/// A vtable with one slot in use, at offset 4.
void put_vtable(Flat& flat, std::uint16_t slot)
{
    flat.put(static_cast<std::uint16_t>(4 + 2 * (slot + 1)));
    flat.put(std::uint16_t{8});
    for (std::uint16_t i = 0; i != slot; ++i) flat.put(std::uint16_t{0});
    flat.put(std::uint16_t{4});
}

/// Levels of tables, each with a vector of `fan` references to the one table of the next level.
std::string shared_subtables(int levels, std::uint32_t fan)
{
    Flat flat;
    const auto root = flat.put(std::uint32_t{0});
    flat.put(std::uint32_t{0});
    const auto vtable = flat.size();
    put_vtable(flat, many_itself - 1);
    std::vector<std::uint32_t> waiting{root};
    for (int level = 0; level != levels; ++level) {
        const auto table = flat.size();
        flat.put(table - vtable);
        const auto field = flat.put(std::uint32_t{0});
        for (const auto slot : waiting) flat.point(slot, table);
        waiting.clear();
        flat.point(field, flat.size());
        flat.put(fan);
        for (std::uint32_t i = 0; i != fan; ++i) waiting.push_back(flat.put(std::uint32_t{0}));
    }
    const auto empty_vtable = flat.put(std::uint16_t{4});
    flat.put(std::uint16_t{4});
    for (const auto slot : waiting) flat.point(slot, flat.size());
    flat.put(flat.size() - empty_vtable);
    return flat.str();
}

}  // namespace

TEST_CASE("messages nest 100 levels deep, as in libprotobuf, and not deeper, in either direction, fast or slow")
{
    for (const std::uint32_t number : {itself, many_itself})
        for (const bool shapes : {true, false}) {
            const TranscodeOptions options{.shapes = shapes};
            const auto deepest = nested(number, 100);
            const auto flat = transcoded(protobuf, numbered, deepest, options);
            CHECK(transcoded(numbered, protobuf, flat, options) == deepest);
            CHECK(error_of(protobuf, numbered, nested(number, 101), options)
                      .ends_with("the nesting of messages exceeds the limit of 100 levels"));
        }
    CHECK(error_of(numbered, protobuf, shared_subtables(101, 1))
              .ends_with("the nesting of messages exceeds the limit of 100 levels"));
    CHECK(error_of(numbered, protobuf, shared_subtables(100, 1)).empty());
}

TEST_CASE("what was learned at one depth is not used where it would nest too deep")
{
    const auto tower = nested(many_itself, 40);
    Message message;
    for (int i = 0; i != 4; ++i) message.text(many_itself, tower);
    Transcoder there(every_kind(), protobuf, numbered);
    ByteBuffer out;
    there.transcode(message.bytes(), out);
    auto deep = Message().text(many_itself, tower);
    for (int i = 0; i != 70; ++i) deep = Message().message(itself, deep);
    CHECK_THROWS_WITH(there.transcode(deep.bytes(), out),
                      Catch::Matchers::EndsWith("the nesting of messages exceeds the limit of 100 levels"));
}

TEST_CASE("unknown groups nest within the same limit")
{
    Message groups;
    for (int i = 0; i != 101; ++i) groups.tag(999, 3);
    for (int i = 0; i != 101; ++i) groups.tag(999, 4);
    CHECK(error_of(protobuf, numbered, groups.str()) ==
          "byte 0: field 999, unknown to the schema: a group without its end, or its nesting exceeds the limit of 100 "
          "levels");
}

TEST_CASE("the limit of the output is exact, fast or slow, in either direction")
{
    Message message;
    for (int i = 0; i != 50; ++i)
        message.message(leaves, Message().real(1, i).real(2, i).real(3, i))
            .message(many_itself, Message().varint(int32_field, 300).text(9, "abc"));
    const auto flat = transcoded(protobuf, numbered, message.str());
    const auto back = transcoded(numbered, protobuf, flat);
    for (const bool shapes : {true, false}) {
        const auto with_limit = [&](std::size_t limit) {
            return TranscodeOptions{.limits = {limit}, .shapes = shapes};
        };
        CHECK(transcoded(protobuf, numbered, message.str(), with_limit(flat.size())) == flat);
        CHECK(transcoded(numbered, protobuf, flat, with_limit(back.size())) == back);
    }
    for (const std::size_t missing : {1, 2, 9, 100, 500, 1000}) {
        const TranscodeOptions fast{.limits = {flat.size() - missing}},
            slow{.limits = {flat.size() - missing}, .shapes = false};
        const auto error = error_of(protobuf, numbered, message.str(), fast);
        CHECK(error == error_of(protobuf, numbered, message.str(), slow));
        CHECK(error.ends_with("the FlatBuffers form exceeds the limit of " + std::to_string(flat.size() - missing) +
                              " bytes (--max-message raises it)"));
        const TranscodeOptions fast_back{.limits = {back.size() - missing}},
            slow_back{.limits = {back.size() - missing}, .shapes = false};
        const auto error_back = error_of(numbered, protobuf, flat, fast_back);
        CHECK(error_back == error_of(numbered, protobuf, flat, slow_back));
        CHECK(error_back.ends_with("the Protobuf form exceeds the limit of " + std::to_string(back.size() - missing) +
                                   " bytes (--max-message raises it)"));
    }
}

TEST_CASE("shared subtables end at the limit of the output")
{
    const auto small = shared_subtables(20, 20);
    REQUIRE(small.size() < 4000);  // 20^20 messages
    CHECK(error_of(numbered, protobuf, small, {.limits = {1 << 20}})
              .ends_with("the Protobuf form exceeds the limit of 1048576 bytes (--max-message raises it)"));
}

TEST_CASE("a singular message that occurs 100 000 times is merged in one go")
{
    Message message;
    for (int i = 0; i != 100'000; ++i)
        message.message(itself, Message().varint(int32s, 1).message(itself, Message().varint(uint32_field, 1)));
    const auto back = transcoded(numbered, protobuf, transcoded(protobuf, numbered, message.str()));
    Message merged;
    merged.message(itself, Message().varint(uint32_field, 1));
    for (int i = 0; i != 100'000; ++i) merged.varint(int32s, 1);
    CHECK(back == Message().message(itself, merged).str());
}

TEST_CASE("interleaved repeated fields are sorted apart")
{
    Message mixed, sorted_numbers, sorted_texts;
    for (std::uint64_t i = 0; i != 50'000; ++i) {
        mixed.varint(int32s, i).text(strings, "x");
        sorted_numbers.varint(int32s, i);
        sorted_texts.text(strings, "x");
    }
    CHECK(transcoded(numbered, protobuf, transcoded(protobuf, numbered, mixed.str())) ==
          sorted_numbers.str() + sorted_texts.str());
}

TEST_CASE("thousands of repeated fields, all interleaved, end at a limit")
{
    using namespace by_hand;
    auto type = message_type("M");
    constexpr std::uint32_t fields = 10'000;
    for (std::uint32_t i = 1; i <= fields; ++i)
        type.message(2, repeated_field("f" + std::to_string(i), i, FieldKind::bool_));
    const auto schema = Schema::compile(bytes_of(descriptor_set(type)));
    Message ends, message;
    for (std::uint32_t i = 1; i <= fields; ++i) ends.varint(i, 1);
    message.raw(ends.str()).text(30'000, std::string(3'000'000, 'x')).raw(ends.str());
    CHECK(error_of(protobuf, numbered, message.str(), {}, *schema->find("test.M"))
              .ends_with("too many interleaved repeated fields"));
}

TEST_CASE("more combinations of fields than any message has end at a limit, fast or slow")
{
    using namespace by_hand;
    auto element_type = message_type("E");
    for (std::uint32_t i = 1; i <= 17; ++i)
        element_type.message(2, field("f" + std::to_string(i), i, FieldKind::bool_));
    const auto schema = Schema::compile(bytes_of(
        descriptor_set(element_type, message_type("M", repeated_field("e", 1, FieldKind::message, ".test.E")))));
    const auto message = [](std::uint32_t combinations) {
        Message result;
        for (std::uint32_t set = 0; set != combinations; ++set) {
            Message element;
            for (std::uint32_t bit = 0; bit != 17; ++bit)
                if ((set >> bit & 1) != 0) element.varint(bit + 1, 1);
            result.message(1, element);
        }
        return result.str();
    };
    const auto& root = *schema->find("test.M");
    const auto error = error_of(protobuf, numbered, message(65'536), {}, root);
    CHECK(error == "e[65535]: the number of different combinations of fields in a message exceeds the limit of 65536");
    CHECK(error == error_of(protobuf, numbered, message(65'536), {.shapes = false}, root));
    const auto most = message(65'535);
    CHECK(transcoded(numbered, protobuf, transcoded(protobuf, numbered, most, {}, root), {}, root) == most);
}

TEST_CASE("overlapping vtables of 64 kB each are refused instead of remembered")
{
    using namespace by_hand;
    const auto schema = Schema::compile(bytes_of(descriptor_set(
        message_type("Empty"), message_type("M", repeated_field("e", 1, FieldKind::message, ".test.Empty")))));
    Flat flat;
    const auto root = flat.put(std::uint32_t{0});
    flat.put(std::uint32_t{0});
    const auto vtable = flat.size();
    put_vtable(flat, 0);
    const auto table = flat.size();
    flat.point(root, table);
    flat.put(table - vtable);
    const auto field = flat.put(std::uint32_t{0});
    flat.point(field, flat.size());
    constexpr std::uint32_t elements = 5000;
    flat.put(elements);
    std::string bytes = flat.str();
    const auto first_slot = static_cast<std::uint32_t>(bytes.size());
    const auto first_table = first_slot + 4 * elements;
    const auto first_vtable = first_table + 4 * elements;
    bytes.resize(first_vtable + 2 * elements + 65'000);
    auto* const at = reinterpret_cast<std::byte*>(bytes.data());
    for (std::uint32_t i = 0; i != elements; ++i) {
        store_le32(at + first_slot + 4 * i, first_table + 4 * i - (first_slot + 4 * i));
        store_le32(at + first_table + 4 * i, first_table + 4 * i - (first_vtable + 2 * i));
    }
    for (std::size_t i = first_vtable; i + 1 < bytes.size(); i += 2) store<std::uint16_t>(at + i, 64'000);
    CHECK(error_of(numbered, protobuf, bytes, {}, *schema->find("test.M")) == "byte 50022: e[4998]: vtables overlap");
}

TEST_CASE("a recording of a large element does not grow with it")
{
    Message element;
    for (int i = 0; i != 300'000; ++i) element.varint(int32s, 1);
    Message message;
    for (int i = 0; i != 4; ++i) message.message(many_itself, element);
    const auto flat = transcoded(protobuf, numbered, message.str());
    CHECK(transcoded(numbered, protobuf, flat) == message.str());
}
