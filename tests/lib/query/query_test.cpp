// SPDX-License-Identifier: MPL-2.0
// What expressions mean, and how wrong ones are refused. tests/oracle/query_test.cpp evaluates random ones.
#include <cmath>
#include <map>
#include <random>

#include <ositrace/query.hpp>
#include <ositrace/scene.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/lib/payloads.hpp"

using namespace ositrace;

namespace {

const MessageTable& ground_truth_table() { return Schema::built_in()->root(MessageType::ground_truth); }

/// MovingObject { id base { velocity { x } } type } with the integers below 128.
std::string object_payload(std::uint8_t id, const std::string& velocity, std::uint8_t type)
{
    const auto& table = *ground_truth_table().find("moving_object")->child;
    const auto number = [](const MessageTable& in, std::string_view name) { return in.find(name)->number; };
    const auto& base = *table.find("base")->child;
    return field(number(ground_truth_table(), "moving_object"),
                 field(number(table, "id"), varint_field(1, id)) +
                     field(number(table, "base"), field(number(base, "velocity"), velocity)) +
                     varint_field(number(table, "type"), type));
}

std::string real_field(std::uint32_t number, double value)
{
    std::string bytes(9, static_cast<char>(number << 3 | 1));
    store_le64(reinterpret_cast<std::byte*>(bytes.data() + 1), std::bit_cast<std::uint64_t>(value));
    return bytes;
}

/// A vehicle (2) with id 7 at 3 m/s to the left and 4 m/s ahead, a pedestrian (3) with id 8 whose velocity is not set.
std::string two_objects()
{
    return object_payload(7, real_field(1, 4) + real_field(2, 3), 2) + object_payload(8, "", 3);
}

bool holds(std::string_view expression, const std::string& payload)
{
    QueryEvaluator evaluator(Query::compile(expression, ground_truth_table()));
    return evaluator.holds(MessageView(bytes_of(payload), ground_truth_table(), {}));
}

bool holds(std::string_view expression) { return holds(expression, two_objects()); }

std::vector<std::string> found_paths(std::string_view expression)
{
    const auto payload = two_objects();
    QueryEvaluator evaluator(Query::compile(expression, ground_truth_table()));
    std::vector<QueryMatch> matches;
    static_cast<void>(evaluator.find(MessageView(bytes_of(payload), ground_truth_table(), {}), matches));
    std::vector<std::string> paths;
    for (const auto& match : matches) paths.push_back(match.path);
    return paths;
}

std::string refusal(std::string_view expression)
{
    return error_of([&] { return Query::compile(expression, ground_truth_table()); });
}

}  // namespace

TEST_CASE("a found element is named by its id, a detected object by its tracking id")
{
    const auto ids = [](const MessageTable& root, const std::string& payload) {
        QueryEvaluator evaluator(Query::compile("has(moving_object.base)", root));
        std::vector<QueryMatch> matches;
        static_cast<void>(evaluator.find(MessageView(bytes_of(payload), root, {}), matches));
        std::vector<std::optional<std::uint64_t>> found;
        for (const auto& match : matches) found.push_back(match.id);
        return found;
    };
    using Ids = std::vector<std::optional<std::uint64_t>>;
    CHECK(ids(ground_truth_table(), two_objects()) == Ids{7, 8});
    const auto detected = [](const std::string& header) { return field(13, field(1, header) + field(2, "")); };
    CHECK(ids(Schema::built_in()->root(MessageType::sensor_data),
              detected(field(1, varint_field(1, 70))) + detected("") + detected(field(1, ""))) == Ids{70, {}, 0});
}

TEST_CASE("an expression names an object by the name that a scenario gives it")
{
    const auto named = [](std::uint64_t id, std::string_view name, double x) {
        return by_hand::Message()
            .message(1, by_hand::Message().varint(1, id))
            .message(2, by_hand::Message().message(2, by_hand::Message().real(1, x)))
            .message(10, by_hand::Message().text(3, "Vehicle").text(3, name));
    };
    const auto payload = by_hand::Message().message(5, named(1, "Ego", 2)).message(5, named(2, "Truck 1.5", 9)).str();
    CHECK(holds("moving_object[name=Ego].base.position.x == 2", payload));
    CHECK_FALSE(holds("moving_object[name=Ego].base.position.x > 2", payload));
    CHECK(holds("moving_object[name=Truck 1.5].base.position.x > 8 and moving_object[name=Ego].id == 1", payload));
    CHECK(holds("moving_object.base.position.x > moving_object[name=\"Ego\"].base.position.x", payload));
    CHECK_FALSE(holds("has(moving_object[name=Other].id)", payload));
}

