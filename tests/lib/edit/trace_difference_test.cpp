// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_difference.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/check/traces.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

/// Channels 1 and 2 of a file: the OSI times of their frames in milliseconds.
using Times = std::array<std::vector<std::uint64_t>, 2>;

/// All frames of the channel `first` are logged before those of the other.
std::string one_after_the_other(const Times& times, std::uint16_t first)
{
    auto records = mcap_bytes::schema(1, "osi3.GroundTruth", "protobuf",
                                      std::string(text_of(Schema::built_in()->descriptor_set()))) +
                   mcap_bytes::channel(1, 1, "a", "protobuf") + mcap_bytes::channel(2, 1, "b", "protobuf");
    std::uint64_t log_time = 0;
    for (const auto id : {first, static_cast<std::uint16_t>(3 - first)})
        for (const auto time : times.at(id - 1u))
            records += mcap_bytes::message(id, ++log_time, trace_by_hand::truth(time).str());
    return mcap_bytes::file(records);
}

/// `b 0.1 s: only in the first`, sorted, and the counts.
std::vector<std::string> lines_of_diff(const std::filesystem::path& a, const std::filesystem::path& b,
                                       std::size_t max_waiting_bytes)
{
    std::vector<std::string> lines;
    DiffOptions options;
    options.max_waiting_bytes = max_waiting_bytes;
    options.on_difference = [&](const TraceDifference& difference) {
        lines.push_back(difference.topic + ' ' + std::to_string(difference.time.value().count() / 1'000'000) + " ms" +
                        difference.field + ": " + difference.text);
    };
    const auto result = diff(a, b, {}, options);
    std::ranges::sort(lines);
    lines.push_back(std::to_string(result.equal) + '/' + std::to_string(result.different) + '/' +
                    std::to_string(result.only_in_a) + '/' + std::to_string(result.only_in_b));
    return lines;
}

}  // namespace

TEST_CASE("of channels with one topic the second is compared with the second")
{
    const ScratchFolder folder;
    const auto channels = mcap_bytes::channel(1, 0, "a") + mcap_bytes::channel(2, 0, "a");
    write_file(folder / "x.mcap",
               mcap_bytes::file(channels + mcap_bytes::message(1, 1, "one") + mcap_bytes::message(2, 2, "two")));
    write_file(folder / "y.mcap",
               mcap_bytes::file(channels + mcap_bytes::message(1, 1, "one") + mcap_bytes::message(2, 2, "too")));
    CHECK(diff(folder / "x.mcap", folder / "x.mcap", {}, {}).equal == 2);
    const auto result = diff(folder / "x.mcap", folder / "y.mcap", {}, {});
    CHECK(result.equal == 1);
    CHECK(result.different == 1);
    CHECK(result.only_in_a + result.only_in_b == 0);
}

TEST_CASE("channels that come in another order are compared, however few of their frames may wait")
{
    const ScratchFolder folder;
    const auto x = folder / "x.mcap", y = folder / "y.mcap";
    write_file(x, one_after_the_other({{{0, 100, 200, 300, 400}, {0, 50, 100, 150}}}, 1));
    write_file(y, one_after_the_other({{{0, 100, 250, 300}, {50, 100, 150, 160, 170}}}, 2));
    const auto max_waiting_bytes = GENERATE(std::size_t{1} << 20, std::size_t{700}, std::size_t{0});
    CHECK(lines_of_diff(x, y, max_waiting_bytes) ==
          std::vector<std::string>{"a 200 ms: only in the first", "a 250 ms: only in the second",
                                   "a 400 ms: only in the first", "b 0 ms: only in the first",
                                   "b 160 ms: only in the second", "b 170 ms: only in the second", "6/0/3/3"});
    CHECK(lines_of_diff(x, x, max_waiting_bytes) == std::vector<std::string>{"9/0/0/0"});
}
