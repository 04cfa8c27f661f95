// SPDX-License-Identifier: MPL-2.0
#include <map>

#include <ositrace/field_census.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/every_kind.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

const FieldCount& count_of(const std::vector<FieldCount>& all, std::string_view path)
{
    const auto found = std::ranges::find(all, path, &FieldCount::path);
    REQUIRE(found != all.end());
    return *found;
}

}  // namespace

TEST_CASE("fields are counted by path, with the bytes of what stands below them")
{
    FieldCensus census(by_hand::every_kind(), {});
    census.add(Message().varint(5, 1).message(39, Message().varint(5, 300)).message(39, Message()).bytes());
    census.add(Message().message(39, Message().varint(5, 1)).bytes());
    census.add(Message().bytes());
    const auto all = census.counts();
    CHECK(census.messages() == 3);
    const auto& elements = count_of(all, "many_itself");
    CHECK(elements.count == 3);
    CHECK(elements.bytes == 3 + 3 + 3 + 2 + 3);  // a tag of two bytes and a length each
    CHECK(elements.messages == 2);
    CHECK(elements.least == 0);
    CHECK(elements.most == 2);
    CHECK(count_of(all, "many_itself.kind_5").bytes == 3 + 2);
    CHECK(count_of(all, "many_itself.kind_5").depth == 1);
}

TEST_CASE("the bytes of the root's fields and of unknown ones add up to the payload")
{
    const auto message =
        Message().varint(3, 1).real(21, 1.5).text(9, "abc").varint(9999, 1).text(41, std::string(24, '\0'));
    FieldCensus census(by_hand::every_kind(), {});
    census.add(message.bytes());
    auto bytes = census.unknown().bytes;
    for (const auto& count : census.counts())
        if (count.depth == 0) bytes += count.bytes;
    CHECK(bytes == message.bytes().size());
    CHECK(census.bytes() == bytes);
    CHECK(census.unknown().count == 1);
    CHECK(count_of(census.counts(), "packed_kind_1").count == 3);
}

TEST_CASE("both encodings have the same counts")
{
    const auto message = Message()
                             .varint(3, 1)
                             .real(21, 1.5)
                             .real(21, 2.5)
                             .text(9, "abc")
                             .message(39, Message().varint(5, 1))
                             .message(39, Message());
    const Format flat{Encoding::flatbuffers, Layout::numbered};
    Transcoder transcoder(by_hand::every_kind(), {}, flat);
    ByteBuffer buffer;
    transcoder.transcode(message.bytes(), buffer);
    FieldCensus of_protobuf(by_hand::every_kind(), {});
    FieldCensus of_flat(by_hand::every_kind(), flat);
    of_protobuf.add(message.bytes());
    of_flat.add(buffer.bytes());
    const auto a = of_protobuf.counts(), b = of_flat.counts();
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].path == b[i].path);
        CHECK(a[i].count == b[i].count);
        CHECK(b[i].bytes <= of_flat.bytes());
    }
}

TEST_CASE("a broken message is an error, and nesting is bounded")
{
    FieldCensus census(by_hand::every_kind(), {});
    CHECK(error_of([&] {
              census.add(Message().tag(9, 2).raw("\x05").bytes());
              return 0;
          }) != "");
    Message deep;
    for (int i = 0; i < 200; ++i) deep = Message().message(19, deep);
    CHECK(error_of([&] {
              census.add(deep.bytes());
              return 0;
          }) == "the nesting of messages exceeds the limit of 100 levels");
}