TEST_CASE("an expression holds for an element that fulfils all of it")
{
    CHECK(holds("moving_object[*].base.velocity.x == 4"));
    CHECK(holds("moving_object[*].base.velocity.x > 3.9 and moving_object[*].type == TYPE_VEHICLE"));
    CHECK_FALSE(holds("moving_object[*].base.velocity.x > 3.9 and moving_object[*].type == TYPE_PEDESTRIAN"));
    CHECK(holds("moving_object[*].base.velocity.x > 4 or moving_object[*].type == TYPE_PEDESTRIAN"));
    CHECK(holds("any(moving_object.base.velocity.x > 3.9) and any(moving_object.type == PEDESTRIAN)"));
    CHECK_FALSE(holds("all(moving_object.type == VEHICLE)"));
    CHECK(holds("all(moving_object.type == VEHICLE or moving_object.type == PEDESTRIAN)"));
    CHECK(holds("all(moving_object.type == VEHICLE)", {}));
    CHECK_FALSE(holds("moving_object.type == VEHICLE", {}));
    CHECK_FALSE(holds("not moving_object.type == VEHICLE", {}));
    CHECK(holds("moving_object[id=7].type == VEHICLE"));
    CHECK(holds("moving_object[1].type == PEDESTRIAN"));
    CHECK_FALSE(holds("moving_object[2].type == PEDESTRIAN"));
}

TEST_CASE("a field that is not set has no value")
{
    CHECK_FALSE(holds("moving_object[id=8].base.velocity.x < 1"));
    CHECK_FALSE(holds("moving_object[id=8].base.velocity.x >= 1"));
    CHECK_FALSE(holds("moving_object[id=8].base.velocity.x != 1"));
    CHECK(holds("not moving_object[id=8].base.velocity.x < 1"));
    CHECK(holds("has(moving_object[id=8].base.velocity)"));
    CHECK_FALSE(holds("has(moving_object[id=8].base.velocity.x)"));
    CHECK(found_paths("not has(moving_object.base.velocity.x)") == std::vector<std::string>{"moving_object[1]"});
    CHECK(holds("has(moving_object[id=8])"));
    CHECK_FALSE(holds("has(moving_object[id=9])"));
    CHECK(holds("has(moving_object)"));
    CHECK_FALSE(holds("has(traffic_light)"));
    CHECK(holds("moving_object.id == 0", field(ground_truth_table().find("moving_object")->number, field(1, ""))));
}

TEST_CASE("a component of a vector along another one does not depend on where the axes point")
{
    const auto& objects = *ground_truth_table().find("moving_object");
    const auto& base = *objects.child->find("base");
    const auto object = [&](const std::string& velocity, const std::string& acceleration) {
        return field(objects.number,
                     field(base.number, field(base.child->find("velocity")->number, velocity) +
                                            field(base.child->find("acceleration")->number, acceleration)));
    };
    const auto along = [](const std::string& comparison) {
        return "along(moving_object.base.acceleration, moving_object.base.velocity) " + comparison;
    };
    const auto vector = [](double x, double y) { return real_field(1, x) + real_field(2, y); };
    // It brakes with 5 m/s^2 wherever it drives to.
    for (int degrees = 0; degrees != 360; degrees += 15) {
        const auto x = std::cos(degrees * std::acos(-1) / 180), y = std::sin(degrees * std::acos(-1) / 180);
        const auto braking = object(vector(20 * x, 20 * y), vector(-5 * x - 3 * y, -5 * y + 3 * x));
        CHECK(holds(along("< -4.999999"), braking));
        CHECK_FALSE(holds(along("< -5.000001"), braking));
    }
    CHECK(holds(along("== -5"), object(real_field(1, -20), real_field(1, 5))));  // x alone
    CHECK(holds(along("== 0"), object(real_field(1, 20), real_field(2, 5))));
    CHECK_FALSE(holds(along("!= 1"), object(vector(0, 0), vector(-5, 0))));  // it stands
    CHECK_FALSE(holds(along("!= 1"), object(vector(20, 0), "")));
    CHECK_FALSE(holds(along("!= 1"), object("", vector(-5, 0))));
    CHECK(refusal("along(moving_object.base.velocity) < 1") == "byte 33: expected ',', found ')'");
    CHECK(refusal("along(moving_object.base.velocity, moving_object.base.orientation_rate.roll) < 1") ==
          "byte 35: expected a vector: 'moving_object.base.orientation_rate.roll' has no real numbers");
}

