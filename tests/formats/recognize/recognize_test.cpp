// SPDX-License-Identifier: MPL-2.0
#include <ositrace/recognize.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <ositrace/transcoder.hpp>

#include "formats/flatbuffers/table.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

const Schema& schema() { return *Schema::built_in(); }

Recognition recognized(const std::vector<std::string>& payloads, const RecognitionHints& hints = {})
{
    std::vector<Bytes> bytes;
    for (const auto& payload : payloads) bytes.push_back(bytes_of(payload));
    return recognize(bytes, schema(), hints);
}

std::string refusal(const std::vector<std::string>& payloads, const RecognitionHints& hints = {})
{
    return error_of([&] { return recognized(payloads, hints); });
}

std::string flatbuffer(const std::string& message, MessageType type, Layout layout)
{
    ByteBuffer buffer;
    Transcoder(schema().root(type), {}, {Encoding::flatbuffers, layout}).transcode(bytes_of(message), buffer);
    return std::string(text_of(buffer.bytes()));
}

std::string without_identifier(std::string buffer) { return buffer.replace(4, 4, 4, '\0'); }

Message version() { return Message().varint(1, 3).varint(2, 8).varint(3, 0); }
Message time() { return Message().varint(1, 12).varint(2, 500'000'000); }
Message head() { return Message().message(1, version()).message(2, time()); }
Message vector(double x) { return Message().real(1, x).real(2, 0).real(3, 0); }
Message moving_object()
{
    return Message()
        .message(1, Message().varint(1, 4))
        .message(2, Message().message(1, vector(1)).message(2, vector(2)))
        .varint(3, 2);
}

/// Something that a real message of the type would hold.
std::string typical(MessageType type)
{
    switch (type) {
    case MessageType::sensor_view:
        return head().message(3, Message().varint(1, 1)).message(7, Message().message(5, moving_object())).str();
    case MessageType::sensor_view_configuration:
        return Message().message(1, version()).message(2, Message().varint(1, 1)).real(5, 1.5).str();
    case MessageType::ground_truth: return head().message(3, Message().varint(1, 4)).message(5, moving_object()).str();
    case MessageType::host_vehicle_data:
        return Message().message(9, version()).message(10, time()).message(1, Message().message(1, vector(1))).str();
    case MessageType::sensor_data:
        return head()
            .message(5, Message().varint(1, 1))
            .message(8, Message().message(7, Message().message(5, moving_object())))
            .str();
    case MessageType::traffic_command:
        return head()
            .message(3, Message().varint(1, 1))
            .message(4, Message().message(
                            5, Message().message(1, Message().message(1, Message().varint(1, 3))).real(2, 10.0)))
            .str();
    case MessageType::traffic_command_update: return head().message(3, Message().varint(1, 1)).str();
    case MessageType::traffic_update: return head().message(3, moving_object()).str();
    case MessageType::motion_request: return head().varint(3, 1).str();
    case MessageType::streaming_update: return head().message(4, moving_object()).str();
    }
    return {};
}

/// Payloads of a length-prefixed file, the first few.
std::vector<std::string> first_payloads(const std::filesystem::path& file, std::size_t most = recognition_payloads)
{
    std::ifstream in(file, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(in)), {});
    std::vector<std::string> payloads;
    for (std::size_t at = 0; at + 4 <= content.size() && payloads.size() != most;) {
        const auto length = load_le32(bytes_of(content).data() + at);
        payloads.push_back(content.substr(at + 4, length));
        at += 4 + std::size_t{length};
    }
    return payloads;
}

}  // namespace

TEST_CASE("every message type is recognised in every form")
{
    for (const auto& row : message_types()) {
        CAPTURE(row.name);
        const auto message = typical(row.type);
        // Where others fit as well, the name decides.
        CHECK(recognized({message}, {.type_from_name = row.type}) == Recognition{row.type, {}});
        for (const auto layout : {Layout::numbered, Layout::declared})
            CHECK(recognized({flatbuffer(message, row.type, layout)}) ==
                  Recognition{row.type, {Encoding::flatbuffers, layout}});
    }
}

