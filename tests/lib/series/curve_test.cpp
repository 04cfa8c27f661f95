// SPDX-License-Identifier: MPL-2.0
#include <ositrace/curve.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Curve curve_of(const std::vector<std::pair<double, double>>& samples)
{
    Curve curve;
    for (const auto& [seconds, value] : samples) {
        curve.times.emplace_back(static_cast<std::int64_t>(seconds * 1e9));
        curve.values.push_back(value);
    }
    return curve;
}

/// NaN equals NaN.
std::string samples_of(const Curve& curve)
{
    std::string text;
    for (std::size_t i = 0; i != curve.times.size(); ++i) {
        const auto value = curve.values[i];
        text += (i == 0 ? "" : " ") + std::to_string(curve.times[i].count() / 1'000'000) + ":" +
                (std::isnan(value) ? "gap" : std::to_string(value).substr(0, 6));
    }
    return text;
}

const MessageTable& truth_table() { return Schema::built_in()->root(MessageType::ground_truth); }

std::string refusal(std::string_view text)
{
    return error_of([&] { return CurveExpression::compile(truth_table(), text).is_path(); });
}

}  // namespace

TEST_CASE("the value at a time is that of the last sample, and none in a gap")
{
    const auto curve = curve_of({{1, 10}, {2, 20}, {3, none}, {5, 50}});
    using std::chrono::milliseconds;
    CHECK_FALSE(value_at(curve, milliseconds(999)));
    CHECK(value_at(curve, milliseconds(1000)) == 10);
    CHECK(value_at(curve, milliseconds(2999)) == 20);
    CHECK_FALSE(value_at(curve, milliseconds(3000)));
    CHECK_FALSE(value_at(curve, milliseconds(4999)));
    CHECK(value_at(curve, milliseconds(9000)) == 50);
    CHECK_FALSE(value_at({}, milliseconds(0)));
}

TEST_CASE("a difference has a sample wherever one of the curves has, and gaps where one has")
{
    CHECK(samples_of(difference(curve_of({{0, 5}, {1, 6}, {2, 7}}), curve_of({{0, 1}, {1, 1}, {2, 3}}))) ==
          "0:4.0000 1000:5.0000 2000:4.0000");
    // Of another rate: the last value counts; before both have begun and after one ends there is none.
    CHECK(
        samples_of(difference(curve_of({{0, 5}, {1, 6}, {2, 7}, {3, 9}}), curve_of({{0.5, 1}, {1.5, 2}, {2.5, 3}}))) ==
        "500:4.0000 1000:5.0000 1500:4.0000 2000:5.0000 2500:4.0000");
    CHECK(samples_of(difference(curve_of({{0, 5}, {1, none}, {2, 7}}), curve_of({{0, 1}, {1, 1}, {2, 1}}))) ==
          "0:4.0000 1000:gap 2000:6.0000");
    CHECK(samples_of(difference(curve_of({{0, 1}}), {})).empty());
    CHECK(samples_of(difference(curve_of({{0, 1}}), curve_of({{1, 1}}))).empty());
}

TEST_CASE("the derivative of a parabola is its line, one-sided at the ends of what has no gap")
{
    CHECK(samples_of(derivative(curve_of({{0, 0}, {1, 1}, {2, 4}, {3, 9}}))) ==
          "0:1.0000 1000:2.0000 2000:4.0000 3000:5.0000");
    CHECK(samples_of(derivative(curve_of({{0, 0}, {1, 2}, {2, none}, {4, 5}, {5, 8}}))) ==
          "0:2.0000 1000:2.0000 2000:gap 4000:3.0000 5000:3.0000");
    CHECK(samples_of(derivative(curve_of({{0, 0}}))).empty());
    CHECK(samples_of(derivative(curve_of({{1, 0}, {1, 5}}))).empty());
}

