// SPDX-License-Identifier: MPL-2.0
#include <ositrace/schema_text.hpp>

#include <fstream>
#include <iterator>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/descriptors.hpp"
#include "tests/formats/every_kind.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// The lines of a table or enum, without its comments.
std::string declaration(const std::string& text, const std::string& head)
{
    const auto start = text.find('\n' + head + ' ');
    return start == std::string::npos ? "" : text.substr(start + 1, text.find("}\n", start) - start);
}

std::shared_ptr<const Schema> compiled(const std::string& descriptor_set)
{
    return Schema::compile(bytes_of(descriptor_set));
}

}  // namespace

TEST_CASE("the numbered layout gives every field its number, and gaps a placeholder")
{
    const auto text = flatbuffers_schema(*Schema::built_in());
    CHECK(declaration(text, "table InterfaceVersion") ==
          "table InterfaceVersion {\n  version_major:uint = null (id: 0);\n"
          "  version_minor:uint = null (id: 1);\n  version_patch:uint = null (id: 2);\n}");
    CHECK(declaration(text, "table StationaryObject") ==
          "table StationaryObject {\n  id:Identifier (id: 0);\n  base:BaseStationary (id: 1);\n  "
          "classification:StationaryObject_Classification (id: 2);\n"
          "  model_reference:string (id: 3);\n  source_reference:[ExternalReference] (id: 4);\n  "
          "color_description:ColorDescription (id: "
          "5);\n}");
    const auto host = declaration(text, "table SensorView");
    CHECK(contains(host, "  unused_11:bool (id: 10, deprecated);\n"));
    CHECK(contains(host, "  lidar_sensor_view:[LidarSensorView] (id: 1001);\n"));
    CHECK_FALSE(contains(text, "root_type"));
}

TEST_CASE("the declared layout follows the .proto file and needs no placeholders")
{
    const auto text =
        flatbuffers_schema(*Schema::built_in(), {.layout = Layout::declared, .type = MessageType::host_vehicle_data});
    CHECK(declaration(text, "table HostVehicleData")
              .starts_with("table HostVehicleData {\n  version:InterfaceVersion;\n  timestamp:Timestamp;\n"));
    CHECK_FALSE(contains(text, "unused_"));
    CHECK_FALSE(contains(text, "(id:"));
    CHECK(text.ends_with("\nroot_type HostVehicleData;\nfile_identifier \"OHVD\";\n"));
}

TEST_CASE("a type's schema holds what it reaches and nothing else")
{
    const auto text = flatbuffers_schema(*Schema::built_in(), {.type = MessageType::motion_request});
    CHECK(contains(text, "table MotionRequest {"));
    CHECK(contains(text, "table Vector3d {"));
    CHECK_FALSE(contains(text, "table MovingObject {"));
    CHECK(text.ends_with("\nroot_type MotionRequest;\nfile_identifier \"OMRN\";\n"));
}

TEST_CASE("enums are int, ascending, with aliases as comments")
{
    const auto text = flatbuffers_schema(*Schema::built_in());
    CHECK(contains(declaration(text, "enum StationaryObject_Classification_Material"),
                   "  MATERIAL_GLASS = 7, // also MATERIAL_GLAS\n"));
    CHECK(contains(declaration(text, "table StationaryObject_Classification"),
                   "  material:StationaryObject_Classification_Material = null (id: 1);\n"));
    const auto sign = by_hand::enum_type("Sign", by_hand::enum_value("ZERO", 0), by_hand::enum_value("PLUS", 1),
                                         by_hand::enum_value("MINUS", -1));
    const auto own = flatbuffers_schema(*compiled(
        Message()
            .message(1, by_hand::file("test.proto", "test").message(4, by_hand::message_type("M")).message(5, sign))
            .str()));
    CHECK(declaration(own, "enum Sign") == "enum Sign : int {\n  MINUS = -1,\n  ZERO = 0,\n  PLUS = 1,\n}");
    CHECK(contains(own, "namespace test_flat;\n"));
}

TEST_CASE("every kind of field has its FlatBuffers type")
{
    const auto own = compiled(by_hand::descriptor_set(by_hand::message_type(
        "M", by_hand::field("a", 1, FieldKind::double_), by_hand::field("b", 2, FieldKind::float_),
        by_hand::field("c", 3, FieldKind::int64), by_hand::field("d", 4, FieldKind::uint64),
        by_hand::field("e", 5, FieldKind::int32), by_hand::field("f", 6, FieldKind::fixed64),
        by_hand::field("g", 7, FieldKind::fixed32), by_hand::field("h", 8, FieldKind::bool_),
        by_hand::field("i", 9, FieldKind::string), by_hand::field("j", 10, FieldKind::bytes),
        by_hand::field("k", 11, FieldKind::uint32), by_hand::field("l", 12, FieldKind::sfixed32),
        by_hand::field("m_", 13, FieldKind::sfixed64), by_hand::field("n", 14, FieldKind::sint32),
        by_hand::field("p", 15, FieldKind::sint64), by_hand::repeated_field("q", 16, FieldKind::string),
        by_hand::packed_field("r", 17, FieldKind::bool_))));
    CHECK(declaration(flatbuffers_schema(*own, {.layout = Layout::declared}), "table M") ==
          "table M {\n  a:double = null;\n  b:float = null;\n  c:long = null;\n  d:ulong = null;\n  e:int = null;\n  "
          "f:ulong = null;\n  "
          "g:uint = null;\n"
          "  h:bool = null;\n  i:string;\n  j:[ubyte];\n  k:uint = null;\n  l:int = null;\n  m_:long = null;\n  n:int "
          "= null;\n  p:long = "
          "null;\n"
          "  q:[string];\n  r:[bool];\n}");
}

