// SPDX-License-Identifier: MPL-2.0
// Edits of fields, on bytes written by hand. tests/python/test_edit.py has the same edits by Google's library.
#include <cmath>
#include <limits>

#include <ositrace/edit/fields.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/lib/edit/edited.hpp"

using namespace ositrace;
using by_hand::Message;
using Payloads = std::vector<std::string>;
using Kind = FieldEdit::Kind;

namespace {

Message identified(std::uint64_t id) { return Message().message(1, Message().varint(1, id)); }
Message vector3(double x, double y) { return Message().real(1, x).real(2, y); }

/// MovingObject { id base { position velocity } type source_reference } and a field that the schema does not know.
Message car(std::uint64_t id, double x, std::string_view name = {})
{
    auto object = identified(id)
                      .message(2, Message().message(2, vector3(x, 1)).message(4, vector3(9, 8)))
                      .varint(3, 2)
                      .text(900, "unknown");
    if (!name.empty()) object.message(10, Message().text(3, "Vehicle").text(3, name));
    return object;
}

Message truth(const std::vector<Message>& objects)
{
    Message message;
    message.message(1, Message().varint(1, 3)).message(2, Message().varint(1, 7)).message(3, Message().varint(1, 5));
    for (const auto& each : objects) message.message(5, each);
    return message.text(901, "more");
}

struct Edited {
    std::string bytes;
    FieldEditCounts counts;
};

Edited edited(const Message& message, std::vector<FieldEdit> edits, Nanoseconds shift = {})
{
    Edited result;
    const auto source = edit_fields(source_of({message.str()}), {std::move(edits), shift}, result.counts);
    result.bytes = payloads_of(*source).at(0);
    return result;
}

std::string refusal(std::vector<FieldEdit> edits)
{
    return error_of([&] { return edited(truth({car(1, 2)}), edits).bytes; });
}

}  // namespace

TEST_CASE("dropped fields and elements go, everything else keeps its bytes")
{
    const auto before = truth({car(1, 2, "Ego"), car(2, 3)});
    const auto without = [](std::uint64_t id, double x) {
        return identified(id).message(2, Message().message(2, vector3(x, 1))).varint(3, 2).text(900, "unknown");
    };
    const auto done =
        edited(before, {{Kind::drop, "moving_object.base.velocity"}, {Kind::drop, "moving_object.source_reference"}});
    CHECK(done.bytes == truth({without(1, 2), without(2, 3)}).str());
    CHECK(done.counts.edits[0].count == 2);
    CHECK(done.counts.edits[0].bytes == 2 * 20);
    CHECK(done.counts.edits[1].count == 1);
    CHECK(done.counts.changed == 1);
    CHECK(edited(before, {{Kind::drop, "moving_object[id=2]"}}).bytes == truth({car(1, 2, "Ego")}).str());
    CHECK(edited(before, {{Kind::drop, "moving_object[name=Ego]"}}).bytes == truth({car(2, 3)}).str());
    CHECK(edited(before, {{Kind::drop, "moving_object[1]"}}).bytes == truth({car(1, 2, "Ego")}).str());
    const auto nothing = edited(before, {{Kind::drop, "moving_object[id=9].base"}});
    CHECK(nothing.bytes == before.str());
    CHECK(nothing.counts.changed == 0);
}

TEST_CASE("of what is kept everything stays, and all else goes")
{
    const auto before = truth({car(1, 2, "Ego"), car(2, 3)});
    const auto done = edited(before, {{Kind::keep, "timestamp"}, {Kind::keep, "moving_object.base.position"}});
    const auto placed = [](double x) {
        return Message().message(5, Message().message(2, Message().message(2, vector3(x, 1)))).str();
    };
    CHECK(done.bytes == Message().message(2, Message().varint(1, 7)).str() + placed(2) + placed(3));
    CHECK(done.counts.left_out == 3 + 4 + 3 + 2);  // version, host, unknown; of the objects; velocity of both
    CHECK(edited(before, {{Kind::keep, "moving_object[id=2]"}}).bytes == Message().message(5, car(2, 3)).str());
    CHECK(edited(before, {{Kind::keep, "moving_object.id"}, {Kind::keep, "moving_object[id=2].type"}}).bytes ==
          Message().message(5, identified(1)).message(5, identified(2).varint(3, 2)).str());
    CHECK(edited(before, {{Kind::keep, "moving_object"}, {Kind::drop, "moving_object[name=Ego]"}}).bytes ==
          Message().message(5, car(2, 3)).str());
}