TEST_CASE("norm and distance are those of Euclid, without overflow")
{
    const auto three = curve_of({{0, 3}, {1, 0}});
    const auto four = curve_of({{0, -4}, {1, 0}});
    const Curve* const both[] = {&three, &four};
    CHECK(samples_of(norm(both)) == "0:5.0000 1000:0.0000");
    const auto huge = curve_of({{0, 3e300}});
    const auto huge_too = curve_of({{0, 4e300}});
    const Curve* const large[] = {&huge, &huge_too};
    CHECK(norm(large).values.front() == Approx(5e300));
    const auto one = curve_of({{0, 1}, {1, 1}});
    const Curve* const origin[] = {&one, &one};
    CHECK(samples_of(distance(both, origin)) == "0:5.3851 1000:1.4142");
}

TEST_CASE("a component of a vector that is not set is 0 where another one is set")
{
    constexpr auto unset = Curve::not_set;
    const auto x = curve_of({{0, 3}, {1, 3}, {2, unset}, {3, unset}, {4, none}});
    const auto y = curve_of({{0, 4}, {1, unset}, {2, 4}, {3, unset}, {4, 4}});
    const Curve* const vector[] = {&x, &y, nullptr};
    // NaN in a message is no 0.
    CHECK(samples_of(length(vector)) == "0:5.0000 1000:3.0000 2000:4.0000 3000:gap");
    const auto zero = curve_of({{0, 0}, {1, 0}, {2, 0}, {3, 0}});
    const Curve* const origin[] = {nullptr, &zero, nullptr};
    CHECK(samples_of(distance(vector, origin)) == "0:5.0000 1000:3.0000 2000:4.0000 3000:gap");
    CHECK(samples_of(distance(origin, vector)) == samples_of(distance(vector, origin)));
    const Curve* const nothing[] = {nullptr, nullptr, nullptr};
    CHECK(samples_of(distance(vector, nothing)).empty());
}

TEST_CASE("a vector has a component in the direction of another one that is not 0")
{
    constexpr auto unset = Curve::not_set;
    const auto x = curve_of({{0, -6}, {1, 3}, {2, 3}, {3, unset}, {4, none}, {5, 3}});
    const auto y = curve_of({{0, 1}, {1, 4}, {2, 4}, {3, unset}, {4, 1}, {5, 4}});
    const auto to_x = curve_of({{0, 30}, {1, 3e300}, {2, 0}, {3, 1}, {4, 1}, {5, unset}});
    const auto to_y = curve_of({{0, 0}, {1, 4e300}, {2, 0}, {3, 1}, {4, 1}, {5, -2}});
    const Curve* const vector[] = {&x, &y, nullptr};
    const Curve* const direction[] = {&to_x, &to_y, nullptr};
    CHECK(samples_of(along(vector, direction)) == "0:-6.000 1000:5.0000 2000:gap 5000:-4.000");
    const Curve* const nothing[] = {nullptr, nullptr, nullptr};
    CHECK(samples_of(along(vector, nothing)).empty());
    CHECK(samples_of(along(nothing, direction)).empty());
}

TEST_CASE("an expression needs one component of a vector, and all of its other paths")
{
    const auto curve = curve_of({{0, 1}});
    const auto missing = [&](std::string_view text, const std::vector<bool>& are_there) {
        const auto expression = CurveExpression::compile(truth_table(), text);
        REQUIRE(expression.paths().size() == are_there.size());
        std::vector<const Curve*> curves;
        for (const auto each : are_there) curves.push_back(each ? &curve : nullptr);
        const auto place = expression.missing(curves);
        return place ? expression.paths()[*place] : std::string();
    };
    const std::string speed = "norm(moving_object[0].base.velocity)";
    CHECK(missing(speed, {false, true, false}).empty());
    CHECK(missing(speed, {false, false, false}) == "moving_object[0].base.velocity.x");
    CHECK(missing(speed + " - timestamp.seconds", {true, false, false, false}) == "timestamp.seconds");
    CHECK(missing("distance(moving_object[0], moving_object[1])", {true, true, true, false, false, false}) ==
          "moving_object[1].base.position.x");
    CHECK(missing("distance(moving_object[0], moving_object[1])", {true, false, false, false, false, true}).empty());
    const std::string braking = "along(moving_object[0].base.acceleration, moving_object[0].base.velocity)";
    CHECK(missing(braking, {false, true, false, true, false, false}).empty());
    CHECK(missing(braking, {false, true, false, false, false, false}) == "moving_object[0].base.velocity.x");
    // Of curves that are written one by one all are needed.
    CHECK(missing("norm(moving_object[0].base.velocity.x, moving_object[0].base.velocity.y)", {true, false}) ==
          "moving_object[0].base.velocity.y");
}

