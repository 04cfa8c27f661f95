// SPDX-License-Identifier: MPL-2.0
#include <ositrace/message_view.hpp>

#include <cmath>
#include <limits>

#include <ositrace/message_check.hpp>
#include <ositrace/scalar_value.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/every_kind.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

const FieldRow& field(std::uint32_t number) { return *by_hand::every_kind().find(number); }
constexpr std::uint32_t repeated = 20, packed = 40;

MessageView view_of(const std::string& bytes) { return {bytes_of(bytes), by_hand::every_kind(), {}}; }

/// The same message in its FlatBuffers forms.
class Flat {
public:
    Flat(const std::string& message, Layout layout)
    {
        Transcoder(by_hand::every_kind(), {}, {Encoding::flatbuffers, layout}).transcode(bytes_of(message), buffer_);
        view_.emplace(buffer_.bytes(), by_hand::every_kind(), Format{Encoding::flatbuffers, layout});
    }
    const MessageView& view() const { return *view_; }

private:
    ByteBuffer buffer_;
    std::optional<MessageView> view_;
};

/// Runs a check on the message in all its forms.
template <class Check>
void in_every_form(const std::string& message, Check&& check)
{
    check(view_of(message));
    for (const auto layout : {Layout::numbered, Layout::declared}) {
        CAPTURE(name_of(layout));
        check(Flat(message, layout).view());
    }
}

template <class T>
T as(const Value& value)
{
    REQUIRE(std::holds_alternative<T>(value));
    return std::get<T>(value);
}

std::vector<std::string> names_of_fields(const MessageView& view)
{
    std::vector<std::string> names;
    view.for_each_field([&](const FieldRow& row) {
        names.emplace_back(row.name);
        return true;
    });
    return names;
}

/// One of each singular scalar, with values at the edge.
std::string scalars()
{
    return Message()
        .real(1, -0.5)
        .fixed32(2, 0x3f000000)
        .varint(3, std::uint64_t(-3))
        .varint(4, ~0ull)
        .varint(5, std::uint64_t(-5))
        .fixed64(6, 6)
        .fixed32(7, 0xffffffff)
        .varint(8, 1)
        .text(9, "text")
        .varint(10, std::uint64_t(-1))
        .text(12, std::string("\0b", 2))
        .varint(13, 0xffffffff)
        .varint(14, 77)
        .fixed32(15, std::uint32_t(-15))
        .fixed64(16, std::uint64_t(-16))
        .varint(17, 33)
        .varint(18, 35)
        .str();
}

}  // namespace

TEST_CASE("a view reads every kind of field in every form")
{
    in_every_form(scalars(), [](const MessageView& view) {
        CHECK(as<double>(view.get(field(1))) == -0.5);
        CHECK(as<float>(view.get(field(2))) == 0.5f);
        CHECK(as<std::int64_t>(view.get(field(3))) == -3);
        CHECK(as<std::uint64_t>(view.get(field(4))) == ~0ull);
        CHECK(as<std::int64_t>(view.get(field(5))) == -5);
        CHECK(as<std::uint64_t>(view.get(field(6))) == 6);
        CHECK(as<std::uint64_t>(view.get(field(7))) == 0xffffffff);
        CHECK(as<bool>(view.get(field(8))));
        CHECK(as<std::string_view>(view.get(field(9))) == "text");
        CHECK(as<std::int64_t>(view.get(field(10))) == -1);
        CHECK(text_of(as<Bytes>(view.get(field(12)))) == std::string_view("\0b", 2));
        CHECK(as<std::uint64_t>(view.get(field(13))) == 0xffffffff);
        CHECK(as<std::int64_t>(view.get(field(14))) == 77);
        CHECK(as<std::int64_t>(view.get(field(15))) == -15);
        CHECK(as<std::int64_t>(view.get(field(16))) == -16);
        CHECK(as<std::int64_t>(view.get(field(17))) == -17);
        CHECK(as<std::int64_t>(view.get(field(18))) == -18);
        CHECK(std::holds_alternative<std::monostate>(view.get(field(11))));
        CHECK_FALSE(view.has(field(11)));
        CHECK(view.has(field(18)));
        CHECK(names_of_fields(view).size() == 17);
        CHECK(view.unknown_fields() == 0);
    });
}