TEST_CASE("a value is set where it is and where it is not, in the order of the fields")
{
    const auto before = truth({car(1, 2)});
    const auto with_host = [](std::uint64_t host) {
        return Message()
            .message(1, Message().varint(1, 3))
            .message(2, Message().varint(1, 7))
            .message(3, Message().varint(1, host))
            .message(5, car(1, 2))
            .text(901, "more")
            .str();
    };
    CHECK(edited(before, {{Kind::set, "host_vehicle_id", "300"}}).bytes == with_host(300));
    const auto without_host = Message().message(2, Message().varint(1, 7)).message(5, identified(1));
    CHECK(edited(without_host, {{Kind::set, "host_vehicle_id.value", "5"}}).bytes ==
          Message()
              .message(2, Message().varint(1, 7))
              .message(3, Message().varint(1, 5))
              .message(5, identified(1))
              .str());
    const auto done = edited(without_host, {{Kind::set, "moving_object.type", "TYPE_ANIMAL"},
                                            {Kind::set, "moving_object.base.position.z", "-0.5"},
                                            {Kind::set, "moving_object.model_reference", "a=b"},
                                            {Kind::set, "version.version_major", "3"}});
    CHECK(
        done.bytes ==
        Message()
            .message(1, Message().varint(1, 3))
            .message(2, Message().varint(1, 7))
            .message(
                5, identified(1).message(2, Message().message(2, Message().real(3, -0.5))).varint(3, 4).text(7, "a=b"))
            .str());
    CHECK(done.counts.edits[0].count == 1);
    CHECK(edited(Message(), {{Kind::set, "moving_object.type", "3"}}).bytes.empty());  // no element is made
}

TEST_CASE("rounded numbers are multiples of a power of two, at most half a step away")
{
    CHECK(grid_of(0.001) == 0x1p-10);
    CHECK(grid_of(0.25) == 0.25);
    CHECK(grid_of(1.99) == 1);
    const auto numbers = [](double x, double y) {
        return truth({identified(1).message(2, Message().message(2, vector3(x, y)))});
    };
    const auto done = edited(numbers(1.2345678, -7.7777), {{Kind::round, "moving_object.base.position", {}, 0.01}});
    CHECK(done.bytes == numbers(1.234375, -7.78125).str());
    CHECK(done.counts.edits[0].count == 2);
    CHECK(done.counts.edits[0].largest_error == Approx(-7.7777 + 7.78125));
    const auto again = edited(numbers(1.234375, -7.78125), {{Kind::round, "moving_object.base.position.x", {}, 0.01}});
    CHECK(again.counts.changed == 0);
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    CHECK(edited(numbers(infinite, 1e300), {{Kind::round, "moving_object.base.position", {}, 0.01}}).bytes ==
          numbers(infinite, 1e300).str());
    CHECK(std::signbit(load<double>(reinterpret_cast<const std::byte*>(
              edited(numbers(-1e-9, 1), {{Kind::round, "moving_object.base.position.x", {}, 1}}).bytes.data() +
              numbers(-1e-9, 1).str().find(Message().real(1, -1e-9).str()) + 1))) == false);
    // With another edit the message is written anew.
    CHECK(edited(numbers(1.2345678, -7.7777),
                 {{Kind::round, "moving_object.base.position", {}, 0.01}, {Kind::drop, "host_vehicle_id"}})
              .bytes == edited(numbers(1.234375, -7.78125), {{Kind::drop, "host_vehicle_id"}}).bytes);
}

TEST_CASE("times are moved with the other edits")
{
    const auto done = edited(truth({}), {{Kind::drop, "version"}}, std::chrono::milliseconds(1500));
    CHECK(done.bytes == Message()
                            .message(2, Message().varint(1, 8).varint(2, 500'000'000))
                            .message(3, Message().varint(1, 5))
                            .text(901, "more")
                            .str());
}

TEST_CASE("an edit that cannot be is refused before anything is read")
{
    CHECK(refusal({{Kind::drop, "moving_objekt"}}).find("has no field 'moving_objekt'") != std::string::npos);
    CHECK(refusal({{Kind::set, "moving_object", "1"}}).find("is a message, expected one of its fields") !=
          std::string::npos);
    CHECK(refusal({{Kind::set, "moving_object.type", "TYPE_BOAT"}})
              .find("found 'TYPE_BOAT', expected one of TYPE_UNKNOWN") != std::string::npos);
    CHECK(refusal({{Kind::set, "host_vehicle_id", "-1"}}) ==
          "'host_vehicle_id': found '-1', expected a number of 64 bits");
    CHECK(refusal({{Kind::round, "moving_object.type", {}, 0.1}}) ==
          "'moving_object.type': is no real number and has none in it, so it cannot be rounded");
    CHECK(refusal({{Kind::drop, "moving_object.base"}, {Kind::round, "moving_object.base.position", {}, 0.1}}) ==
          "'moving_object.base.position': is part of what is dropped");
    CHECK(refusal({{Kind::set, "moving_object.type", "1"}, {Kind::drop, "moving_object.type"}}) ==
          "'moving_object.type': is named by two edits, or a part of it is");
}

TEST_CASE("a broken message is an error with its place")
{
    FieldEditCounts counts;
    const auto cut_off = truth({car(1, 2)}).str() + "\x2a\x05\x0a";
    const auto in_object = Message().tag(5, 2).raw_varint(3).raw("\x0a\x05\x08").str();
    const auto error = [&](const std::string& bytes, const FieldEdit& edit) {
        return error_of([&] { return payloads_of(*edit_fields(source_of({bytes}), {{edit}}, counts)).size(); });
    };
    CHECK(error(cut_off, {Kind::drop, "version"}).find("frame 0") != std::string::npos);
    CHECK(error(in_object, {Kind::drop, "moving_object.base"}).find("frame 0") != std::string::npos);
    CHECK(error(in_object, {Kind::round, "moving_object.base", {}, 1}).find("frame 0") != std::string::npos);
}