TEST_CASE("numbers are computed")
{
    CHECK(holds("norm(moving_object.base.velocity) == 5"));
    CHECK(found_paths("norm(moving_object.base.velocity) >= 0") == std::vector<std::string>{"moving_object[0]"});
    CHECK(holds("moving_object.base.velocity.x - moving_object.base.velocity.y == 1"));
    CHECK(holds("moving_object.base.velocity.x > moving_object.base.velocity.y"));
    CHECK(holds("-moving_object.base.velocity.x < -3 and abs(-moving_object.base.velocity.x) == 4"));
    CHECK(holds("moving_object.base.velocity.x * 2 + 1 == 9 and (moving_object.base.velocity.x + 1) * 2 == 10"));
    CHECK(holds("moving_object.base.velocity.x / 2 == 2"));
    CHECK(holds("count(moving_object) == 2 and count(lane) == 0"));
    CHECK(holds("1 + 1 = 2"));
    CHECK_FALSE(holds("9223372036854775809 == 9223372036854775808"));
    CHECK(holds("18446744073709551615 > 9223372036854775807"));
    CHECK(holds("-1 < 18446744073709551615"));
    CHECK(holds("0 / 0 == nan and 1 / 0 == inf and 1 != nan"));
}

TEST_CASE("names of an enum may lack what all of them begin with")
{
    for (const auto* const name : {"TYPE_VEHICLE", "VEHICLE", "vehicle", "\"VEHICLE\"", "2"})
        CHECK(holds("moving_object[0].type == " + std::string(name)));
    CHECK(holds("VEHICLE == moving_object.type"));
    CHECK(holds("moving_object[0].type != PEDESTRIAN"));
    CHECK(holds("moving_object.type ~ 'destri'"));
    CHECK(holds("moving_object.type > 2"));
    CHECK(holds("moving_object[0].type != moving_object[1].type"));
}

TEST_CASE("texts are compared without regard to case")
{
    const auto payload = field(ground_truth_table().find("map_reference")->number, "Path/To \"it\"");
    CHECK(holds("map_reference == 'path/to \"IT\"'", payload));
    CHECK(holds("map_reference == \"path/to \\\"it\\\"\"", payload));
    CHECK(holds("map_reference ~ 'TO'", payload));
    CHECK_FALSE(holds("map_reference != 'path/to \"IT\"'", payload));
    CHECK_FALSE(holds("map_reference != 'a'"));
    CHECK(holds("map_reference ~ ''", field(ground_truth_table().find("map_reference")->number, "")));
}

TEST_CASE("the beginning of a path may be left out")
{
    const auto& view = Schema::built_in()->root(MessageType::sensor_view);
    ByteBuffer payload;
    Scene({.frames = 1, .moving_objects = 3, .reflections = 10}).frame(0, payload);
    std::vector<QueryMatch> matches;
    const auto query = Query::compile("moving_object.id == 1", view);
    REQUIRE(QueryEvaluator(query).find(MessageView(payload.bytes(), view, {}), matches));
    REQUIRE(matches.size() == 1);
    CHECK(matches[0].path == "global_ground_truth.moving_object[0]");
    CHECK(matches[0].list == "moving_object");
    CHECK(matches[0].id == 1);
    REQUIRE(query.fields().size() == 1);
    CHECK(query.fields()[0].path == "id.value");
    CHECK(matches[0].values == std::vector<QueryMatch::FieldValue>{{0, std::uint64_t{1}}});
}