TEST_CASE("a message with enough in it needs no name")
{
    for (const auto type :
         {MessageType::sensor_view, MessageType::ground_truth, MessageType::host_vehicle_data, MessageType::sensor_data,
          MessageType::traffic_command, MessageType::traffic_update, MessageType::motion_request}) {
        CAPTURE(row_of(type).name);
        CHECK(recognized({typical(type)}).type == type);
        CHECK(recognized({typical(type)}, {.type_from_name = MessageType::streaming_update}).type == type);
    }
}

TEST_CASE("real traces are recognised without their names")
{
    const std::filesystem::path folder = ositrace::test::shared_folder() / "traces";
    if (!std::filesystem::exists(folder)) {
        WARN("skipped: " << folder.string() << " is not there");
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".osi") continue;
        CAPTURE(entry.path().filename().string());
        const auto payloads = first_payloads(entry.path());
        const auto expected =
            entry.path().stem() == "highway_merge" ? MessageType::ground_truth : MessageType::sensor_view;
        CHECK(recognized(payloads) == Recognition{expected, {}});
        for (const auto& payload : payloads) {
            CHECK(recognized({payload}).type == expected);
            CHECK(plausible_start(bytes_of(payload), schema().root(expected), {}));
        }
    }
}

TEST_CASE("what fits several types is decided by the name, or is an error with the candidates")
{
    const auto message = head().message(3, Message().varint(1, 1)).str();
    CHECK(recognized({message}, {.type_from_name = MessageType::ground_truth}).type == MessageType::ground_truth);
    CHECK(recognized({message}, {.type = MessageType::traffic_command}).type == MessageType::traffic_command);
    CHECK(refusal({message}) ==
          "the content fits SensorView (sv), GroundTruth (gt), TrafficCommand (tc) and "
          "TrafficCommandUpdate (tcu); select one with --type");
    // A name that the content contradicts decides nothing.
    CHECK(refusal({message}, {.type_from_name = MessageType::host_vehicle_data}) == refusal({message}));
}

TEST_CASE("later payloads decide where the first one fits several types")
{
    const auto first = head().str();
    CHECK(recognized({first, typical(MessageType::traffic_update)}).type == MessageType::traffic_update);
}

TEST_CASE("a damaged payload among good ones does not count")
{
    auto damaged = typical(MessageType::ground_truth);
    damaged.resize(damaged.size() - 3);
    const auto good = typical(MessageType::ground_truth);
    CHECK(recognized({damaged, good, good}).type == MessageType::ground_truth);
    CHECK(
        refusal({damaged}) ==
        "the content is not an OSI message: no FlatBuffers identifier, and in Protobuf none of 10 types fits (closest: "
        "SensorView (sv), a value runs beyond the end of its message)");
}

TEST_CASE("fields of a newer release and of users do not stand against a type")
{
    const auto extended =
        typical(MessageType::ground_truth) + Message().text(10'000, std::string(10'000, 'x')).varint(900, 1).str();
    CHECK(recognized({extended}).type == MessageType::ground_truth);
}

TEST_CASE("without content the hints decide")
{
    CHECK(recognized({}, {.type_from_name = MessageType::motion_request}) ==
          Recognition{MessageType::motion_request, {}});
    CHECK(recognized({"", ""}, {.type = MessageType::sensor_view, .encoding = Encoding::flatbuffers}) ==
          Recognition{MessageType::sensor_view, {Encoding::flatbuffers, Layout::numbered}});
    CHECK(refusal({""}) == "no content from which to recognise the message type. Select it with --type.");
}

