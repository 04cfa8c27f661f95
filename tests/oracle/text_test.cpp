// SPDX-License-Identifier: MPL-2.0
// Our text against libprotobuf's printers.
#include <charconv>
#include <cmath>
#include <optional>

#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <ositrace/message_text.hpp>

#include "osi_opponent.hpp"
#include "tests/catch.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"
#include "tests/oracle/trace_frames.hpp"
#include "tests/places.hpp"

using namespace oracle;
using google::protobuf::Message;
using ositrace::bytes_of;
using ositrace::MessageView;

namespace {

bool is_number_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.'; }

/// The number at the front, digits and signs.
std::string_view number_at(std::string_view text)
{
    std::size_t length = 0;
    while (length < text.size() && is_number_part(text[length])) ++length;
    return text.substr(0, length);
}

template <class Real>
std::optional<Real> parsed(std::string_view digits)
{
    Real value = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return failure == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

bool same_number(std::string_view a, std::string_view b)
{
    const auto same = [&](auto zero) {
        const auto x = parsed<decltype(zero)>(a), y = parsed<decltype(zero)>(b);
        return x && y && *x == *y && std::signbit(*x) == std::signbit(*y);
    };
    if (a == "-0.0" && b == "-0") return true;
    // A float's digits are enough for a float only; libprotobuf writes no more than nine of them.
    return a.size() <= b.size() && (same(0.0) || (b.size() < 17 && same(0.0f)));
}

/// The first place where two texts differ by more than the digits that give one number back; empty when there is none.
std::string difference(std::string_view ours, std::string_view theirs)
{
    const auto whole = ours;
    while (!ours.empty() && !theirs.empty()) {
        const auto a = number_at(ours), b = number_at(theirs);
        if (a == b) {
            const auto step = std::max<std::size_t>(a.size(), 1);
            if (ours.substr(0, step) != theirs.substr(0, step)) break;
            ours.remove_prefix(step);
            theirs.remove_prefix(step);
            continue;
        }
        if (!same_number(a, b)) break;
        ours.remove_prefix(a.size());
        theirs.remove_prefix(b.size());
    }
    if (ours.empty() && theirs.empty()) return {};
    return "at " + std::to_string(whole.size() - ours.size()) + ": " + std::string(ours.substr(0, 60)) +
           "\n against\n" + std::string(theirs.substr(0, 60));
}

std::string json_by_protobuf(const Message& message)
{
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    std::string text;
    REQUIRE(google::protobuf::util::MessageToJsonString(message, &text, options).ok());
    return text;
}

std::string text_by_protobuf(const Message& message, bool single_line)
{
    google::protobuf::TextFormat::Printer printer;
    printer.SetSingleLineMode(single_line);
    std::string text;
    REQUIRE(printer.PrintToString(message, &text));
    if (single_line && text.ends_with(' ')) text.pop_back();
    return text;
}

std::string json(const MessageView& message)
{
    ositrace::ByteBuffer out;
    ositrace::append_json(message, out);
    return std::string(ositrace::text_of(out.bytes()));
}

std::string text_format(const MessageView& message, bool single_line)
{
    ositrace::ByteBuffer out;
    ositrace::append_text_format(message, out, {.single_line = single_line});
    return std::string(ositrace::text_of(out.bytes()));
}

void check(RoundTrip& round_trip, const ositrace::MessageTable& table, Bytes protobuf)
{
    const auto message = round_trip.message();
    REQUIRE(message->ParseFromArray(protobuf.data(), static_cast<int>(protobuf.size())));
    const MessageView view(protobuf, table, {});
    REQUIRE(difference(text_format(view, false), text_by_protobuf(*message, false)) == "");
    REQUIRE(difference(text_format(view, true), text_by_protobuf(*message, true)) == "");
    REQUIRE(difference(json(view), json_by_protobuf(*message)) == "");
    const auto flat = round_trip.to_flat(protobuf);
    const MessageView flat_view(flat, table, {ositrace::Encoding::flatbuffers, ositrace::Layout::numbered});
    CHECK(text_format(flat_view, false) == text_format(view, false));
    CHECK(json(flat_view) == json(view));
}

}  // namespace

TEST_CASE("every frame of every real trace reads as libprotobuf prints it, from both encodings")
{
    const auto traces = real_traces();
    if (traces.empty()) WARN("skipped: " << ositrace::test::shared_folder() / "traces" << " is absent");
    const auto& schema = *ositrace::Schema::built_in();
    for (const auto& trace : traces) {
        RoundTrip round_trip(schema, row_of(trace.type));
        for (std::size_t i = 0; i < trace.frames.size(); ++i) {
            INFO(trace.name << ", frame " << i);
            check(round_trip, *schema.find(trace.type), trace.frames[i]);
        }
    }
}

TEST_CASE("random messages of all ten types read as libprotobuf prints them")
{
    const auto& schema = *ositrace::Schema::built_in();
    for (const auto& type : ositrace::message_types()) {
        RoundTrip round_trip(schema, row_of(type.full_name));
        for (std::uint64_t seed = 7000; seed < 7000 + static_cast<std::uint64_t>(rounds(4)); ++seed) {
            const auto message = round_trip.message();
            RandomMessages(seed, {}).fill(*message);
            INFO(type.full_name << ", seed " << seed);
            const auto bytes = serialized(*message);
            check(round_trip, schema.root(type.type), bytes_of(bytes));
        }
    }
}

TEST_CASE("every kind of field reads as libprotobuf prints it")
{
    const auto schema = every_kind_schema();
    RoundTrip round_trip(*schema, row_of("every_kind.EveryKind"));
    for (std::uint64_t seed = 8000; seed < 8000 + static_cast<std::uint64_t>(rounds(40)); ++seed) {
        const auto message = round_trip.message();
        RandomMessages(seed, {}).fill(*message);
        INFO("seed " << seed);
        const auto bytes = serialized(*message);
        check(round_trip, *schema->find("every_kind.EveryKind"), bytes_of(bytes));
    }
}