TEST_CASE("a number that is computed for a comparison is listed as it is written, without its parts")
{
    const auto payload = two_objects();  // the first one has the id 7 and 5 m/s
    const auto query = Query::compile(
        "norm(moving_object.base.velocity)  >= 0 and moving_object.id == 7 and count(moving_object) + 1 > 1 "
        "and (moving_object.base.velocity.x * 2) > -1e9 and norm(moving_object.base.velocity) < 1e9",
        ground_truth_table());
    std::vector<QueryMatch> matches;
    REQUIRE(QueryEvaluator(query).find(MessageView(bytes_of(payload), ground_truth_table(), {}), matches));
    REQUIRE(matches.size() == 1);
    std::map<std::string, QueryValue> values;
    for (const auto& [field, value] : matches[0].values) values[query.fields()[field].path] = value;
    CHECK(values == std::map<std::string, QueryValue>{{"count(moving_object) + 1", 3.0},
                                                      {"norm(moving_object.base.velocity)", 5.0},
                                                      {"id.value", std::uint64_t{7}},
                                                      {"(moving_object.base.velocity.x * 2)", 8.0}});
    CHECK(query.fields().size() == values.size());
}

TEST_CASE("conditions on different elements are found separately")
{
    CHECK(
        found_paths("moving_object.type == VEHICLE and moving_object.future_trajectory.timestamp.seconds > 3").empty());
    CHECK(found_paths("moving_object.type == VEHICLE and (moving_object.future_trajectory.timestamp.seconds > 3 or "
                      "moving_object.base.velocity.x == 4)") == std::vector<std::string>{"moving_object[0]"});
    CHECK(found_paths("moving_object.type == VEHICLE or moving_object.base.velocity.x == 4") ==
          std::vector<std::string>{"moving_object[0]"});
    CHECK(found_paths("moving_object.type == VEHICLE or traffic_light.id == 3") ==
          std::vector<std::string>{"moving_object[0]"});
    CHECK(found_paths("moving_object.type == VEHICLE and 1 == 1") == std::vector<std::string>{"moving_object[0]"});
}

TEST_CASE("a wrong expression is refused with its place and what was expected")
{
    CHECK(refusal("") == "byte 0: the expression is empty");
    CHECK(refusal("moving_object.base.velocity.x <") == "byte 31: expected a field, a value or '(', found the end");
    CHECK(refusal("moving_object.base.velocity.x") ==
          "byte 29: expected an operator: a number is not a condition, found the end");
    CHECK(refusal("moving_object.bse.velocity.x < 3") == "byte 0: osi3.MovingObject has no field 'bse' (near: base)");
    CHECK(refusal("1 < mving_object.id") ==
          "byte 4: osi3.GroundTruth has no field 'mving_object' (near: moving_object)");
    CHECK(refusal("moving_object.type == TYPE_VEHCLE") ==
          "byte 22: osi3.MovingObject.Type has no 'TYPE_VEHCLE' (known: TYPE_UNKNOWN, TYPE_OTHER, TYPE_VEHICLE, "
          "TYPE_PEDESTRIAN, TYPE_ANIMAL)");
    CHECK(refusal("moving_object.type < TYPE_VEHICLE") == "byte 21: names of an enum have no order: expected a number");
    CHECK(refusal("(1 < 2").starts_with("byte 6: expected ')', found the end"));
    CHECK(refusal("1 < 2)") == "byte 5: expected and, or, an operator or the end, found ')'");
    CHECK(refusal("1 < 2 3") == "byte 6: expected and, or, an operator or the end, found '3'");
    CHECK(refusal("a[1 < 2") == "byte 1: ']' is missing");
    CHECK(refusal("map_reference == 3") == "byte 17: expected a text to compare with, found a number");
    CHECK(refusal("map_reference < 'a'") == "byte 14: expected == or != between a text and a text");
    CHECK(refusal("map_reference == 'a") == "byte 17: the quote is not closed");
    CHECK(refusal("1 ~ 'a'") == "byte 2: expected a text or an enum before ~, found a number");
    CHECK(refusal("1 < nan") == "byte 2: expected == or != before nan");
    CHECK(refusal("speed(3) < 3") ==
          "byte 0: there is no function 'speed' (known: has, any, all, count, abs, norm, along)");
    CHECK(refusal("count(timestamp) > 3") == "byte 6: 'timestamp' is not repeated: it has no count");
    CHECK(refusal("norm(moving_object) > 3") == "byte 5: expected a vector: 'moving_object' has no real numbers");
    CHECK(refusal("moving_object.base == 3").starts_with("byte 0: 'moving_object.base' is a message: expected one"));
    CHECK(refusal("id == 3").starts_with("byte 0: 'id' is ambiguous: "));
    CHECK(refusal("3m < 4") == "byte 0: '3m' is not a number");
    CHECK(refusal("1 < 2 $") == "byte 6: unexpected '$'");
    CHECK(refusal("and") == "byte 0: expected a field or a value, found 'and'");
}

