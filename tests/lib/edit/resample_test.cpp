// SPDX-License-Identifier: MPL-2.0
#include <cmath>
#include <numbers>

#include <ositrace/edit/resample.hpp>
#include <ositrace/field_path.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/lib/edit/edited.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

constexpr auto second = Nanoseconds(std::chrono::seconds(1));

/// At a time in seconds: objects on a straight line that turn at a constant rate through half a turn.
Message line_at(double time, const std::vector<std::uint64_t>& ids)
{
    const auto nanos = static_cast<std::uint64_t>(std::llround(time * 1e9));
    Message message;
    message.message(2, Message().varint(1, nanos / 1'000'000'000).varint(2, nanos % 1'000'000'000));
    for (const auto id : ids) {
        const auto yaw = std::remainder(3 + time, 2 * std::numbers::pi);
        message.message(5, Message()
                               .message(1, Message().varint(1, id))
                               .message(2, Message()
                                               .message(2, Message().real(1, 10 * time).real(2, -time))
                                               .message(3, Message().real(3, yaw)))
                               .varint(3, static_cast<std::uint64_t>(time))
                               .text(900, "unknown"));
    }
    return message;
}

struct Resampled {
    std::vector<std::string> payloads;
    ResampleCounts counts;

    [[nodiscard]] std::optional<double> at(std::size_t frame, std::string_view path) const
    {
        const auto& root = Schema::built_in()->root(MessageType::ground_truth);
        return as_real(FieldPath::compile(root, path).get({bytes_of(payloads.at(frame)), root, {}}));
    }
};

Resampled resampled(const std::vector<Message>& frames, Nanoseconds period)
{
    std::vector<std::string> payloads;
    for (const auto& each : frames) payloads.push_back(each.str());
    Resampled result;
    const auto source = resample(source_of(payloads), period, result.counts);
    result.payloads = payloads_of(*source);
    return result;
}

}  // namespace

TEST_CASE("objects of a straight line stay on it, and turn on the shorter way")
{
    std::vector<Message> frames;
    for (const auto time : {0.0, 0.3, 1.0}) frames.push_back(line_at(time, {1, 2}));
    const auto result = resampled(frames, second / 10);
    REQUIRE(result.payloads.size() == 11);
    for (std::size_t i = 0; i != 11; ++i) {
        const auto time = static_cast<double>(i) / 10;
        CHECK(result.at(i, "moving_object[id=2].base.position.x") == Approx(10 * time).margin(1e-12));
        CHECK(result.at(i, "moving_object[id=1].base.position.y") == Approx(-time).margin(1e-12));
        CHECK(result.at(i, "moving_object[id=1].base.orientation.yaw") ==
              Approx(std::remainder(3 + time, 2 * std::numbers::pi)));
        CHECK(result.at(i, "timestamp.seconds").value_or(0) + result.at(i, "timestamp.nanos").value_or(0) / 1e9 ==
              Approx(time).margin(1e-12));
        CHECK(result.at(i, "moving_object[id=1].type") == (i == 10 ? 1.0 : 0.0));  // held
    }
    CHECK(result.payloads[3] == frames[1].str());
    CHECK(result.counts.unchanged == 3);
    CHECK(result.counts.interpolated == 16);
    CHECK(result.counts.held == 0);
    CHECK(result.counts.largest_gap == Nanoseconds(700'000'000));
    CHECK(result.counts.fields ==
          std::set<std::string>{"moving_object.base.orientation", "moving_object.base.position"});
}

TEST_CASE("an object that the next frame lacks is held, and one that appears is there from its frame on")
{
    const auto result = resampled({line_at(0, {1, 2}), line_at(1, {2, 3}), line_at(2, {2, 3})}, second / 2);
    REQUIRE(result.payloads.size() == 5);
    CHECK(result.at(1, "moving_object[id=1].base.position.x") == 0.0);
    CHECK(result.at(1, "moving_object[id=2].base.position.x") == 5.0);
    CHECK_FALSE(result.at(1, "moving_object[id=3].base.position.x"));
    CHECK(result.at(3, "moving_object[id=3].base.position.x") == 15.0);
    CHECK(result.counts.held == 1);
}

TEST_CASE("what only one of two poses has is 0 in the other")
{
    const auto object = [](const Message& position) {
        return Message().message(5, Message().message(1, Message().varint(1, 1)).message(2, position));
    };
    auto first = object(Message().message(2, Message().real(1, 4)));
    first.message(2, Message().varint(1, 0));
    auto last = object(Message().message(2, Message().real(2, 8)).message(4, Message().real(1, 6)));
    last.message(2, Message().varint(1, 1));
    const auto result = resampled({first, last}, second / 2);
    REQUIRE(result.payloads.size() == 3);
    CHECK(result.at(1, "moving_object[0].base.position.x") == 2.0);
    CHECK(result.at(1, "moving_object[0].base.position.y") == 4.0);
    CHECK(result.at(1, "moving_object[0].base.velocity.x") == 3.0);
}

TEST_CASE("fewer frames are those at their times")
{
    std::vector<Message> frames;
    for (int i = 0; i != 10; ++i) frames.push_back(line_at(i / 10.0, {1}));
    const auto result = resampled(frames, second / 5);
    REQUIRE(result.payloads.size() == 5);
    for (std::size_t i = 0; i != 5; ++i) CHECK(result.payloads[i] == frames[2 * i].str());
}

TEST_CASE("frames that do not follow each other in time are refused")
{
    CHECK(error_of([] {
              return resampled({line_at(1, {1}), line_at(0, {1})}, second).payloads.size();
          }).find("is not after the frame before it") != std::string::npos);
    CHECK(error_of([] {
              return resampled({line_at(0, {1}), line_at(2e5, {1})}, second).payloads.size();
          }).find("is more than 100000 periods after") != std::string::npos);
    CHECK(error_of([] { return resampled({Message(), Message()}, second).payloads.size(); }).find("has no time") !=
          std::string::npos);
    CHECK(error_of([] { return resampled({line_at(1, {1})}, Nanoseconds(0)).payloads.size(); }) ==
          "a period is more than 0 s");
}