TEST_CASE("an unwrapped angle makes no step of more than half a turn, over gaps too")
{
    constexpr double pi = std::numbers::pi;
    const auto unwrapped = unwrap(curve_of({{0, 3}, {1, -3}, {2, none}, {3, -0.5}, {4, 3}, {5, -3 + 4 * pi}}));
    CHECK(unwrapped.values[1] == Approx(-3 + 2 * pi));
    CHECK(std::isnan(unwrapped.values[2]));
    CHECK(unwrapped.values[3] == Approx(-0.5 + 2 * pi));
    CHECK(unwrapped.values[4] == Approx(3 + 0 * pi).margin(7));
    for (std::size_t i : {1U, 4U, 5U})
        CHECK(std::abs(unwrapped.values[i] - unwrapped.values[i == 4 ? 3 : i - 1]) <= pi + 1e-9);
}

TEST_CASE("an expression is a path, or functions of paths")
{
    const auto paths = [](std::string_view text) { return CurveExpression::compile(truth_table(), text).paths(); };
    CHECK(paths("timestamp.seconds") == std::vector<std::string>{"timestamp.seconds"});
    CHECK(paths("norm(moving_object[*].base.velocity)") ==
          std::vector<std::string>{"moving_object[*].base.velocity.x", "moving_object[*].base.velocity.y",
                                   "moving_object[*].base.velocity.z"});
    CHECK(paths("distance(moving_object[id=1], moving_object[id=2])").size() == 6);
    CHECK(paths("distance(moving_object[id=1].base.position, moving_object[id=2])").size() == 6);
    CHECK(paths(" derivative( moving_object[id=1].base.velocity.x ) - moving_object[id=1].base.acceleration.x") ==
          std::vector<std::string>{"moving_object[id=1].base.velocity.x", "moving_object[id=1].base.acceleration.x"});
    CHECK(paths("unwrap(moving_object[id=1].base.orientation.yaw)").size() == 1);
}

TEST_CASE("an expression of curves has their values")
{
    const auto evaluated = [](std::string_view text, const std::vector<Curve>& curves) {
        const auto expression = CurveExpression::compile(truth_table(), text);
        REQUIRE(expression.paths().size() == curves.size());
        std::vector<const Curve*> all;
        for (const auto& each : curves) all.push_back(&each);
        return samples_of(expression.evaluate(all));
    };
    const auto x = curve_of({{0, 0}, {1, 3}, {2, 6}});
    const auto y = curve_of({{0, 0}, {1, 4}, {2, 8}});
    const auto z = curve_of({{0, 0}, {1, 0}, {2, 0}});
    CHECK(evaluated("derivative(norm(moving_object[0].base.velocity))", {x, y, z}) ==
          "0:5.0000 1000:5.0000 2000:5.0000");
    CHECK(evaluated("moving_object[0].base.velocity.x - moving_object[0].base.velocity.y - timestamp.seconds",
                    {y, x, x}) == "0:0.0000 1000:-2.000 2000:-4.000");
    CHECK(evaluated("along(moving_object[0].base.acceleration, moving_object[0].base.velocity)", {x, x, x, z, y, z}) ==
          "1000:3.0000 2000:6.0000");
    CHECK(evaluated("distance(moving_object[0], moving_object[1])", {x, y, z, z, z, z}) ==
          "0:0.0000 1000:5.0000 2000:10.000");
}

