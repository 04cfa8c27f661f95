// SPDX-License-Identifier: MPL-2.0
#include <fstream>
#include <iterator>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/schema.hpp>

#include "tests/catch.hpp"
#include "tests/formats/descriptors.hpp"
#include "tests/formats/every_kind.hpp"
#include "tests/places.hpp"

using namespace ositrace;

namespace {

std::size_t count_fields(const Schema& schema)
{
    std::size_t count = 0;
    for (const auto& table : schema.messages())
        count += table->full_name.starts_with("osi3.") ? table->fields.size() : 0;
    return count;
}

template <class Tables>
std::size_t count_osi(const Tables& tables)
{
    std::size_t count = 0;
    for (const auto& table : tables) count += table->full_name.starts_with("osi3.") ? 1 : 0;
    return count;
}

const FieldRow& field(const Schema& schema, std::string_view message, std::string_view name)
{
    const auto* const table = schema.find(message);
    REQUIRE(table != nullptr);
    const auto* const row = table->find(name);
    REQUIRE(row != nullptr);
    return *row;
}

std::shared_ptr<const Schema> schema_370()
{
    const auto name = ositrace::test::schema_370();
    std::ifstream file(name, std::ios::binary);
    if (name.empty() || !file) return nullptr;
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    return Schema::compile(bytes_of(bytes));
}

}  // namespace

TEST_CASE("the built-in schema is OSI 3.8.0: 179 messages, 65 enums, 855 fields")
{
    const auto schema = Schema::built_in();
    REQUIRE(schema->osi_version().has_value());
    CHECK(schema->osi_version()->to_string() == "3.8.0");
    CHECK(count_osi(schema->messages()) == 179);
    CHECK(count_osi(schema->enums()) == 65);
    CHECK(count_fields(*schema) == 855);
}

TEST_CASE("the built-in schema is compiled once and has all top-level types")
{
    const auto schema = Schema::built_in();
    CHECK(Schema::built_in() == schema);
    for (const auto& type : message_types()) CHECK(schema->root(type.type).full_name == type.full_name);
}

TEST_CASE("version and timestamp of the top-level types stand where the table of types says")
{
    const auto schema = Schema::built_in();
    for (const auto& type : message_types()) {
        const auto& root = schema->root(type.type);
        INFO(type.full_name);
        REQUIRE(root.find(type.version_field) != nullptr);
        CHECK(root.find(type.version_field)->child->full_name == "osi3.InterfaceVersion");
        if (type.timestamp_field == 0) continue;
        REQUIRE(root.find(type.timestamp_field) != nullptr);
        CHECK(root.find(type.timestamp_field)->child->full_name == "osi3.Timestamp");
    }
}

TEST_CASE("rows of OSI: numbers, kinds, children, enums, slots")
{
    const auto schema = Schema::built_in();
    const auto& lidar = field(*schema, "osi3.SensorView", "lidar_sensor_view");
    CHECK(lidar.number == 1002);
    CHECK(lidar.repeated);
    CHECK(lidar.kind == FieldKind::message);
    CHECK(lidar.child == schema->find("osi3.LidarSensorView"));
    CHECK(lidar.slot(Layout::numbered) == 1001);
    CHECK(lidar.slot(Layout::declared) == lidar.declared);
    const auto& type = field(*schema, "osi3.MovingObject", "type");
    CHECK(type.kind == FieldKind::enumeration);
    CHECK(type.enumeration->full_name == "osi3.MovingObject.Type");
    CHECK(type.enumeration->name_of(2) == "TYPE_VEHICLE");
    CHECK(type.enumeration->name_of(77).empty());
    CHECK(type.enumeration->parent == schema->find("osi3.MovingObject"));
}

