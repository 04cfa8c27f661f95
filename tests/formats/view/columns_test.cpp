// SPDX-License-Identifier: MPL-2.0
#include <ositrace/columns.hpp>

#include <array>

#include "tests/catch.hpp"
#include "tests/formats/descriptors.hpp"

using namespace ositrace;
using by_hand::Message;

TEST_CASE("of the fields of a oneof the last one on the wire is in a column")
{
    const auto of_oneof = [](Message field) { return field.varint(9, 0); };
    const auto inner = by_hand::message_type("Inner", of_oneof(by_hand::field("metres", 1, FieldKind::double_)),
                                             of_oneof(by_hand::field("feet", 2, FieldKind::double_)),
                                             by_hand::field("count", 3, FieldKind::uint64))
                           .message(8, Message().text(1, "length"));
    const auto all =
        by_hand::message_type("All", by_hand::repeated_field("inner", 1, FieldKind::message, ".test.Inner"));
    const auto schema = Schema::compile(bytes_of(by_hand::descriptor_set(inner, all)));
    const auto& root = *schema->find("test.All");

    const auto both = Message().real(1, 1.5).real(2, 2.5).varint(3, 3);
    const auto again = Message().real(1, 4.5).real(2, 5.5).real(1, 6.5);
    // Each several times, so that elements are read by what is known of their shapes.
    Message message;
    for (int i = 0; i != 4; ++i) message.message(1, both);
    for (int i = 0; i != 4; ++i) message.message(1, again);
    constexpr std::array leaves{std::string_view("metres"), std::string_view("feet")};
    ColumnReader columns(*root.find("inner"), leaves);
    columns.read(MessageView(message.bytes(), root, {}));
    REQUIRE(columns.rows() == 8);
    for (std::size_t row = 0; row != 4; ++row) {
        CHECK(!columns.has(0, row));
        CHECK(columns.reals(1)[row] == 2.5);
    }
    for (std::size_t row = 4; row != 8; ++row) {
        CHECK(columns.reals(0)[row] == 6.5);
        CHECK(!columns.has(1, row));
    }
}
