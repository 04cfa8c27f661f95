// SPDX-License-Identifier: MPL-2.0
// libprotobuf accepts the descriptor sets and .proto files that we write.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <ositrace/message_type.hpp>
#include <ositrace/proto_files.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/schema_text.hpp>

#include "formats/descriptors/descriptor_files.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;

namespace {

google::protobuf::FileDescriptorSet set_of(MessageType type)
{
    const auto& schema = *Schema::built_in();
    const auto bytes = with_imports(schema.descriptor_set(), schema.root(type).file);
    google::protobuf::FileDescriptorSet set;
    REQUIRE(set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
    return set;
}

std::shared_ptr<const Schema> schema_of_file(const std::string& name)
{
    google::protobuf::FileDescriptorSet set;
    auto& file = *set.add_file();
    file.set_name(name);
    file.add_message_type()->set_name("M");
    const auto bytes = set.SerializeAsString();
    return Schema::compile(bytes_of(bytes));
}

}  // namespace

TEST_CASE("the complete descriptor set is that of the schema, for a pool without any other file")
{
    const auto bytes = complete_descriptor_set(*Schema::built_in());
    google::protobuf::FileDescriptorSet set;
    REQUIRE(set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
    google::protobuf::DescriptorPool pool;
    for (const auto& file : set.file()) REQUIRE(pool.BuildFile(file) != nullptr);
    CHECK(complete_descriptor_set(*Schema::compile(bytes)) == bytes);
    CHECK(Schema::compile(bytes)->messages().size() > Schema::built_in()->messages().size());
}

TEST_CASE("a .proto file is written only under a name that stays in its folder")
{
    CHECK(proto_files(*schema_of_file("a/b..c.proto")).front().name == "a/b..c.proto");
    for (const std::string name :
         {"/tmp/a.proto", "../a.proto", "a/../../b.proto", "a//b.proto", "./a.proto", "a/", "..", "a\\b.proto"}) {
        INFO(name);
        CHECK(error_of([&] { (void)proto_files(*schema_of_file(name)); }).find("not the name of a file") !=
              std::string::npos);
    }
}

TEST_CASE("a schema of very many files is an error")
{
    google::protobuf::FileDescriptorSet set;
    for (int i = 0; i < 1001; ++i) {
        auto& file = *set.add_file();
        file.set_name(std::to_string(i) + ".proto");
        file.add_message_type()->set_name("M" + std::to_string(i));
    }
    const auto bytes = set.SerializeAsString();
    const auto schema = Schema::compile(bytes_of(bytes));
    CHECK(error_of([&] { (void)proto_files(*schema); }).find("(1001) exceeds the limit of 1000") != std::string::npos);
}

TEST_CASE("every schema record is complete: a pool takes its files one by one, in their order")
{
    for (const auto& row : message_types()) {
        google::protobuf::DescriptorPool pool;
        const auto set = set_of(row.type);
        for (const auto& file : set.file()) REQUIRE(pool.BuildFile(file) != nullptr);
        const auto* const message = pool.FindMessageTypeByName(std::string(row.full_name));
        REQUIRE(message != nullptr);
        CHECK(message->field_count() == static_cast<int>(Schema::built_in()->root(row.type).fields.size()));
    }
}

TEST_CASE("a schema record holds no file twice when it is made of a schema record")
{
    const auto once = set_of(MessageType::sensor_view).SerializeAsString();
    const auto schema = Schema::compile(bytes_of(once));
    const auto again = with_imports(bytes_of(once), schema->root(MessageType::sensor_view).file);
    CHECK(text_of(again) == once);
}

TEST_CASE("an import that the set lacks stays missing")
{
    google::protobuf::FileDescriptorSet set;
    auto& file = *set.add_file();
    file.set_name("a.proto");
    file.add_dependency("b.proto");
    const auto bytes = set.SerializeAsString();
    CHECK(text_of(with_imports(bytes_of(bytes), "a.proto")) == bytes);
}