TEST_CASE("gap and time to collision need the positions of two objects, and take 0 for what else is not set")
{
    // One follows the other along x: 4 m and 2 m long, 10 and 6 m/s.
    const auto expression =
        CurveExpression::compile(truth_table(), "time_to_collision(moving_object[1], stationary_object[0])");
    std::map<std::string, Curve> curves;
    curves["moving_object[1].base.position.x"] = curve_of({{0, 0}, {1, 10}, {2, none}, {3, 50}});
    curves["moving_object[1].base.position.y"] = curve_of({{0, 0}, {1, 0}, {2, none}, {3, 0}});
    curves["moving_object[1].base.velocity.x"] = curve_of({{0, 10}, {1, 5}, {2, none}, {3, 5}});
    curves["moving_object[1].base.dimension.length"] = curve_of({{0, 4}, {1, 4}, {2, none}, {3, 4}});
    curves["stationary_object[0].base.position.x"] = curve_of({{0, 33}, {1, 33}, {2, 33}, {3, 33}});
    curves["stationary_object[0].base.position.y"] = curve_of({{0, 0}, {1, 0}, {2, 0}, {3, 0}});
    curves["stationary_object[0].base.dimension.length"] = curve_of({{0, 2}, {1, 2}, {2, 2}, {3, 2}});
    std::vector<const Curve*> found;
    for (std::size_t i = 0; i != expression.paths().size(); ++i) {
        const auto& path = expression.paths()[i];
        CHECK(path.find("stationary_object[0].base.velocity") == std::string::npos);  // it has no such field
        const auto curve = curves.find(path);
        found.push_back(curve == curves.end() ? nullptr : &curve->second);
    }
    for (std::size_t i = 0; i != found.size(); ++i) {
        auto fewer = found;
        fewer[i] = nullptr;
        const bool is_needed = expression.paths()[i].find("position") != std::string::npos;
        CHECK(expression.missing(fewer) == (is_needed ? std::optional(i) : std::nullopt));
    }
    CHECK(samples_of(expression.evaluate(found)) == "0:3.0000 1000:4.0000 2000:gap");
    const auto gaps = CurveExpression::compile(truth_table(), "gap(moving_object[1], stationary_object[0])");
    REQUIRE(gaps.paths() == expression.paths());
    CHECK(samples_of(gaps.evaluate(found)) == "0:30.000 1000:20.000 2000:gap 3000:14.000");
}

TEST_CASE("the name of a curve has its element in the place of each star")
{
    const auto expression = CurveExpression::compile(
        truth_table(), "distance(moving_object[*], moving_object[id=1]) - norm(moving_object[*].base.velocity)");
    CHECK(expression.has_many());
    CHECK(expression.text_of("[id=42]") ==
          "distance(moving_object[id=42], moving_object[id=1]) - norm(moving_object[id=42].base.velocity)");
}

TEST_CASE("a path may lack its first parts and the star, as in a query")
{
    const auto& view = Schema::built_in()->root(MessageType::sensor_view);
    const auto whole = [&](std::string_view text) { return CurveExpression::compile(view, text).text(); };
    CHECK(whole("moving_object[id=2].base.velocity.x") == "global_ground_truth.moving_object[id=2].base.velocity.x");
    CHECK(whole(" norm(moving_object.base.velocity) - norm( moving_object[1].base.velocity )") ==
          "norm(global_ground_truth.moving_object[*].base.velocity) - "
          "norm( global_ground_truth.moving_object[1].base.velocity )");
    CHECK(whole("distance(moving_object[id=1], moving_object[id=2].base.position)") ==
          "distance(global_ground_truth.moving_object[id=1], global_ground_truth.moving_object[id=2].base.position)");
    CHECK(whole("global_ground_truth.moving_object[0].id") == "global_ground_truth.moving_object[0].id.value");
    const auto every = CurveExpression::compile(view, "derivative(norm(moving_object.base.velocity))");
    CHECK(every.has_many());
    CHECK(every.text_of("[id=2]") == "derivative(norm(global_ground_truth.moving_object[id=2].base.velocity))");
    CHECK(error_of([&] { return CurveExpression::compile(view, "norm(velocity)").text(); }).find("is ambiguous") !=
          std::string::npos);
}

