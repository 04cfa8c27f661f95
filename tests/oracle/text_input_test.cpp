// SPDX-License-Identifier: MPL-2.0
// What we print, libprotobuf's parsers read: the same message comes back.
#include <algorithm>

#include <ositrace/equal_content.hpp>
#include <ositrace/libprotobuf_text_parser.hpp>
#include <ositrace/message_text.hpp>

#include "osi_opponent.hpp"
#include "tests/catch.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"

using namespace oracle;
using namespace ositrace;

namespace {

std::string printed(const MessageView& message, TextForm form, bool single_line)
{
    ByteBuffer out;
    if (form == TextForm::json)
        static_cast<void>(append_json(message, out));
    else
        static_cast<void>(append_text_format(message, out, {.single_line = single_line}));
    return std::string(text_of(out.bytes()));
}

/// Empty when the message comes back byte for byte; a message with NaNs, of which text keeps no payload, when it prints
/// as before.
std::string wrong(const TextParser& parser, const Schema& schema, const MessageTable& root, Bytes protobuf,
                  TextForm form, bool single_line)
{
    const auto text = printed({protobuf, root, {}}, form, single_line);
    ByteBuffer again;
    parser.parse(text, form, root, schema, again);
    if (text_of(again.bytes()) == text_of(protobuf)) return {};
    const auto reprinted = printed({again.bytes(), root, {}}, form, single_line);
    if (reprinted != text) {
        const auto from = static_cast<std::size_t>(std::ranges::mismatch(text, reprinted).in1 - text.begin());
        const auto piece = [&](const std::string& whole) { return whole.substr(from < 60 ? 0 : from - 60, 120); };
        return piece(text) + "\n against\n" + piece(reprinted);
    }
    return text.find("nan") != std::string::npos || text.find("NaN") != std::string::npos ? "" : "other bytes";
}

void check(const TextParser& parser, const Schema& schema, const MessageTable& root, RoundTrip& round_trip,
           std::uint64_t first, int count, const RandomOptions& options)
{
    for (auto seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
        const auto message = round_trip.message();
        RandomMessages(seed, options).fill(*message);
        // libprotobuf puts unknown enum numbers at the end; our transcoder writes them where they belong.
        const auto raw = serialized(*message);
        const auto flat = round_trip.to_flat(bytes_of(raw));
        const std::vector<std::byte> kept(flat.begin(), flat.end());
        const auto canonical = round_trip.to_proto(kept);
        const std::string bytes(text_of(canonical));
        INFO(root.full_name << ", seed " << seed);
        CHECK(wrong(parser, schema, root, bytes_of(bytes), TextForm::text_format, false) == "");
        CHECK(wrong(parser, schema, root, bytes_of(bytes), TextForm::text_format, true) == "");
        CHECK(wrong(parser, schema, root, bytes_of(bytes), TextForm::json, true) == "");
    }
}

}  // namespace

TEST_CASE("text and JSON of random messages of all ten types are read back")
{
    const auto parser = libprotobuf_text_parser();
    const auto& schema = *Schema::built_in();
    for (const auto& type : message_types()) {
        RoundTrip round_trip(schema, row_of(type.full_name));
        check(*parser, schema, schema.root(type.type), round_trip, 9000, rounds(4), {});
    }
}

TEST_CASE("text and JSON of every kind of field are read back, enum numbers without a name too")
{
    const auto parser = libprotobuf_text_parser();
    const auto schema = every_kind_schema();
    RoundTrip round_trip(*schema, row_of("every_kind.EveryKind"));
    check(*parser, *schema, *schema->find("every_kind.EveryKind"), round_trip, 9100, rounds(30), {});
    check(*parser, *schema, *schema->find("every_kind.EveryKind"), round_trip, 9200, rounds(30),
          {.unknown_enum_values = true});
}
