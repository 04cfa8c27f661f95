// SPDX-License-Identifier: MPL-2.0
// Runs of elements alike, which have loops of their own: each gives the bytes, and the errors, of the slow path,
// wherever and by whatever the run is interrupted.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/columns.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/every_kind.hpp"
#include "tests/formats/result_of.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::every_kind;
using by_hand::Message;

namespace {

constexpr Format wire_form{}, flat_form{Encoding::flatbuffers};
constexpr std::uint32_t nested_kind = 11, itself_kind = 19, itself_list = 39;

/// Two transcoders that remember, and two that do not: what they make of a message.
class Pair {
public:
    Pair(Format from, Format to, std::size_t limit = max_encodable_bytes)
        : fast_(every_kind(), from, to, {.limits = {limit}}),
          slow_(every_kind(), from, to, {.limits = {limit}, .shapes = false})
    {
    }

    /// The result or the error, which are the same.
    std::string operator()(const std::string& in)
    {
        const auto fast = result_of(fast_, in), slow = result_of(slow_, in);
        CHECK(fast == slow);
        CHECK(fast_.dropped_unknown_fields() == slow_.dropped_unknown_fields());
        return slow;
    }

private:
    Transcoder fast_, slow_;
};

/// An object as OSI has them: an id, numbers, messages of three doubles each, one below the other.
Message object(std::uint64_t i)
{
    const auto real = static_cast<double>(i);
    const auto vector = [](double x) { return Message().real(1, x).real(2, -x).real(3, x / 3); };
    const auto inner = Message().real(1, real).message(nested_kind, vector(real)).varint(13, i % 3).varint(14, 1);
    return Message()
        .real(1, real)
        .varint(4, 300 + i % 1000)
        .varint(5, i % 100)
        .varint(8, i % 2)
        .text(9, i % 2 == 0 ? "even" : "odd.")
        .message(nested_kind, vector(real + 1).varint(5, i % 128))
        .varint(13, i % 100)
        .message(itself_kind, inner);
}

std::string list_of(const std::vector<Message>& elements)
{
    Message list;
    for (const auto& element : elements) list.message(itself_list, element);
    return list.str();
}

std::vector<Message> objects(std::uint64_t count)
{
    std::vector<Message> list;
    for (std::uint64_t i = 0; i != count; ++i) list.push_back(object(i));
    return list;
}

/// What may stand between two elements alike, or instead of one.
std::vector<Message> strangers()
{
    const auto alike = object(7).str();
    const auto changed = [&](std::size_t place, char byte) {
        auto bytes = alike;
        bytes[place] = byte;
        return Message().raw(bytes);
    };
    return {
        Message(),                                                            // nothing
        Message().real(1, std::nan("")),                                      // another set of fields
        Message().raw(alike).varint(301, 1),                                  // unknown fields
        Message().raw(alike.substr(9)).raw(alike.substr(0, 9)),               // another order
        Message().raw(alike).real(1, 4),                                      // a field twice
        Message().raw(alike).message(nested_kind, Message().real(2, 5)),      // a message twice
        Message().raw("\x09" + std::string(8, '\xff')).raw(alike.substr(9)),  // a NaN with all bits
        changed(0, '\x0d'),
        changed(0, '\x08'),
        changed(0, '\x00'),  // another wire type, a broken tag
        changed(9, '\xa0'),
        changed(10, '\x00'),
        changed(11, '\x7f'),  // other varints
        Message().raw(alike.substr(0, alike.size() - 1)),
        Message().raw(alike + '\0'),                                                // cut off, too long
        Message().varint(4, 1ULL << 63).varint(3, ~0ULL).varint(18, ~0ULL),         // varints of ten bytes
        Message().raw("\x20\x80\x80\x80\x00").raw(std::string("\x28\x80\x00", 3)),  // not canonical
    };
}

}  // namespace

TEST_CASE("a run of objects gives the bytes of the slow path in both directions, and comes back")
{
    Pair there(wire_form, flat_form), back(flat_form, wire_form);
    for (const std::uint64_t count : {1, 2, 3, 4, 5, 100, 1000, 3}) {
        const auto list = list_of(objects(count));
        CHECK(back(there(list)) == list);
    }
}

TEST_CASE("whatever interrupts a run of objects is read as on the slow path")
{
    Pair there(wire_form, flat_form), back(flat_form, wire_form);
    for (const auto& stranger : strangers())
        for (const std::size_t place : {0, 1, 4, 39}) {
            auto list = objects(40);
            list[place] = stranger;
            const auto flat = there(list_of(list));
            back(flat);
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(place), object(1));
            there(list_of(list) + Message().varint(300, 1).str());
            there(list_of(objects(5)) + stranger.str() + list_of(objects(5)));
        }
}

