// SPDX-License-Identifier: MPL-2.0
// Queries over whole traces.
#include <ositrace/live_trace.hpp>
#include <ositrace/query.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/catch.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

struct Found {
    std::vector<std::uint64_t> numbers;
    QueryEnd end;
};

Found find(const Trace& trace, std::string_view expression, const QueryOptions& options = {},
           const std::stop_token& stop = {})
{
    const auto& channel = trace.info().channels.front();
    Found found;
    std::uint64_t known = options.first;
    found.end = search(
        trace, 0, channel, Query::compile(expression, *channel.root), options,
        [&](const QueryBatch& batch) {
            for (const auto& hit : batch.hits) {
                CHECK((hit.number >= known && hit.number < batch.next));
                known = hit.number + 1;
                found.numbers.push_back(hit.number);
            }
            known = batch.next;
        },
        stop);
    return found;
}

std::vector<std::uint64_t> numbers(std::uint64_t from, std::uint64_t to)
{
    std::vector<std::uint64_t> all;
    for (; from < to; ++from) all.push_back(from);
    return all;
}

}  // namespace

TEST_CASE("a search finds the messages for which an expression holds, in order, on any number of threads")
{
    const ScratchFolder scratch;
    for (const auto* const name : {"scene.osi", "scene.mcap"}) {
        INFO(name);
        const auto trace = open_trace(test::write_sample(scratch / name, test::small_scene(700)));
        for (const unsigned threads : {1u, 2u, 5u}) {
            const auto found = find(*trace, "timestamp.seconds >= 10 and timestamp.seconds < 20",
                                    {.threads = threads, .batch_time = 0ms});
            CHECK(found.numbers == numbers(100, 200));
            CHECK(found.end.messages == 700);
            CHECK(found.end.broken == 0);
            CHECK_FALSE(found.end.problem);
        }
        CHECK(find(*trace, "timestamp.seconds >= 0").numbers == numbers(0, 700));
        CHECK(find(*trace, "timestamp.seconds >= 0", {.first = 650}).numbers == numbers(650, 700));
        CHECK(find(*trace, "timestamp.seconds >= 0", {.first = 650, .to = 660}).numbers == numbers(650, 660));
        CHECK(find(*trace, "timestamp.seconds >= 0", {.time = {.from = 5s, .to = 6s}}).numbers == numbers(50, 60));
        CHECK(find(*trace, "timestamp.seconds >= 0", {.first = 900}).numbers.empty());
    }
}

TEST_CASE("a search can be stopped")
{
    const ScratchFolder scratch;
    const auto trace = open_trace(test::write_sample(scratch / "scene.osi", test::small_scene(2000)));
    std::stop_source stop;
    std::uint64_t hits = 0;
    const auto& channel = trace->info().channels.front();
    const auto end = search(
        *trace, 0, channel, Query::compile("1 == 1", *channel.root), {.threads = 2, .batch_time = 0ms},
        [&](const QueryBatch& batch) {
            hits += batch.hits.size();
            stop.request_stop();
        },
        stop.get_token());
    CHECK(end.stopped);
    CHECK((hits > 0 && hits < 2000));
}

TEST_CASE("messages that cannot be read are counted, and the search goes on")
{
    const ScratchFolder scratch;
    const auto file = scratch / "20210818T150542Z_gt_370_2112_3_broken.osi";
    write_file(file, length_prefixed(ground_truth(1)) + length_prefixed(field(2, varint_field(1, 2) + "\x0f")) +
                         length_prefixed(ground_truth(3)));
    const auto trace = open_trace(file, {.type = MessageType::ground_truth, .encoding = Encoding::protobuf});
    const auto found = find(*trace, "timestamp.seconds > 0");
    CHECK(found.numbers == std::vector<std::uint64_t>{0, 2});
    CHECK(found.end.broken == 1);
    REQUIRE(found.end.first_broken);
    CHECK(found.end.first_broken->where().frame == 1);
}

TEST_CASE("a file that ends early is searched up to its damage")
{
    const ScratchFolder scratch;
    const auto file = scratch / "cut.osi";
    write_file(file, length_prefixed(ground_truth(1)) + length_prefixed(ground_truth(2)) +
                         length_prefixed(ground_truth(3)).substr(0, 6));
    const auto trace = open_trace(file, {.type = MessageType::ground_truth, .encoding = Encoding::protobuf});
    const auto found = find(*trace, "timestamp.seconds > 0");
    CHECK(found.numbers == std::vector<std::uint64_t>{0, 1});
    REQUIRE(found.end.problem);
    CHECK(found.end.problem->cause() == Cause::truncated);
}

TEST_CASE("a search goes on with what arrives")
{
    auto options = test::small_scene(60);
    options.type = MessageType::ground_truth;
    SceneSource scene(options, 1);
    LiveTrace trace(scene.info(), {.frames = 25});
    const auto append = [&](int count) {
        for (Frame frame; count-- > 0 && scene.read(frame); frame = {}) trace.append(frame);
    };
    append(10);
    std::vector<std::uint64_t> ends;
    QueryOptions following;
    following.wait_for_more = [&](std::uint64_t next) {
        ends.push_back(next);
        append(ends.size() == 1 ? 10 : 40);  // at last more than are kept
        return ends.size() < 3;
    };
    const auto found = find(trace, "timestamp.seconds >= 0", following);
    auto wanted = numbers(0, 20);
    for (const auto each : numbers(35, 60)) wanted.push_back(each);
    CHECK(found.numbers == wanted);
    CHECK(ends == std::vector<std::uint64_t>{10, 20, 60});
    CHECK(found.end.messages == 45);
    CHECK_FALSE(found.end.problem);
}

TEST_CASE("of a message at most 1000 matches are listed, and more are reported")
{
    const auto matches_of = [](int objects) {
        std::string payload;
        for (int i = 0; i != objects; ++i) payload += field(5, varint_field(3, 2));
        const auto& root = Schema::built_in()->root(MessageType::ground_truth);
        QueryEvaluator evaluator(Query::compile("moving_object.type == 2", root));
        std::vector<QueryMatch> matches;
        CHECK(evaluator.find(MessageView(bytes_of(payload), root, {}), matches));
        return std::pair(matches.size(), evaluator.has_more());
    };
    CHECK(matches_of(1000) == std::pair(std::size_t{1000}, false));
    CHECK(matches_of(1001) == std::pair(std::size_t{1000}, true));
    CHECK(matches_of(3000) == std::pair(std::size_t{1000}, true));
}