TEST_CASE("the shorthands of a view convert between numbers only")
{
    in_every_form(scalars(), [](const MessageView& view) {
        CHECK(view.integer(3) == -3);
        CHECK(view.integer(4) == -1);
        CHECK(view.integer(8) == 1);
        CHECK(view.integer(13) == 0xffffffff);
        CHECK(view.integer(1) == std::nullopt);
        CHECK(view.real(1) == -0.5);
        CHECK(view.real(2) == 0.5);
        CHECK(view.real(5) == -5.0);
        CHECK(view.real(9) == std::nullopt);
        CHECK(view.text(9) == "text");
        CHECK(view.text(12) == std::nullopt);
        CHECK(view.message(11) == std::nullopt);
        CHECK(view.integer(999) == std::nullopt);
        CHECK(view.real(repeated + 1) == std::nullopt);
        CHECK(as<std::int64_t>(view["kind_5"]) == -5);
        CHECK(std::holds_alternative<std::monostate>(view["nothing"]));
    });
}

TEST_CASE("a view tells explicit zeros and empty values from unset ones")
{
    in_every_form(Message().real(1, 0).varint(8, 0).text(9, "").text(11, "").str(), [](const MessageView& view) {
        CHECK(names_of_fields(view) == std::vector<std::string>{"kind_1", "kind_8", "kind_9", "kind_11"});
        CHECK(as<double>(view.get(field(1))) == 0);
        CHECK(as<bool>(view.get(field(8))) == false);
        CHECK(as<std::string_view>(view.get(field(9))).empty());
        CHECK(names_of_fields(as<MessageView>(view.get(field(11)))).empty());
    });
}

TEST_CASE("a view gives the elements of repeated fields in order")
{
    const auto message = Message()
                             .varint(repeated + 5, 1)
                             .message(repeated + 11, Message().real(1, 1))
                             .text(repeated + 9, "a")
                             .varint(repeated + 5, std::uint64_t(-2))
                             .message(repeated + 11, Message())
                             .text(repeated + 9, "")
                             .str();
    in_every_form(message, [](const MessageView& view) {
        const auto numbers = view.repeated(field(repeated + 5));
        REQUIRE(numbers.size() == 2);
        CHECK(as<std::int64_t>(numbers[0]) == 1);
        CHECK(as<std::int64_t>(numbers[1]) == -2);
        const auto texts = view.repeated(field(repeated + 9));
        REQUIRE(texts.size() == 2);
        CHECK(as<std::string_view>(texts[0]) == "a");
        CHECK(as<std::string_view>(texts[1]).empty());
        const auto leaves = view.repeated(field(repeated + 11));
        REQUIRE(leaves.size() == 2);
        CHECK(as<MessageView>(leaves[0]).real(1) == 1.0);
        CHECK_FALSE(as<MessageView>(leaves[1]).real(1));
        CHECK(view.repeated(field(repeated + 1)).size() == 0);

        std::vector<std::int64_t> seen;
        view.for_each_element(field(repeated + 5), [&](const Value& value) {
            seen.push_back(as<std::int64_t>(value));
            return false;
        });
        CHECK(seen == std::vector<std::int64_t>{1});
    });
}

TEST_CASE("packed and unpacked elements of one field are read alike")
{
    const auto packed_varints = Message().raw_varint(7).raw_varint(300).str();
    const auto packed_reals = Message().raw_value(1.5).raw_value(2.5).str();
    for (const auto base : {repeated, packed}) {
        const auto message = Message()
                                 .varint(base + 13, 1)
                                 .text(base + 13, packed_varints)
                                 .text(base + 13, "")
                                 .varint(base + 13, 2)
                                 .text(base + 1, packed_reals)
                                 .real(base + 1, 3.5)
                                 .str();
        in_every_form(message, [&](const MessageView& view) {
            const auto numbers = view.repeated(field(base + 13));
            REQUIRE(numbers.size() == 4);
            CHECK(as<std::uint64_t>(numbers[1]) == 7);
            CHECK(as<std::uint64_t>(numbers[2]) == 300);
            CHECK(as<std::uint64_t>(numbers[3]) == 2);
            CHECK(as<double>(view.repeated(field(base + 1))[1]) == 2.5);
            CHECK(view.repeated(field(base + 1)).size() == 3);
        });
    }
}

