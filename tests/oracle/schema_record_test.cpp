// SPDX-License-Identifier: MPL-2.0
// libprotobuf takes the descriptor sets that stand in the schema records of our MCAP files.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

#include "formats/schema/descriptor_files.hpp"
#include "tests/catch.hpp"

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

}  // namespace

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
