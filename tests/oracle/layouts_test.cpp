// SPDX-License-Identifier: MPL-2.0
// Both layouts, read by flatbuffers' reflection through the binary schema that we write.
#include <ositrace/schema_text.hpp>

#include "tests/catch.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/reflected.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"

using namespace ositrace;

TEST_CASE("in either layout flatbuffers reads exactly what libprotobuf holds, presence included")
{
    const auto schema = Schema::built_in();
    for (const auto& type : message_types()) {
        const auto message =
            std::unique_ptr<google::protobuf::Message>(oracle::row_of(type.full_name).prototype().New());
        for (const auto layout : {Layout::numbered, Layout::declared}) {
            const auto binary = flatbuffers_binary_schema(*schema, {.layout = layout, .type = type.type});
            flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(binary.data()), binary.size());
            REQUIRE(reflection::VerifySchemaBuffer(verifier));
            const auto& reflected = *reflection::GetSchema(binary.data());
            CHECK(reflected.file_ident()->str() == type.file_identifier[static_cast<std::size_t>(layout)]);

            Transcoder transcoder(schema->root(type.type), {}, {Encoding::flatbuffers, layout});
            ByteBuffer flat;
            for (std::uint64_t seed = 1; seed <= 12; ++seed) {
                message->Clear();
                oracle::RandomMessages(seed, {.max_elements = 1000}).fill(*message);
                transcoder.transcode(bytes_of(oracle::serialized(*message)), flat);
                INFO(type.full_name << ", layout " << name_of(layout) << ", seed " << seed);
                REQUIRE(oracle::difference(reflected, flat.bytes(), *message) == "");
                REQUIRE(flatbuffers::BufferHasIdentifier(flat.data(), reflected.file_ident()->c_str()));
            }
        }
    }
}