TEST_CASE("a repeated field with nothing but empty packed chunks has no elements")
{
    const auto message = Message().text(packed + 13, "").str();
    const auto view = view_of(message);
    CHECK_FALSE(view.has(field(packed + 13)));
    CHECK(names_of_fields(view).empty());
    CHECK(view.unknown_fields() == 0);
}

TEST_CASE("of a scalar that occurs twice the last one counts")
{
    const auto message = Message().real(1, 1).text(9, "a").real(1, 2).text(9, "b").str();
    CHECK(view_of(message).real(1) == 2.0);
    CHECK(view_of(message).text(9) == "b");
}

TEST_CASE("a submessage in pieces is one message, and what it hands out outlives the copy")
{
    const auto message =
        Message()
            .message(19, Message().message(11, Message().real(1, 1).text(4, "first")).varint(repeated + 5, 1))
            .real(1, 5)
            .message(19, Message().varint(repeated + 5, 2).message(11, Message().real(2, 2).text(4, "second")))
            .message(19, Message())
            .str();
    const auto view = view_of(message);
    std::string_view name;
    {
        const auto inner = view.message(19);
        REQUIRE(inner);
        CHECK(names_of_fields(*inner) == std::vector<std::string>{"kind_11", "repeated_kind_5"});
        const auto numbers = inner->repeated(field(repeated + 5));
        REQUIRE(numbers.size() == 2);
        CHECK(as<std::int64_t>(numbers[1]) == 2);
        const auto leaf = inner->message(11);
        REQUIRE(leaf);
        CHECK(leaf->real(1) == 1.0);
        CHECK(leaf->real(2) == 2.0);
        name = *leaf->text(4);
    }
    CHECK(name == "second");
    CHECK(name.data() == message.data() + message.find("second"));
}

TEST_CASE("a field that a piece of a split submessage cuts off does not go on in the next piece")
{
    const auto whole = Message().text(9, "ab").str();
    const auto message = Message().text(19, whole.substr(0, 2)).text(19, whole.substr(2)).str();
    CHECK(error_of([&] { return view_of(message).message(19); }) ==
          "byte 3: kind_9: a length of 2 bytes, found 0 before the end of the message");
}

TEST_CASE("an error in a split submessage names the byte in the payload")
{
    const auto message =
        Message().message(19, Message().varint(5, 1)).message(19, Message().text(packed + 1, "123")).str();
    const auto inner = view_of(message).message(19);
    REQUIRE(inner);
    CHECK(error_of([&] { return inner->repeated(field(packed + 1)); }) ==
          "byte 11: packed_kind_1: the packed elements end in the middle of one");
}

TEST_CASE("the places of all fields, found at once, lead to the values that a view returns")
{
    const auto text = scalars() + Message().varint(3, 9).message(19, Message().varint(3, 1)).str() +
                      Message().varint(10, 5).varint(99, 1).message(19, Message().varint(5, 2)).str();
    const auto view = view_of(text);
    const auto& fields = by_hand::every_kind().fields;
    std::vector<WirePlace> places(fields.size());
    view.find_fields(places);
    CHECK(places[field(3).index].count == 2);
    CHECK(places[field(19).index].count == 2);
    for (const auto& row : fields) {
        if (row.repeated) continue;
        CAPTURE(row.name);
        const auto place = places[row.index];
        CHECK((place.count != 0) == view.has(row));
        if (place.count == 0) continue;
        if (row.kind == FieldKind::message) {
            const auto message = as<MessageView>(view.reference_at(row, place));
            CHECK((message.integer(3) == 1 && message.integer(5) == 2));
        } else if (row.kind == FieldKind::string || row.kind == FieldKind::bytes) {
            CHECK(view.reference_at(row, place).index() == view.get(row).index());
        } else {
            const auto value = scalar_value(row, view.scalar_at(row, place));
            CHECK(as_real(value) == as_real(view.get(row)));
        }
    }
    const auto broken = text + "\x09";
    CHECK_THROWS_AS(view_of(broken).find_fields(places), Error);
}