TEST_CASE("the depth and the length of an expression are bounded")
{
    const auto nested = [](int depth) {
        const auto count = static_cast<std::size_t>(depth);
        return std::string(count, '(') + "1 < 2" + std::string(count, ')');
    };
    CHECK(holds(nested(64)));
    CHECK(refusal(nested(65)) == "byte 64: the nesting exceeds the limit of 64 levels");
    CHECK(refusal(std::string(3000, '-')) == "byte 64: the nesting exceeds the limit of 64 levels");
    std::string chain = "1 < 2";
    while (chain.size() + 9 < Query::max_bytes) chain += " or 1 < 2";
    CHECK(holds(chain));
    CHECK(refusal(std::string(Query::max_bytes + 1, ' ')) == "the expression exceeds the limit of 4096 bytes");
}

TEST_CASE("whatever people type is refused in one line or evaluated")
{
    const std::vector<std::string> words{
        "moving_object", "[*]",   "[0]",  "[id=7]", "[",  "]",  ".",    ".base", ".velocity", ".x",     ".type",
        "VEHICLE",       " and ", " or ", "not ",   "(",  ")",  "any(", "all(",  "has(",      "count(", "abs(",
        "norm(",         " < ",   " == ", " ~ ",    "!=", "=",  "3",    "-",     "+",         "*",      "/",
        "nan",           "true",  "'a'",  "\"",     "\\", "id", ".id",  "1e9",   ".5",        "lane",   "$",
        "\xff",          " ",     "&&",   "type"};
    std::mt19937 random(7);
    int evaluated = 0;
    for (int i = 0; i != 4'000; ++i) {
        std::string text = i % 2 == 0 ? "moving_object[*].base.velocity.x < 3" : "";
        for (auto length = random() % 12; length != 0; --length) {
            const auto& word = words[random() % words.size()];
            text.insert(i % 4 == 0 ? random() % (text.size() + 1) : text.size(), word);
        }
        INFO(text);
        try {
            const auto query = Query::compile(text, ground_truth_table());
            QueryEvaluator evaluator(query);
            const auto payload = two_objects();
            const MessageView message(bytes_of(payload), ground_truth_table(), {});
            std::vector<QueryMatch> matches;
            const bool found = evaluator.find(message, matches);
            REQUIRE(found == !matches.empty());
            REQUIRE(found == evaluator.holds(message));
            ++evaluated;
        } catch (const Error& error) {
            REQUIRE(error.cause() == Cause::usage);
            REQUIRE(error.where().offset.value_or(0) <= text.size());
            REQUIRE(std::string_view(error.what()).find('\n') == std::string_view::npos);
        }
    }
    CHECK(evaluated > 100);
}

TEST_CASE("combinations of elements are bounded")
{
    std::string payload;
    const auto number = ground_truth_table().find("moving_object")->number;
    for (int i = 0; i != 2100; ++i) payload += field(number, "");
    const auto message = MessageView(bytes_of(payload), ground_truth_table(), {});
    // Conditions that connect two lists.
    QueryEvaluator evaluator(Query::compile(
        "not has(moving_object.id) and any(moving_object.id == 1 or (not has(moving_object.base) and has(lane)))",
        ground_truth_table()));
    CHECK_FALSE(evaluator.holds(message));
    std::string lanes = payload;
    for (int i = 0; i != 2100; ++i) lanes += field(ground_truth_table().find("stationary_object")->number, "");
    QueryEvaluator pairs(
        Query::compile("moving_object.base.velocity.x == stationary_object.base.position.x", ground_truth_table()));
    CHECK(error_of([&] { return pairs.holds(MessageView(bytes_of(lanes), ground_truth_table(), {})); }) ==
          "the number of combinations of elements in a message exceeds the limit of 4000000");
    CHECK_FALSE(pairs.holds(message));
}
