// SPDX-License-Identifier: MPL-2.0
#include "formats/protobuf/message_writer.hpp"
#include "tests/catch.hpp"

#include <string>

#include <ositrace/error.hpp>

using namespace ositrace;

namespace {

const MessageTable& table(std::string_view name) { return *Schema::built_in()->find(name); }

std::string hex(const ByteBuffer& buffer)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const auto byte : buffer.bytes()) {
        text += digits[static_cast<unsigned>(byte) >> 4];
        text += digits[static_cast<unsigned>(byte) & 15];
    }
    return text;
}

}  // namespace

TEST_CASE("scalars are written as libprotobuf does")
{
    ByteBuffer bytes;
    MessageWriter out(bytes);
    const auto& timestamp = table("osi3.Timestamp");
    out.integer({timestamp, "seconds"}, -1);
    out.unsigned_integer({timestamp, "nanos"}, 300);
    CHECK(hex(bytes) == "08ffffffffffffffffff0110ac02");
}

TEST_CASE("reals, texts, booleans and enumerators")
{
    ByteBuffer bytes;
    MessageWriter out(bytes);
    const auto& value = table("osi3.TrafficSignValue");
    out.real({value, "value"}, 1.0);
    out.enumeration({value, "value_unit"}, "UNIT_KILOMETER_PER_HOUR");
    out.text({value, "text"}, "50");
    CHECK(hex(bytes) ==
          "09000000000000f03f1003"
          "1a023530");
    bytes.clear();
    MessageWriter bone(bytes);
    const auto& fields = table("osi3.MovingObject.PedestrianAttributes.Bone");
    bone.real({fields, "length"}, 0.5);  // a float
    bone.boolean({fields, "missing"}, true);
    CHECK(hex(bytes) == "250000003f2801");
}

TEST_CASE("lengths are shortest whether the guess was too small, too large or right")
{
    const auto content = GENERATE(0u, 1u, 126u, 127u, 128u, 200u, 16'383u, 16'384u, 70'000u);
    const auto guess = GENERATE(0u, 127u, 128u, 16'384u, 3'000'000u);
    const FieldTag reference(table("osi3.MovingObject"), "source_reference"),
        text(table("osi3.ExternalReference"), "reference");
    const std::string letters(content, 'x');
    ByteBuffer bytes;
    MessageWriter out(bytes);
    out.message(
        reference,
        [&] {
            if (content > 0) out.text(text, letters);
        },
        guess);
    ByteBuffer inner, expected;
    MessageWriter(inner).text(text, letters);
    MessageWriter(expected).bytes(reference, content > 0 ? inner.bytes() : Bytes{});
    CHECK(hex(bytes) == hex(expected));
}

TEST_CASE("messages nest")
{
    ByteBuffer bytes;
    MessageWriter out(bytes);
    const FieldTag id(table("osi3.MovingObject"), "id"), base(table("osi3.MovingObject"), "base"),
        value(table("osi3.Identifier"), "value"), position(table("osi3.BaseMoving"), "position"),
        x(table("osi3.Vector3d"), "x");
    out.message(id, [&] { out.unsigned_integer(value, 7); });
    out.message(base, [&] { out.message(position, [&] { out.real(x, 0); }); });
    CHECK(hex(bytes) ==
          "0a020807"
          "120b1209090000000000000000");
}

TEST_CASE("a field or enumerator that the schema does not know is refused when the tag is made")
{
    CHECK_THROWS_WITH(FieldTag(table("osi3.Vector3d"), "w"), "the schema has no field osi3.Vector3d.w");
    const FieldTag type(table("osi3.MovingObject"), "type");
    CHECK(type.enumerator("TYPE_VEHICLE") == 2);
    CHECK_THROWS_WITH(type.enumerator("TYPE_SHIP"), "the schema has no TYPE_SHIP in osi3.MovingObject.Type");
}