TEST_CASE("any message of a payload becomes a Protobuf message of its own")
{
    const auto inner = Message().varint(3, 7).text(9, "inner");
    for (const auto layout : {Layout::numbered, Layout::declared}) {
        const Flat flat(Message().message(19, inner).str(), layout);
        ByteBuffer out;
        write_protobuf(flat.view().message(19).value(), out);
        CHECK(text_of(out.bytes()) == inner.str());
    }
    const auto wire = Message().message(19, inner).str();
    ByteBuffer out;
    write_protobuf(view_of(wire).message(19).value(), out);
    CHECK(text_of(out.bytes()) == inner.str());
}

TEST_CASE("a known field with another wire type is an unknown field")
{
    const auto message =
        Message().real(5, 1).varint(1, 3).text(13, "x").fixed32(repeated + 5, 1).varint(9, 1).varint(301, 1).str();
    const auto view = view_of(message);
    CHECK(names_of_fields(view).empty());
    CHECK(view.unknown_fields() == 6);
    CHECK_FALSE(view.has(field(5)));
    CHECK(view.repeated(field(repeated + 5)).size() == 0);
}

TEST_CASE("varints wider than their field are truncated as libprotobuf does")
{
    const auto message =
        Message().varint(5, 0x1'0000'0005).varint(13, 0x2'0000'000d).varint(14, 0x3'ffff'ffff).varint(8, 0x100).str();
    in_every_form(message, [](const MessageView& view) {
        CHECK(view.integer(5) == 5);
        CHECK(view.integer(13) == 13);
        CHECK(view.integer(14) == -1);
        CHECK(as<bool>(view.get(field(8))));
    });
}

TEST_CASE("a NaN keeps its payload")
{
    const std::uint64_t bits = 0xfff8'0000'0000'1234;
    in_every_form(Message().fixed64(1, bits).str(), [&](const MessageView& view) {
        CHECK(std::bit_cast<std::uint64_t>(as<double>(view.get(field(1)))) == bits);
    });
}

TEST_CASE("groups are passed over and counted as unknown")
{
    const auto group = Message().tag(100, 3).varint(1, 5).tag(101, 3).tag(101, 4).tag(100, 4).varint(5, 7).str();
    CHECK(view_of(group).integer(5) == 7);
    CHECK(view_of(group).unknown_fields() == 1);
}