TEST_CASE("a field is found by number, name and slot in either layout")
{
    const auto& table = by_hand::every_kind();
    for (const auto& row : table.fields) {
        INFO(row.name);
        CHECK(table.find(row.number) == &row);
        CHECK(table.find(row.name) == &row);
        CHECK(table.find_slot(row.number - 1, Layout::numbered) == &row);
        CHECK(table.find_slot(row.declared, Layout::declared) == &row);
    }
    CHECK(table.find(299) == nullptr);
    CHECK(table.find(0u) == nullptr);
    CHECK(table.find(0xffff'ffffu) == nullptr);
    CHECK(table.find("nothing") == nullptr);
    CHECK(table.find_slot(static_cast<std::uint32_t>(table.fields.size()), Layout::declared) == nullptr);
}

TEST_CASE("fields ascend by number whatever the order of declaration, which is kept")
{
    const auto& table = by_hand::every_kind();
    for (std::size_t i = 1; i < table.fields.size(); ++i) CHECK(table.fields[i - 1].number < table.fields[i].number);
    CHECK(table.fields[table.declared_order.front()].name == "far_away");
    CHECK(table.fields[table.declared_order.back()].name == "many_itself");
}

TEST_CASE("packed is what proto2 asks for and what proto3 does by default")
{
    using namespace by_hand;
    const auto type =
        message_type("M", repeated_field("plain", 1, FieldKind::int32), packed_field("packed", 2, FieldKind::int32),
                     repeated_field("text", 3, FieldKind::string),
                     Message(repeated_field("unpacked", 4, FieldKind::int32)).message(8, Message().varint(2, 0)));
    const auto compiled = [&](const char* syntax) {
        return Schema::compile(
            bytes_of(Message().message(1, file("a.proto", "test").message(4, type).text(12, syntax)).str()));
    };
    const auto proto2 = compiled("proto2"), proto3 = compiled("proto3");
    CHECK_FALSE(field(*proto2, "test.M", "plain").packed);
    CHECK(field(*proto2, "test.M", "packed").packed);
    CHECK(field(*proto3, "test.M", "plain").packed);
    CHECK_FALSE(field(*proto3, "test.M", "text").packed);
    CHECK_FALSE(field(*proto3, "test.M", "unpacked").packed);
}

TEST_CASE("the first name of an enum value counts, aliases stand behind it")
{
    using namespace by_hand;
    auto type = message_type("M", field("e", 1, FieldKind::enumeration, ".test.M.E"));
    type.message(4, enum_type("E", enum_value("A", 0), enum_value("B", 1), enum_value("C", 1)));
    const auto set = descriptor_set(type);
    const auto schema = Schema::compile(bytes_of(set));
    const auto& table = *schema->enums().front();
    CHECK(table.name_of(1) == "B");
    CHECK(table.values.size() == 3);
}

TEST_CASE("a schema outlives the bytes it was compiled from and gives them back")
{
    auto set = by_hand::every_kind_descriptors();
    const auto copy = set;
    const auto schema = Schema::compile(bytes_of(set));
    set.assign(set.size(), 'x');
    CHECK(schema->find("test.EveryKind")->find("itself")->child == schema->find("test.EveryKind"));
    CHECK(text_of(schema->descriptor_set()) == copy);
}

TEST_CASE("what no top-level message reaches may be unsupported")
{
    using namespace by_hand;
    auto osi = file("osi.proto", "osi3");
    osi.message(4, message_type("GroundTruth", field("x", 1, FieldKind::double_)));
    osi.message(4, message_type("Other", field_raw("g", 1, group_kind, ".osi3.Other.G")));
    const auto schema = Schema::compile(bytes_of(Message().message(1, osi).str()));
    CHECK(schema->root(MessageType::ground_truth).fields.size() == 1);
}

TEST_CASE("OSI 3.7.0 compiles, and its rows differ where the release did")
{
    const auto schema = schema_370();
    if (schema == nullptr) {
        WARN("skipped: no descriptor set of OSI 3.7.0");
        return;
    }
    CHECK(schema->osi_version()->to_string() == "3.7.0");
    for (const auto& type : message_types()) CHECK(schema->find(type.full_name) != nullptr);
    CHECK(count_fields(*schema) < count_fields(*Schema::built_in()));
    // Numbers never change over releases: that is what the layout `numbered` stands on.
    for (const auto& old : schema->messages()) {
        const auto* const now = Schema::built_in()->find(old->full_name);
        if (now == nullptr || !old->full_name.starts_with("osi3.")) continue;
        for (const auto& row : old->fields) {
            const auto* const same = now->find(row.number);
            if (same == nullptr) continue;
            INFO(old->full_name << '.' << row.name);
            CHECK(same->kind == row.kind);
            CHECK(same->repeated == row.repeated);
        }
    }
}
