// SPDX-License-Identifier: MPL-2.0
#include <ositrace/element_name.hpp>

#include <ositrace/field_path.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::Message;
using Texts = std::vector<std::string>;

namespace {

const MessageTable& truth() { return Schema::built_in()->root(MessageType::ground_truth); }

Message reference(const Texts& identifiers, std::string_view type = {})
{
    Message message;
    if (!type.empty()) message.text(2, type);
    for (const auto& each : identifiers) message.text(3, each);
    return message;
}

/// A ground truth with an object of these references, in both encodings.
void with_object(const std::vector<Message>& references, const std::function<void(const MessageView&)>& check)
{
    Message object;
    object.message(1, Message().varint(1, 7));
    for (const auto& each : references) object.message(10, each);
    const auto message = Message().message(5, Message().message(1, Message().varint(1, 3))).message(5, object);
    check(MessageView(message.bytes(), truth(), {}));
    constexpr Format flat{Encoding::flatbuffers, Layout::numbered};
    ByteBuffer buffer;
    Transcoder(truth(), {}, flat).transcode(message.bytes(), buffer);
    check(MessageView(buffer.bytes(), truth(), flat));
}

std::string name_from(const std::vector<Message>& references)
{
    Texts names;
    with_object(references, [&](const MessageView& view) {
        const auto object = FieldPath::compile(truth(), "moving_object[1]").get(view);
        names.emplace_back(name_of(std::get<MessageView>(object)));
    });
    CHECK(names.front() == names.back());
    return names.front();
}

}  // namespace

TEST_CASE("an object has the name that a scenario gives it")
{
    CHECK(name_from({reference({"entity_id:0", "entity_type:Vehicle", "entity_name:Ego"}, "net.asam.openscenario")}) ==
          "Ego");
    CHECK(name_from({reference({"Vehicle", "Ego"})}) == "Ego");
    CHECK(name_from({reference({"Pedestrian", "Kim"}, "net.asam.openscenario")}) == "Kim");
    CHECK(name_from({reference({"MiscObject", "Cone 1"})}) == "Cone 1");
    CHECK(name_from({reference({"object", "12"}, "net.asam.opendrive"), reference({"Vehicle", "Truck"})}) == "Truck");
    CHECK(name_from({reference({"Vehicle", "a"}), reference({"Vehicle", "b"})}) == "a");
}

TEST_CASE("what is no name of a scenario is none")
{
    CHECK(name_from({}).empty());
    CHECK(name_from({reference({})}).empty());
    CHECK(name_from({reference({"Vehicle"})}).empty());
    CHECK(name_from({reference({"Vehicle", ""})}).empty());
    CHECK(name_from({reference({"entity_name:"})}).empty());
    CHECK(name_from({reference({"Car", "Ego"})}).empty());
    CHECK(name_from({reference({"0", "Vehicle", "Ego"})}).empty());
    CHECK(name_from({reference({"object", "12"}, "net.asam.opendrive")}).empty());
    CHECK_FALSE(name_fields(*Schema::built_in()->root(MessageType::sensor_data).find("moving_object")->child));
}

TEST_CASE("the deciding bytes of an identifier tell whether it is a name")
{
    CHECK(ReferenceName::deciding_bytes("entity_name:Ego") == 12);
    CHECK(ReferenceName::deciding_bytes("entity_id:12") == 8);
    CHECK(ReferenceName::deciding_bytes("Vehicle") == 7);
    CHECK(ReferenceName::deciding_bytes("Ego") == 1);
    CHECK(ReferenceName::deciding_bytes("") == 0);
}

TEST_CASE("a path names an element by its name, whatever characters it has")
{
    const auto id_at = [](const std::string& name, const std::string& path) {
        std::vector<std::optional<std::int64_t>> ids;
        with_object({reference({"Vehicle", name})}, [&](const MessageView& view) {
            ids.push_back(as_integer(FieldPath::compile(truth(), path).get(view)));
        });
        CHECK(ids.front() == ids.back());
        return ids.front();
    };
    CHECK(id_at("Ego", "moving_object[name=Ego].id.value") == 7);
    CHECK_FALSE(id_at("Ego", "moving_object[name=ego].id.value"));
    CHECK(id_at("Truck 1.5", "moving_object[name=Truck 1.5].id.value") == 7);
    CHECK(id_at("Ego", "moving_object[name=\"Ego\"].id.value") == 7);
    CHECK(id_at("a].b", "moving_object[name=\"a].b\"].id.value") == 7);
    CHECK(id_at("[x", "moving_object[name=[x].id.value") == 7);
}

TEST_CASE("the text of a pick is read again")
{
    const auto again = [](const std::string& path) {
        const auto compiled = FieldPath::compile(truth(), path);
        return pick_text(compiled.steps().front());
    };
    CHECK(again("moving_object[name=Ego].id") == "[name=Ego]");
    CHECK(again("moving_object[name=\"Ego\"].id") == "[name=Ego]");
    CHECK(again("moving_object[name=\"a]b\"].id") == "[name=\"a]b\"]");
    CHECK(again("moving_object[id=3].id") == "[id=3]");
    CHECK(again("moving_object[3].id") == "[3]");
    CHECK(again("moving_object[*].id").empty());
}