TEST_CASE("groups nested without limit are refused")
{
    Message message;
    for (int i = 0; i != 200'000; ++i) message.tag(100, 3);
    CHECK(error_of([&] { return view_of(message.str()).integer(5); }) ==
          "byte 0: field 100 (unknown to the schema): a group without its end, or its nesting exceeds the limit of 100 "
          "levels");
}

TEST_CASE("broken tags and values name the byte")
{
    const auto reading = [](const std::string& bytes) {
        return error_of([&] { return view_of(bytes).unknown_fields(); });
    };
    CHECK(reading(Message().varint(5, 1).raw({"\x00", 1}).str()) == "byte 2: field number 0, expected 1 to 536870911");
    CHECK(reading(Message().raw("\x0e").str()) == "byte 0: kind_1: wire type 6, expected 0, 1, 2 or 5");
    CHECK(reading(Message().raw("\x0c").str()) == "byte 0: kind_1: wire type 4, expected 0, 1, 2 or 5");
    CHECK(reading(Message().raw("\xff\xff\xff\xff\xff\xff").str()) == "byte 0: a tag of more than 5 bytes");
    CHECK(reading(Message().tag(1, 1).raw("1234567").str()) ==
          "byte 0: kind_1: expected 8 bytes, found 7 before the end of the message");
    CHECK(reading(Message().tag(5, 0).raw("\xff").str()) ==
          "byte 0: kind_5: a varint that the end of the message cuts off");
    CHECK(reading(Message().tag(9, 2).raw_varint(3).raw("ab").str()) ==
          "byte 0: kind_9: a length of 3 bytes, found 2 before the end of the message");
    CHECK(reading(Message().tag(9, 2).raw_varint(~0ull).raw("ab").str()) ==
          "byte 0: kind_9: a length of 18446744073709551615 bytes, found 2 before the end of the message");
}

TEST_CASE("a broken message can be read up to its damage")
{
    const auto whole = Message().varint(5, 1).text(9, "a");
    const auto broken = Message(whole).tag(9, 2).raw_varint(3).raw("bc").str();
    const auto front = up_to_damage(view_of(broken));
    CHECK(names_of_fields(front) == std::vector<std::string>{"kind_5", "kind_9"});
    CHECK(front.text(9) == "a");
    CHECK(front.wire_bytes()->size() == whole.str().size());
    CHECK(up_to_damage(view_of(whole.str())).wire_bytes()->size() == whole.str().size());
    CHECK(names_of_fields(up_to_damage(view_of("\xff"))).empty());
    // Of a message that stands on the wire in two pieces.
    const auto split = Message().message(19, whole).message(19, Message().varint(3, 2)).str();
    const auto merged = *view_of(split).message(19);
    CHECK(names_of_fields(up_to_damage(merged)) == std::vector<std::string>{"kind_3", "kind_5", "kind_9"});
    in_every_form(whole.str(), [](const MessageView& view) { CHECK(up_to_damage(view).text(9) == "a"); });
}

TEST_CASE("messages nested deeper than the limit are refused in both encodings")
{
    std::string message;
    for (int i = 0; i != max_message_depth + 1; ++i) message = Message().text(19, message).str();
    const auto descend = [](MessageView view) {
        while (const auto inner = view.message(19)) view = *inner;
        return view;
    };
    CHECK(error_of([&] {
              return descend(view_of(message));
          }).find("itself: the nesting of messages exceeds the limit of 100 levels") != std::string::npos);
}

TEST_CASE("a chain of FlatBuffers tables ends at the depth limit")
{
    // Offsets lead forward, so there are no circles; one vtable serves all tables of the chain.
    constexpr std::uint32_t slot = 18, vtable = 8, vtable_bytes = 4 + 2 * (slot + 1), tables = 300;
    std::string buffer(vtable + vtable_bytes + 8 * tables, '\0');
    auto* const data = reinterpret_cast<std::byte*>(buffer.data());
    store_le32(data, vtable + vtable_bytes);
    store(data + vtable, static_cast<std::uint16_t>(vtable_bytes));
    store(data + vtable + 2, std::uint16_t{8});
    store(data + vtable + 4 + 2 * slot, std::uint16_t{4});
    for (std::uint32_t i = 0; i != tables; ++i) {
        const auto position = vtable + vtable_bytes + 8 * i;
        store(data + position, static_cast<std::int32_t>(position - vtable));
        store_le32(data + position + 4, 4);
    }
    const auto descend = [&] {
        MessageView view(bytes_of(buffer), by_hand::every_kind(), {Encoding::flatbuffers, Layout::numbered});
        while (const auto inner = view.message(19)) view = *inner;
        return view;
    };
    CHECK(error_of(descend).find("itself: the nesting of messages exceeds the limit of 100 levels") !=
          std::string::npos);
}

TEST_CASE("a broken FlatBuffer is refused at its root")
{
    const auto open = [](const std::string& bytes) {
        return error_of([&] {
            return MessageView(bytes_of(bytes), by_hand::every_kind(), {Encoding::flatbuffers, Layout::numbered});
        });
    };
    CHECK(open("1234") == "byte 0: too short for a FlatBuffer: found 4, expected 8 bytes or more");
    CHECK(open(std::string(16, '\0')) == "byte 0: an offset leads outside of the buffer: found 0, expected 1 to 16");
    CHECK(open(std::string("\xff\0\0\0", 4) + std::string(12, '\0')) ==
          "byte 0: an offset leads outside of the buffer: found 255, expected 1 to 16");
}

TEST_CASE("every flipped byte of a FlatBuffer is read or refused, never followed outside")
{
    const auto message =
        scalars() +
        Message().text(repeated + 9, "a").message(repeated + 11, Message().real(1, 1)).text(packed + 13, "\1\2").str();
    ByteBuffer good;
    Transcoder(by_hand::every_kind(), {}, {Encoding::flatbuffers, Layout::numbered}).transcode(bytes_of(message), good);
    std::size_t refused = 0;
    for (std::size_t i = 0; i != good.size(); ++i) {
        for (const auto flip : {0x01, 0x40, 0x80, 0xff}) {
            std::vector<std::byte> bad(good.data(), good.data() + good.size());
            bad[i] ^= static_cast<std::byte>(flip);
            try {
                const MessageView view(bad, by_hand::every_kind(), {Encoding::flatbuffers, Layout::numbered});
                static_cast<void>(view.unknown_fields());
                view.for_each_field([&](const FieldRow& row) {
                    if (!row.repeated)
                        static_cast<void>(view.get(row));
                    else
                        for (std::size_t e = 0; e != view.repeated(row).size(); ++e)
                            static_cast<void>(view.repeated(row)[e]);
                    return true;
                });
            } catch (const Error& error) {
                CHECK(error.cause() == Cause::malformed);
                ++refused;
            }
        }
    }
    CHECK(refused > 100);
}

TEST_CASE("unknown slots of a FlatBuffer are counted")
{
    const auto newer = Schema::built_in()->find("osi3.Vector3d");
    const auto older = Schema::built_in()->find("osi3.Vector2d");
    REQUIRE(newer != nullptr);
    ByteBuffer flat;
    Transcoder(*newer, {}, {Encoding::flatbuffers, Layout::numbered})
        .transcode(Message().real(1, 1).real(3, 3).bytes(), flat);
    const MessageView view(flat.bytes(), *older, {Encoding::flatbuffers, Layout::numbered});
    CHECK(view.unknown_fields() == 1);
    CHECK(view.real(1) == 1.0);
}

TEST_CASE("a view refuses fields of other messages and the wrong multiplicity")
{
    const auto& other = Schema::built_in()->find("osi3.Vector3d")->fields.front();
    const std::string empty;
    CHECK(error_of([&] { return view_of(empty).get(other); }) == "x: not a field of test.EveryKind");
    CHECK(error_of([&] { return view_of(empty).get(field(repeated + 1)); }) ==
          "repeated_kind_1: a repeated field has no single value");
    CHECK(error_of([&] { return view_of(empty).repeated(field(1)); }) == "kind_1: not a repeated field");
    CHECK(error_of([&] { return view_of(empty).repeated(field(repeated + 1))[0]; }) ==
          "repeated_kind_1: element 0 of 0");
}

TEST_CASE("values convert to numbers where they are some")
{
    CHECK(as_real(Value(true)) == 1.0);
    CHECK(as_real(Value(0.5f)) == 0.5);
    CHECK(as_real(Value(std::int64_t{-2})) == -2.0);
    CHECK(as_real(Value(std::string_view("1"))) == std::nullopt);
    CHECK(as_integer(Value(~0ull)) == -1);
    CHECK(as_integer(Value(1.0)) == std::nullopt);
    CHECK(as_integer(Value{}) == std::nullopt);
}

TEST_CASE("check_structure refuses what the transcoder refuses, and nothing else")
{
    const auto message =
        scalars() +
        Message().text(repeated + 9, "a").message(repeated + 11, Message().real(1, 1)).text(packed + 13, "\1\2").str();
    for (const auto format :
         {Format{}, Format{Encoding::flatbuffers, Layout::numbered}, Format{Encoding::flatbuffers, Layout::declared}}) {
        const auto other =
            format.encoding == Encoding::protobuf ? Format{Encoding::flatbuffers, Layout::numbered} : Format{};
        Transcoder reader(by_hand::every_kind(), format, other);
        ByteBuffer good, scratch;
        if (format.encoding == Encoding::protobuf)
            good.append(bytes_of(message));
        else
            Transcoder(by_hand::every_kind(), {}, format).transcode(bytes_of(message), good);
        std::size_t refused = 0;
        const auto compare = [&](Bytes bytes) {
            const auto by_transcoder = error_of([&] { reader.transcode(bytes, scratch); });
            const auto by_check = error_of([&] { check_structure(bytes, by_hand::every_kind(), format); });
            CHECK(by_check.empty() == by_transcoder.empty());
            if (by_check.empty() != by_transcoder.empty()) WARN(by_transcoder << " | " << by_check);
            refused += by_check.empty() ? 0 : 1;
        };
        compare(good.bytes());
        CHECK(refused == 0);
        for (std::size_t length = 1; length < good.size(); ++length) compare(good.bytes().first(length));
        for (std::size_t i = 0; i != good.size(); ++i) {
            for (const auto flip : {0x01, 0x08, 0x40, 0x80, 0xff}) {
                std::vector<std::byte> bad(good.data(), good.data() + good.size());
                bad[i] ^= static_cast<std::byte>(flip);
                compare(bad);
            }
        }
        CHECK(refused > 100);
    }
}

TEST_CASE("check_structure names place and field, and asks for one known field at least")
{
    const auto verdict = [](const std::string& bytes) {
        return error_of([&] { check_structure(bytes_of(bytes), by_hand::every_kind(), {}); });
    };
    CHECK(verdict("").empty());
    CHECK(verdict("XXXX") == "byte 0: no field of test.EveryKind is in it");
    CHECK(verdict(Message().message(19, Message().tag(9, 2).raw_varint(3).raw("bc")).str()) ==
          "byte 4: itself.kind_9: a length of 3 bytes, found 2 before the end of the message");
    std::string nested;
    for (int i = 0; i <= max_message_depth + 1; ++i) nested = Message().text(19, nested).str();
    CHECK(verdict(nested).find("the nesting of messages exceeds the limit of 100 levels") != std::string::npos);
}

TEST_CASE("check_structure finds damage in a large cloud of short elements that is longer than one of them")
{
    const auto element = Message().message(repeated + 11, Message().real(1, 1).varint(2, 3)).str();
    std::string cloud;
    while (cloud.size() < (std::size_t{2} << 20)) cloud += element;
    const Format flat{Encoding::flatbuffers, Layout::numbered};
    ByteBuffer other;
    Transcoder(by_hand::every_kind(), {}, flat).transcode(bytes_of(cloud), other);
    for (const auto& [whole, format] : {std::pair<Bytes, Format>{bytes_of(cloud), Format{}}, {other.bytes(), flat}}) {
        CHECK_NOTHROW(check_structure(whole, by_hand::every_kind(), format));
        // The tables of a FlatBuffer are behind the offsets to them: those of 16 elements are found.
        const std::size_t damage = format.encoding == Encoding::protobuf ? 2 * element.size() : 16 * element.size() * 2;
        for (const auto place : {whole.size() / 5, whole.size() / 2, whole.size() - 2 * damage}) {
            CAPTURE(place);
            std::vector<std::byte> bad(whole.begin(), whole.end());
            std::fill_n(bad.begin() + static_cast<std::ptrdiff_t>(place), damage, std::byte{0xff});
            CHECK_THROWS_AS(check_structure(bad, by_hand::every_kind(), format), Error);
        }
    }
}

TEST_CASE("check_structure ends soon where the tables of a FlatBuffer are shared again and again")
{
    // Each table has a vector of two references to the next one: 2^60 ways through 60 tables. There is nothing to be
    // found.
    constexpr std::uint32_t slot = 39 - 1, vtable = 8, vtable_bytes = 4 + 2 * (slot + 1), tables = 60, table_bytes = 20;
    std::string buffer(vtable + vtable_bytes + table_bytes * tables + 64, '\0');
    auto* const data = reinterpret_cast<std::byte*>(buffer.data());
    const auto position_of = [&](std::uint32_t i) { return vtable + vtable_bytes + table_bytes * i; };
    store_le32(data, position_of(0));
    store(data + vtable, static_cast<std::uint16_t>(vtable_bytes));
    store(data + vtable + 2, std::uint16_t{8});
    store(data + vtable + 4 + 2 * slot, std::uint16_t{4});
    for (std::uint32_t i = 0; i != tables; ++i) {
        const auto position = position_of(i);
        store(data + position, static_cast<std::int32_t>(position - vtable));
        store_le32(data + position + 4, 4);
        store_le32(data + position + 8, i + 1 == tables ? 0 : 2);
        store_le32(data + position + 12, position_of(i + 1) - (position + 12));
        store_le32(data + position + 16, position_of(i + 1) - (position + 16));
    }
    CHECK_NOTHROW(check_structure(bytes_of(buffer), by_hand::every_kind(), {Encoding::flatbuffers, Layout::numbered}));
}
