// SPDX-License-Identifier: MPL-2.0
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ositrace/check.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/check/mcap_check.hpp"
#include "tests/catch.hpp"
#include "tests/lib/check/traces.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

TEST_CASE("the check of an MCAP file can be cancelled")
{
    const ScratchFolder folder;
    const auto name = folder / "20210818T150542Z_gt_380_32112_2_x.mcap";
    write_file(name, trace_by_hand::McapFile().bytes());
    std::stop_source source;
    CHECK(check_trace(name, {}, source.get_token()).errors == 0);
    source.request_stop();
    CHECK_THROWS_AS(check_trace(name, {}, source.get_token()), Error);
}

TEST_CASE("findings keep the beginning of a topic that is megabytes long")
{
    const ScratchFolder folder;
    const auto name = folder / "20210818T150542Z_gt_380_32112_2_x.mcap";
    trace_by_hand::McapFile mcap;
    mcap.channel_metadata.clear();
    mcap.topics = {std::string(std::size_t{1} << 20, 't'), "other"};
    write_file(name, mcap.bytes());
    const auto result = check_trace(name);
    CHECK_FALSE(result.findings.empty());
    bool is_named = false;
    for (const auto& finding : result.findings) {
        CHECK(finding.channel.size() < 5000);
        is_named = is_named || finding.channel.starts_with("ttt");
    }
    CHECK(is_named);
}

TEST_CASE("messages that the index of their chunk leaves out are not lost in silence")
{
    const ScratchFolder folder;
    trace_by_hand::McapFile file;
    file.indexed = 1;
    const auto frames = [&] {
        write_file(folder / "a.mcap", file.bytes());
        const auto reader = open_trace(folder / "a.mcap")->reader();
        std::size_t count = 0;
        for (Frame frame; reader->read(frame);) ++count;
        return count;
    };
    // The index is right for all that can be known without unpacking.
    file.counted = 1;
    CHECK_THROWS_WITH(frames(), Catch::Matchers::ContainsSubstring(
                                    "number of messages in a chunk: found 2, its message index lists 1 "
                                    "(osiconvert recover writes the index anew)"));
    // Statistics that contradict it make it worthless.
    file.counted = 2;
    CHECK(frames() == 2);
    // If it lists more than the file has, messages are missing.
    file.counted = 99;
    CHECK_THROWS_WITH(
        frames(), Catch::Matchers::ContainsSubstring("number of messages: found 2, the Statistics record lists 99"));
}

TEST_CASE("messages of an MCAP file may stand in any order: their times are judged in the order of the log times")
{
    const ScratchFolder folder;
    const auto name = folder / "a.mcap";
    CheckOptions options;
    options.disabled = {"file_name.convention"};
    const auto findings = [&](const std::vector<std::uint64_t>& milliseconds) {
        trace_by_hand::McapFile file;
        file.messages.clear();
        file.milliseconds = milliseconds;
        for (const auto time : milliseconds) file.messages.push_back(trace_by_hand::truth(time).str());
        write_file(name, file.bytes());
        std::string text;
        for (const auto& finding : check_trace(name, options).findings)
            text += finding.id.substr(finding.id.rfind(':') + 1) + " in frame " +
                    std::to_string(finding.frame.value_or(99)) + '\n';
        return text;
    };
    CHECK(findings({500, 600, 700, 0, 100, 200, 300, 400}).empty());
    CHECK(findings({500, 600, 700, 0, 100, 300, 400, 200, 800, 1000, 1100, 1200}) == "timestamp.no_gap in frame 9\n");
    CHECK(findings({100, 0, 100}) == "timestamp.not_repeated in frame 2\n");
}

TEST_CASE("each damage of an MCAP file breaks a clause of its own, any other one the format")
{
    const auto kind_of = [](Damage damage, Cause cause = Cause::malformed) {
        return broken_by(Error(cause, {}, "broken", damage), true);
    };
    CHECK(kind_of(Damage::bad_data_crc) == Kind::mcap_data_crc);
    CHECK(kind_of(Damage::bad_summary_crc) == Kind::mcap_summary_crc);
    CHECK(kind_of(Damage::record_in_chunk) == Kind::mcap_chunk_content);
    CHECK(kind_of(Damage::after_data_end) == Kind::mcap_data_end_is_last);
    CHECK(kind_of(Damage::chunk_index) == Kind::mcap_chunk_index);
    CHECK(kind_of(Damage::chunk_times) == Kind::mcap_chunk_times);
    CHECK(kind_of(Damage::message_index) == Kind::mcap_message_index);
    CHECK(kind_of(Damage::statistics) == Kind::mcap_statistics);
    CHECK(kind_of(Damage::declared_twice) == Kind::mcap_valid_file);  // the other kind is a warning
    CHECK(kind_of(Damage::bad_crc) == Kind::mcap_valid_file);         // of a chunk: its bytes are lost
    CHECK(kind_of(Damage::other) == Kind::mcap_valid_file);
    CHECK(kind_of(Damage::other, Cause::unsupported) == Kind::mcap_compression);
    CHECK(kind_of(Damage::chunk_index, Cause::unsupported) == Kind::mcap_chunk_index);
}

TEST_CASE("versions outside of the ranges of the metadata are found, those at their ends and unreadable ones are not")
{
    TraceInfo info;
    const auto messages_of = [&](const std::set<OsiVersion>& versions) {
        const CheckOptions options;
        Findings findings("a.mcap", options);
        check_version_ranges(info, versions, findings);
        std::vector<std::string> texts;
        for (const auto& finding : findings.take(0).findings) texts.push_back(finding.channel + finding.message);
        return texts;
    };
    using Texts = std::vector<std::string>;
    const OsiVersion oldest{3, 5, 0}, newest{3, 8, 0}, older{3, 4, 9}, newer{3, 8, 1};
    CHECK(messages_of({older, newer}).empty());  // no metadata: another finding

    info.metadata = {{"net.asam.osi.trace", {{"min_osi_version", "3.5.0"}, {"max_osi_version", "3.8.0"}}}};
    CHECK(messages_of({oldest, newest}).empty());
    CHECK(messages_of({older, newest, newer}) == Texts{"found 3.4.9 in messages, expected 3.5.0 to 3.8.0",
                                                       "found 3.8.1 in messages, expected 3.5.0 to 3.8.0"});

    info.metadata[0].entries["min_osi_version"] = "3.5";  // has a finding of its own
    CHECK(messages_of({older, newer}) == Texts{"found 3.8.1 in messages, expected ? to 3.8.0"});

    for (const std::string version : {"3.8.1", "3.8.0", "3.x"}) {
        auto& channel = info.channels.emplace_back();
        channel.topic = version + ": ";
        channel.metadata = {{"net.asam.osi.trace.channel.osi_version", version}};
    }
    CHECK(messages_of({}) == Texts{"3.8.1: found 3.8.1 in the channel, expected ? to 3.8.0"});
    info.metadata[0].name = "another record";
    CHECK(messages_of({}).empty());
}
