// SPDX-License-Identifier: MPL-2.0
#include <string>

#include <ositrace/field_docs.hpp>

#include "lib/field_docs/doc_text.hpp"
#include "tests/catch.hpp"
#include "tests/places.hpp"

using namespace ositrace;

namespace {

const MessageTable& message(std::string_view name)
{
    const auto* const table = Schema::built_in()->find(name);
    REQUIRE(table != nullptr);
    return *table;
}

FieldPlace place(std::string_view message_name, std::string_view field_name)
{
    const auto& table = message(message_name);
    const auto* const field = table.find(field_name);
    REQUIRE(field != nullptr);
    return {&table, field};
}

/// Without network the build has no comments, and says so.
bool has_comments()
{
    if (documented_names() != 0) return true;
    CHECK(ositrace::test::schema_380().empty());
    WARN("skipped: the comments of OSI could not be fetched");
    return false;
}

}  // namespace

TEST_CASE("every field of OSI is documented")
{
    if (!has_comments()) return;
    int fields = 0;
    std::string missing;
    for (const auto& table : Schema::built_in()->messages()) {
        if (!table->full_name.starts_with("osi3.")) continue;
        for (const auto& field : table->fields) {
            ++fields;
            const auto* const doc = doc_of(*table, field);
            if (doc == nullptr || doc->comment.empty())
                missing.append(table->full_name).append(".").append(field.name) += '\n';
        }
    }
    CHECK(fields == 855);
    CHECK(missing == "");
}

TEST_CASE("messages, enums and their values are documented")
{
    if (!has_comments()) return;
    REQUIRE(doc_of(message("osi3.MovingObject")) != nullptr);
    const auto& type = *place("osi3.MovingObject", "type").field->enumeration;
    REQUIRE(doc_of(type) != nullptr);
    CHECK(doc_of(type)->comment == "Definition of object types.");
    REQUIRE(doc_of(type, "TYPE_PEDESTRIAN") != nullptr);
    CHECK(doc_of(type, "TYPE_PEDESTRIAN")->comment == "Object is a pedestrian.");
    CHECK(doc_of(type, "TYPE_SHIP") == nullptr);
}

TEST_CASE("the unit of a coordinate is that of the place it stands in")
{
    if (!has_comments()) return;
    const auto x = place("osi3.Vector3d", "x");
    const auto yaw = place("osi3.Orientation3d", "yaw");
    CHECK(unit_of(x) == "m, m/s, or m/s^2");
    CHECK(unit_of(x, place("osi3.BaseMoving", "position")) == "m");
    CHECK(unit_of(x, place("osi3.BaseMoving", "velocity")) == "m/s");
    CHECK(unit_of(x, place("osi3.BaseMoving", "acceleration")) == "m/s^2");
    CHECK(unit_of(yaw, place("osi3.BaseMoving", "orientation")) == "rad");
    CHECK(unit_of(yaw, place("osi3.BaseMoving", "orientation_rate")) == "rad/s");
    CHECK(unit_of(yaw, place("osi3.BaseMoving", "orientation_acceleration")) == "rad/s^2");
    CHECK(unit_of(place("osi3.Dimension3d", "length"), place("osi3.BaseMoving", "dimension")) == "m");
    CHECK(unit_of(place("osi3.MovingObject", "id")).empty());
    CHECK(unit_of({}).empty());
}

TEST_CASE("unit and rules stand apart from the comment")
{
    if (!has_comments()) return;
    const auto nanos = place("osi3.Timestamp", "nanos");
    const auto* const doc = doc_of(*nanos.message, *nanos.field);
    REQUIRE(doc != nullptr);
    CHECK(doc->comment == "The number of nanoseconds since the start of the last second.\n\nRange: [0, 999.999.999]");
    CHECK(doc->unit == "ns");
    CHECK(doc->rules == "is_greater_than_or_equal_to: 0\nis_less_than_or_equal_to: 999999999");
}

TEST_CASE("no command of Doxygen is left in what people read")
{
    if (!has_comments()) return;
    std::string found;
    for (const auto& table : Schema::built_in()->messages())
        for (const auto& field : table->fields)
            if (const auto* const doc = doc_of(*table, field);
                doc != nullptr && doc->comment.find('\\') != std::string_view::npos)
                found.append(doc->comment) += '\n';
    CHECK(found == "");
}

TEST_CASE("a comment becomes paragraphs of plain words")
{
    const auto doc =
        doc_text({"", "\\brief The \\c #base of", "an object.", "", "\\image html A.svg", "\\note See", "\\ref here.",
                  "\\f$ a := b \\f$", "Unit: rad/s.", "", "\\rules", "is_set", "\\endrules"});
    CHECK(doc.comment == "The base of an object.\n\nNote: See here. a := b");
    CHECK(doc.unit == "rad/s");
    CHECK(doc.rules == "is_set");
    CHECK(doc_text({"Unit: tn. sh."}).unit == "tn. sh.");
    CHECK(doc_text({}).comment.empty());
}