TEST_CASE("units follow the functions")
{
    const auto unit = [](std::string_view text, const std::string& of_paths) {
        const auto expression = CurveExpression::compile(truth_table(), text);
        return expression.unit(std::vector<std::string>(expression.paths().size(), of_paths));
    };
    CHECK(unit("timestamp.seconds", "s") == "s");
    CHECK(unit("norm(moving_object[0].base.velocity)", "m/s") == "m/s");
    CHECK(unit("along(moving_object[0].base.acceleration, moving_object[0].base.velocity)", "m/s^2") == "m/s^2");
    CHECK(unit("derivative(timestamp.seconds)", "m") == "m/s");
    CHECK(unit("derivative(timestamp.seconds)", "m/s") == "m/s^2");
    CHECK(unit("derivative(timestamp.seconds)", "m/s^2") == "m/s^3");
    CHECK(unit("derivative(timestamp.seconds)", "rad/s") == "rad/s^2");
    CHECK(unit("derivative(timestamp.seconds)", "") == "1/s");
    CHECK(unit("gap(moving_object[0], moving_object[1])", "m") == "m");
    CHECK(unit("time_to_collision(moving_object[0], moving_object[1])", "m") == "s");
    const auto mixed = CurveExpression::compile(truth_table(), "timestamp.seconds - timestamp.nanos");
    CHECK(mixed.unit(std::vector<std::string>{"s", "ns"}).empty());
}

TEST_CASE("what is no expression is refused with the reason")
{
    CHECK(refusal("") == "a field path is missing");
    CHECK(refusal("speed(timestamp.seconds)") ==
          "unknown function 'speed' (known: difference, derivative, norm, distance, along, unwrap, gap, "
          "time_to_collision, time_to_contact)");
    CHECK(refusal("unwrap(timestamp.seconds") == "')' is missing after the arguments of unwrap");
    CHECK(refusal("unwrap(timestamp.seconds)x") == "'x' is left over");
    CHECK(refusal("unwrap(timestamp.seconds, timestamp.nanos)") == "unwrap takes 1 argument, found 2");
    CHECK(refusal("distance(moving_object[0])") == "distance takes 2 arguments, found 1");
    CHECK(refusal("distance(timestamp.seconds, timestamp.seconds)") ==
          "distance needs messages with x, y and z, or objects, found 'timestamp.seconds'");
    CHECK(refusal("along(moving_object[0], moving_object[0].base.velocity)") == "'moving_object[0]' has no x, y and z");
    CHECK(refusal("along(timestamp.seconds, moving_object[0].base.velocity)") ==
          "along needs messages with x, y and z, found 'timestamp.seconds'");
    CHECK(refusal("along(moving_object[0].base.velocity)") == "along takes 2 arguments, found 1");
    CHECK(refusal("gap(moving_object[0], timestamp)") == "gap needs objects, found 'timestamp'");
    CHECK(refusal("gap(moving_object[0])") == "gap takes 2 arguments, found 1");
    CHECK(refusal("norm(timestamp)") == "'timestamp' has no x, y and z");
    CHECK(refusal("proj_string") == "field path 'proj_string': is a string, expected a number");
    CHECK(refusal("moving_object[*].base.velocity") ==
          "field path 'moving_object[*].base.velocity': is a message, expected one of its fields: x, y, z");
    std::string deep;
    for (int i = 0; i != 10'000; ++i) deep += "unwrap(";
    CHECK(refusal(deep) == "functions are nested deeper than 16");
}
