// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/message_difference.hpp"

#include "tests/catch.hpp"
#include "tests/lib/trace/sample_frames.hpp"

using namespace ositrace;

namespace {

using Lines = std::vector<std::string>;

std::string object(std::uint64_t id, double x)
{
    std::string bits(8, '\0');
    store(reinterpret_cast<std::byte*>(bits.data()), x);
    const auto position = sample::field(2, "\x09" + bits);  // base.position.x, by its tag
    return sample::field(5, sample::field(1, sample::field(1, id)) + sample::field(2, position));
}

Lines differences(const std::string& a, const std::string& b, DiffOptions options = {})
{
    const auto& table = Schema::built_in()->root(MessageType::ground_truth);
    const auto rules = compile_rules(options);
    Lines lines;
    MessageDifference difference(
        rules,
        [&](const std::string& field, const std::string&, std::optional<double>, std::string text) {
            lines.push_back(field + ": " + text);
        },
        options.pair_by_name);
    difference.compare({bytes_of(a), table, {}}, {bytes_of(b), table, {}});
    return lines;
}

}  // namespace

TEST_CASE("objects are paired by id, whatever their order")
{
    CHECK(differences(object(1, 1) + object(2, 2), object(2, 2) + object(1, 1)).empty());
    CHECK(differences(object(1, 1) + object(2, 2), object(2, 2) + object(1, 1.5) + object(3, 0)) ==
          Lines{"moving_object[id=1].base.position.x: 1 against 1.5", "moving_object[id=3]: only in the second"});
    CHECK(differences(object(1, 1) + object(1, 2), object(1, 1)) == Lines{"moving_object[id=1]: only in the first"});
}

TEST_CASE("objects of two simulators are paired by name, those without one by id")
{
    const auto named = [](std::uint64_t id, double x, const std::string& name) {
        std::string bits(8, '\0');
        store(reinterpret_cast<std::byte*>(bits.data()), x);
        const auto reference = sample::field(3, "entity_id:" + std::to_string(id)) +
                               sample::field(3, name.empty() ? "entity_type:Vehicle" : "entity_name:" + name);
        return sample::field(5, sample::field(1, sample::field(1, id)) +
                                    sample::field(2, sample::field(2, "\x09" + bits)) + sample::field(10, reference));
    };
    DiffOptions options{.pair_by_name = true};
    options.ignored = {"moving_object.id", "moving_object.source_reference"};
    const auto a = named(1, 1, "Ego") + named(2, 2, "Truck") + named(3, 3, "");
    CHECK(differences(a, named(1, 2, "Truck") + named(7, 1, "Ego") + named(3, 3, ""), options).empty());
    CHECK(differences(a, named(1, 2, "Truck") + named(7, 1.5, "Ego") + named(9, 3, ""), options) ==
          Lines{"moving_object[name=Ego].base.position.x: 1 against 1.5", "moving_object[id=3]: only in the first",
                "moving_object[id=9]: only in the second"});
    CHECK(differences(a, named(1, 1, "Car") + named(2, 2, "Truck") + named(3, 3, ""), options) ==
          Lines{"moving_object[name=Ego]: only in the first", "moving_object[name=Car]: only in the second"});
    options.pair_by_name = false;
    CHECK(differences(a, named(1, 1, "Car") + named(2, 2, "Truck") + named(3, 3, ""), options).empty());
}

TEST_CASE("tolerances and ignored paths hold for everything below")
{
    DiffOptions options;
    options.tolerances["moving_object.base"] = 0.5;
    CHECK(differences(object(1, 1), object(1, 1.5), options).empty());
    CHECK(differences(object(1, 1), object(1, 1.6), options) ==
          Lines{"moving_object[id=1].base.position.x: 1 against 1.6"});
    options.tolerances["moving_object.base.position.x"] = 0.7;
    CHECK(differences(object(1, 1), object(1, 1.6), options).empty());
    options = {};
    options.ignored = {"moving_object.base.position"};
    CHECK(differences(object(1, 1), object(1, 9), options).empty());
}

TEST_CASE("what is not set differs from zero, and minus zero from zero")
{
    CHECK(differences(sample::timestamp(0, 0), sample::field(2, sample::field(1, 0))) ==
          Lines{"timestamp.nanos: 0 against not set"});
    CHECK(differences(object(1, 0.0), object(1, -0.0)) == Lines{"moving_object[id=1].base.position.x: 0 against -0"});
}