TEST_CASE("elements with a tag or a length that is not canonical are read as on the slow path")
{
    Pair there(wire_form, flat_form);
    const auto element = object(3).str();
    const auto long_length = Message().tag(itself_list, 2).raw_varint(element.size()).str();
    auto padded = long_length;
    padded.back() = static_cast<char>(padded.back() | '\x80');
    padded += '\0';
    for (int i = 0; i != 3; ++i) {
        std::string list;
        for (int n = 0; n != 20; ++n) list += (n % 7 == i ? padded : long_length) + element;
        there(list);
        there(padded + element + padded + element + padded + element + padded + element);
    }
}

TEST_CASE("varints of every length in a run keep their value in both directions")
{
    Pair there(wire_form, flat_form), back(flat_form, wire_form);
    for (const std::uint32_t kind : {3, 4, 5, 8, 13, 14, 17, 18})
        for (int bits = 0; bits != 64; ++bits) {
            std::vector<Message> list;
            for (std::uint64_t i = 0; i != 8; ++i)
                list.push_back(Message().varint(kind, std::uint64_t{1} << bits | i << (bits / 2)).real(1, 1));
            back(there(list_of(list)));
        }
}

TEST_CASE("the limit of the output ends a run of objects where it ends the slow path")
{
    const auto list = list_of(objects(40));
    const auto flat = Pair(wire_form, flat_form)(list);
    for (std::size_t missing = 0; missing < 1200; missing += missing < 40 ? 1 : 37) {
        Pair there(wire_form, flat_form, flat.size() - missing);
        Pair back(flat_form, wire_form, list.size() - missing);
        for (int i = 0; i != 2; ++i) {
            there(list);
            back(flat);
        }
    }
}

TEST_CASE("a message cut off anywhere within a run fails as on the slow path")
{
    Pair there(wire_form, flat_form);
    const auto list = list_of(objects(9));
    for (int i = 0; i != 2; ++i)
        for (std::size_t size = 0; size <= list.size(); ++size) there(list.substr(0, size));
}

TEST_CASE("a FlatBuffer with one word changed anywhere within a run is read as on the slow path")
{
    Pair back(flat_form, wire_form);
    const auto flat = Pair(wire_form, flat_form)(list_of(objects(6)));
    for (std::size_t at = 0; at + 4 <= flat.size(); at += 4)
        for (const std::uint32_t change : {1u, 4u, 0x80u, 0x4000u, 0xffff'ffffu}) {
            auto broken = flat;
            const auto word = load_le32(bytes_of(flat).data() + at) ^ change;
            std::memcpy(broken.data() + at, &word, sizeof word);
            back(broken);
            if (at % 64 == 0) back(flat);
        }
}

TEST_CASE("columns of a run are the values that each of its elements has alone, whatever interrupts it")
{
    using namespace std::string_view_literals;
    const auto& field = *every_kind().find("many_itself");
    constexpr std::array leaves{"kind_1"sv, "kind_4"sv, "kind_5"sv, "kind_8"sv, "kind_11.x"sv, "itself.kind_11.z"sv};
    ColumnReader columns(field, leaves), alone(field, leaves);
    Transcoder to_flat(every_kind(), wire_form, flat_form);
    ByteBuffer flat;
    const auto first_of = [](const MessageView& element) {
        return std::bit_cast<std::uint64_t>(element.real(1).value_or(0));
    };
    const auto same_row = [&](std::size_t row) {
        bool same = columns.presence()[row] == alone.presence()[0];
        for (std::size_t leaf = 0; leaf != leaves.size(); ++leaf) {
            const bool real = leaf != 1 && leaf != 2 && leaf != 3;
            same = same && columns.has(leaf, row) == alone.has(leaf, 0) &&
                   (real ? std::bit_cast<std::uint64_t>(columns.reals(leaf)[row]) ==
                               std::bit_cast<std::uint64_t>(alone.reals(leaf)[0])
                         : columns.integers(leaf)[row] == alone.integers(leaf)[0]);
        }
        return same;
    };
    for (const auto& stranger : strangers())
        for (const std::size_t place : {0, 1, 66, 199}) {
            auto list = objects(200);
            list[place] = stranger;
            const auto whole = list_of(list);
            if (!error_of([&] { to_flat.transcode(bytes_of(whole), flat); }).empty()) {
                CHECK_THROWS_AS(columns.read(MessageView(bytes_of(whole), every_kind(), wire_form)), Error);
                continue;
            }
            for (const std::size_t every : {1, 2, 7})
                for (const bool from_flat : {false, true}) {
                    const auto bytes = from_flat ? flat.bytes() : bytes_of(whole);
                    columns.read(MessageView(bytes, every_kind(), from_flat ? flat_form : wire_form), every);
                    CHECK(columns.rows() == (list.size() + every - 1) / every);
                    CHECK(columns.elements() == list.size());
                    bool same = true;
                    for (std::size_t row = 0; row != columns.rows(); ++row) {
                        const auto one = list_of({list[row * every]});
                        alone.read(MessageView(bytes_of(one), every_kind(), wire_form));
                        const MessageView itself(list[row * every].bytes(), every_kind(), wire_form);
                        same = same && same_row(row) && first_of(columns.element(row)) == first_of(itself);
                    }
                    CHECK(same);
                }
        }
}