TEST_CASE("names that break flatc or its C++ get an underscore")
{
    const auto enumeration = by_hand::enum_type("E", by_hand::enum_value("null", 0), by_hand::enum_value("MAX", 1),
                                                by_hand::enum_value("DOMAIN", 2));
    auto message = by_hand::message_type(
        "M", by_hand::field("M", 1, FieldKind::bool_), by_hand::field("fbb", 2, FieldKind::bool_),
        by_hand::field("Name", 3, FieldKind::bool_), by_hand::field("name", 4, FieldKind::bool_),
        by_hand::field("unused_6", 5, FieldKind::bool_), by_hand::field("class", 7, FieldKind::bool_));
    auto file = by_hand::file("test.proto", "a.b");
    file.message(4, message).message(4, by_hand::message_type("MT")).message(5, enumeration);
    const auto text = flatbuffers_schema(*compiled(Message().message(1, file).str()));
    CHECK(declaration(text, "table M") ==
          "table M {\n  M_:bool = null (id: 0);\n  fbb_:bool = null (id: 1);\n  Name:bool = null (id: 2);\n"
          "  name_:bool = null (id: 3);\n  unused_6:bool = null (id: 4);\n  unused_6_:bool (id: 5, deprecated);\n"
          "  class:bool = null (id: 6);\n}");
    CHECK(contains(text, "table MT_ {"));
    CHECK(contains(text, "namespace a_flat.b;\n"));
    CHECK(declaration(text, "enum E") == "enum E : int {\n  null_ = 0,\n  MAX_ = 1,\n  DOMAIN_ = 2,\n}");
}

TEST_CASE("what FlatBuffers cannot express is refused")
{
    const auto own = compiled(
        by_hand::descriptor_set(by_hand::message_type("M", by_hand::repeated_field("b", 1, FieldKind::bytes))));
    CHECK(error_of([&] { return flatbuffers_schema(*own); }) ==
          "test.M.b is repeated bytes, which a FlatBuffers schema cannot say");
    CHECK(error_of([&] { return flatbuffers_schema(*own, {.type = MessageType::sensor_view}); }) ==
          "the schema has no message osi3.SensorView");
    CHECK(error_of([&] { return flatbuffers_binary_schema(*Schema::built_in(), {}); }) ==
          "a binary FlatBuffers schema needs a root type; select one with --type");
}

TEST_CASE("comments of the .proto files become doc comments")
{
    auto file = by_hand::file("test.proto", "test");
    file.message(4, by_hand::message_type("M", by_hand::field("a", 1, FieldKind::bool_))
                        .message(3, by_hand::message_type("N", by_hand::field("b", 1, FieldKind::bool_))));
    file.message(5, by_hand::enum_type("E", by_hand::enum_value("ONE", 1)));
    const auto at = [](std::string_view path, std::uint32_t kind, std::string_view text) {
        return Message().text(1, path).text(kind, text);
    };
    using namespace std::string_view_literals;
    Message info;
    info.message(1, at("\4\0"sv, 3, " A message.\n\n With two parts. \\\n\n"));
    info.message(1, at("\4\0\2\0"sv, 4, " behind the field\n"));
    info.message(1, at("\4\0\3\0\2\0"sv, 3, "*\n  indented"));
    info.message(1, at("\5\0\2\0"sv, 3, " a value"));
    info.message(1, at("\5\7"sv, 3, " nowhere"));
    file.message(9, info);
    const auto text = flatbuffers_schema(*compiled(Message().message(1, file).str()));
    CHECK(contains(text, "\n/// A message.\n///\n/// With two parts.\ntable M {\n  /// behind the field\n  a:bool"));
    CHECK(contains(text, "table M_N {\n  /// *\n  ///  indented\n  b:bool"));
    CHECK(contains(text, "enum E : int {\n  /// a value\n  ONE = 1,\n"));
    CHECK_FALSE(contains(text, "nowhere"));
}

TEST_CASE("the listing shows number, slot, kind and name")
{
    const auto text = schema_listing(*Schema::built_in(), {.type = MessageType::host_vehicle_data});
    CHECK(contains(text,
                   "message osi3.Timestamp  (osi3/osi_common.proto)\n     1  slot    0  int64 seconds\n     2  slot    "
                   "1  uint32 nanos\n\n"));
    CHECK(contains(schema_listing(*Schema::built_in()), "     7  MATERIAL_GLAS  alias of MATERIAL_GLASS\n"));
    CHECK(contains(schema_listing(by_hand::every_kind_schema()),
                   "    41  slot   40  repeated double packed_kind_1 [packed]\n"));
    CHECK(contains(
        schema_listing(*Schema::built_in(), {.layout = Layout::declared, .type = MessageType::host_vehicle_data}),
        "     9  slot    0  osi3.InterfaceVersion version\n"));
}