TEST_CASE("what was asked for and is not there is a mismatch")
{
    const auto message = typical(MessageType::traffic_update);
    const auto buffer = flatbuffer(message, MessageType::traffic_update, Layout::numbered);
    CHECK(refusal({message}, {.type = MessageType::sensor_view}) ==
          "the requested type is SensorView (sv), but the content is TrafficUpdate (tu) (sensor_id.value: wire type 2, "
          "expected 0)");
    CHECK(refusal({message}, {.encoding = Encoding::flatbuffers, .type_from_name = MessageType::traffic_update}) ==
          "the requested encoding is flatbuffers, but the content is protobuf TrafficUpdate (tu)");
    CHECK(refusal({buffer}, {.encoding = Encoding::protobuf}) ==
          "the requested encoding is protobuf, but the content is flatbuffers TrafficUpdate (tu)");
    CHECK(refusal({buffer}, {.type = MessageType::sensor_view}) ==
          "the requested type is SensorView (sv), but the content is flatbuffers TrafficUpdate (tu)");
    CHECK(refusal({buffer}, {.layout = Layout::declared}) ==
          "the requested layout is declared, but the content is flatbuffers TrafficUpdate (tu) in the layout numbered");
}

TEST_CASE("a FlatBuffer without identifier needs its type, and its layout where both fit")
{
    const auto numbered =
        without_identifier(flatbuffer(typical(MessageType::ground_truth), MessageType::ground_truth, Layout::numbered));
    CHECK(recognized({numbered}, {.type = MessageType::ground_truth, .layout = Layout::numbered}) ==
          Recognition{MessageType::ground_truth, {Encoding::flatbuffers, Layout::numbered}});
    CHECK(refusal({numbered}, {.encoding = Encoding::flatbuffers}) ==
          "the FlatBuffers have no file identifier that names the message type. Select it with --type.");

    // HostVehicleData's declaration order is not its number order, so only one layout can be walked.
    const auto declared = without_identifier(
        flatbuffer(typical(MessageType::host_vehicle_data), MessageType::host_vehicle_data, Layout::declared));
    CHECK(recognized({declared}, {.type = MessageType::host_vehicle_data}) ==
          Recognition{MessageType::host_vehicle_data, {Encoding::flatbuffers, Layout::declared}});
}

TEST_CASE("a string that is not text does not outweigh a stated type")
{
    const auto message = typical(MessageType::ground_truth) + Message().text(15, std::string(10'000, '\0')).str();
    CHECK(refusal({message}).starts_with("the content is not an OSI message"));
    CHECK(recognized({message}, {.type = MessageType::ground_truth}) == Recognition{MessageType::ground_truth, {}});
    CHECK(recognized({message}, {.type = MessageType::ground_truth, .encoding = Encoding::protobuf}) ==
          Recognition{MessageType::ground_truth, {}});
    CHECK_FALSE(refusal({message}, {.type = MessageType::host_vehicle_data}).empty());
    CHECK_FALSE(refusal({Message().text(90, "something else").str()}, {.type = MessageType::ground_truth}).empty());
}

TEST_CASE("a stated type is read where its fields have other wire types, which count as unknown")
{
    const auto object = [](std::string_view type) {
        return Message()
            .message(1, Message().varint(1, 4))
            .message(2, Message().message(1, vector(1)).message(2, vector(2)))
            .text(3, type);
    };
    const auto fork = head().message(5, object("car")).message(5, object("bicycle")).str();
    CHECK(
        refusal({fork}).ends_with("(closest: GroundTruth (gt), moving_object.type: wire type 2, expected 0); --type gt "
                                  "reads it"));
    CHECK(recognized({fork, fork}, {.type = MessageType::ground_truth}).type == MessageType::ground_truth);
    CHECK(refusal({fork}, {.type = MessageType::host_vehicle_data}) != "");
    // Of what another type explains better nothing is made to fit.
    for (const auto type : {MessageType::sensor_view, MessageType::sensor_data, MessageType::traffic_update})
        CHECK(refusal({typical(type)}, {.type = MessageType::ground_truth}) != "");
}

/// With a content of its own, as a simulator writes it.
std::string rich(MessageType type)
{
    switch (type) {
    case MessageType::sensor_view_configuration:
        return Message()
            .message(1, version())
            .message(2, Message().varint(1, 1))
            .message(3, Message().message(1, vector(2)))
            .real(5, 1.5)
            .real(7, 100)
            .str();
    case MessageType::traffic_command_update:
        return head()
            .message(3, Message().varint(1, 1))
            .message(4, Message().message(1, Message().varint(1, 7)).text(2, "done"))
            .str();
    case MessageType::motion_request:
        return head().varint(3, 1).message(4, Message().message(1, time()).message(2, vector(1))).str();
    case MessageType::streaming_update:
        return head()
            .message(4, moving_object())
            .message(8, Message().message(9, version()).message(10, time()))
            .message(9, Message().varint(1, 8))
            .str();
    default: return typical(type);
    }
}

std::string names_of_other(const std::string& payload, MessageType expected)
{
    std::string names;
    for (const auto& other : recognize_other(bytes_of(payload), schema(), {expected, {}}))
        names += std::string(row_of(other.type).code) + ' ';
    return names;
}

TEST_CASE("every type among every other is recognised, and none in its own channel")
{
    for (const auto& sent : message_types())
        for (const auto& channel : message_types()) {
            const auto names = names_of_other(rich(sent.type), channel.type);
            CAPTURE(sent.code, channel.code, names);
            if (sent.type == channel.type)
                CHECK(names.empty());
            else
                CHECK((' ' + names).find(' ' + std::string(sent.code) + ' ') != std::string::npos);
        }
}

TEST_CASE("where several other types fit equally, all are named")
{
    const auto object = Message()
                            .message(1, Message().varint(1, 7))
                            .message(2, Message().message(2, Message().real(1, 4)).message(4, Message().real(2, 2)));
    const auto update = head().message(3, object).str();
    for (const auto type : {MessageType::sensor_view, MessageType::ground_truth, MessageType::sensor_data,
                            MessageType::traffic_command, MessageType::motion_request}) {
        CAPTURE(row_of(type).name);
        CHECK(names_of_other(update, type) == "tu su ");
    }
    CHECK(names_of_other(update, MessageType::traffic_update) == "");
    CHECK(names_of_other(update, MessageType::streaming_update) == "");
}

TEST_CASE("a message whose content its type does not know, and another one does, is of that one")
{
    const auto command =
        head()
            .message(3, Message().varint(1, 2))
            .message(4, Message().message(
                            5, Message().message(1, Message().message(1, Message().varint(1, 6))).real(2, 21.5)));
    CHECK(names_of_other(command.str(), MessageType::sensor_view) == "tc ");
    // With more that its type knows it is one of a newer release.
    auto view = command;
    view.message(6, Message().message(1, Message().message(1, vector(3))));
    CHECK(names_of_other(view.str(), MessageType::sensor_view) == "");
}

TEST_CASE("fields of newer releases, of users or with other wire types make no message one of another type")
{
    for (const auto& row : message_types()) {
        CAPTURE(row.name);
        const auto message = rich(row.type);
        for (const auto number : {2u, 9u, 40u, 90u, 9'999u, 12'000u}) {
            CAPTURE(number);
            CHECK(names_of_other(message + Message().text(number, "new").str(), row.type) == "");
            CHECK(names_of_other(message + Message().message(number, Message().varint(1, 5)).str(), row.type) == "");
            CHECK(names_of_other(message + Message().fixed32(number, 5).str(), row.type) == "");
            CHECK(names_of_other(message + Message().text(number + 10, std::string(500, 'x')).str(), row.type) == "");
        }
    }
}

TEST_CASE("no frame of a real trace is refused in its channel, and all are in others")
{
    const auto folder = ositrace::test::shared_folder() / "traces";
    if (!std::filesystem::exists(folder)) {
        WARN("skipped: " << folder.string() << " is not there");
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".osi") continue;
        CAPTURE(entry.path().filename());
        const auto payloads = first_payloads(entry.path(), 1'000);
        const auto own = recognized({payloads.begin(), payloads.begin() + 4}).type;
        for (const auto& payload : payloads)
            for (const auto& row : message_types())
                REQUIRE(names_of_other(payload, row.type) ==
                        (row.type == own ? "" : std::string(row_of(own).code) + ' '));
    }
}

TEST_CASE("bytes that are nothing are malformed")
{
    CHECK(
        refusal({Message().text(90, "something else").str()}) ==
        "the content is not an OSI message: no FlatBuffers identifier, and in Protobuf none of 10 types fits (closest: "
        "SensorView (sv), which "
        "does not know most of the fields)");
    CHECK(
        refusal({std::string(100, '\xff')}) ==
        "the content is not an OSI message: no FlatBuffers identifier, and in Protobuf none of 10 types fits (closest: "
        "SensorView (sv), "
        "a tag of more than 5 bytes)");
    CHECK(refusal({"PK\3\4 this is an archive"}).starts_with("the content is not an OSI message"));
    CHECK(refusal({"{\"json\": true}"}).starts_with("the content is not an OSI message"));
    CHECK(refusal({std::string(100, '\0')}).starts_with("the content is not an OSI message"));
}

TEST_CASE("an identifier alone makes no FlatBuffer")
{
    CHECK(refusal({std::string("\xff\xff\xff\x7fOGTN", 8)}).starts_with("the content is not an OSI message"));
}

TEST_CASE("the beginning of a message is plausible, its middle is not")
{
    const auto message = typical(MessageType::ground_truth);
    const auto& table = schema().root(MessageType::ground_truth);
    for (std::size_t length = 8; length <= message.size(); ++length)
        CHECK(plausible_start(bytes_of(message).first(length), table, {}));
    std::size_t believed = 0;
    for (std::size_t from = 1; from < message.size(); ++from)
        believed += plausible_start(bytes_of(message).subspan(from), table, {});
    CHECK(believed < message.size() / 10);
    CHECK_FALSE(plausible_start({}, table, {}));
    // A map_reference that is cut short: of text it may be one, of other bytes hardly.
    const auto front = std::string("\x7a\xff\xff\x0f");
    CHECK(plausible_start(bytes_of(front + "stra\xc3\x9f" + "e \xc3"), table, {}));
    CHECK_FALSE(plausible_start(bytes_of(front + "\x13\x9f\xe4 noise"), table, {}));

    for (const auto layout : {Layout::numbered, Layout::declared}) {
        const Format format{Encoding::flatbuffers, layout};
        const auto buffer = flatbuffer(message, MessageType::ground_truth, layout);
        CHECK(plausible_start(bytes_of(buffer), table, format));
        CHECK(plausible_start(bytes_of(without_identifier(buffer)), table, format));
        CHECK(plausible_start(bytes_of(buffer).first(8), table, format));
        CHECK_FALSE(plausible_start(bytes_of(buffer).first(7), table, format));
        CHECK_FALSE(plausible_start(bytes_of(buffer).subspan(8), table, format));
        CHECK_FALSE(plausible_start(bytes_of(message), table, format));
    }
}

TEST_CASE("a search finds a vtable exactly where a reader does")
{
    auto bytes = flatbuffer(typical(MessageType::ground_truth), MessageType::ground_truth, Layout::numbered);
    std::size_t found = 0;
    const auto compare = [&] {
        const flat::Buffer buffer(bytes_of(bytes));
        for (std::uint32_t table = 0; table != buffer.size() + 2; ++table) {
            const bool is_read = error_of([&] { return flat::vtable_of(buffer, table).bytes; }).empty();
            found += is_read;
            if (flat::has_vtable(buffer, table) != is_read) FAIL("at byte " << table);
        }
    };
    compare();
    CHECK(found != 0);
    for (std::size_t i = 0; i < bytes.size(); i += 3)
        for (const char changed : {'\1', '\xff'}) {
            const auto original = std::exchange(bytes[i], changed);
            compare();
            bytes[i] = original;
        }
}
