// SPDX-License-Identifier: MPL-2.0
// An MCAP file with as many channels as its ids allow: time and memory of all verbs are linear in them, or this test
// would take hours.
#include <ositrace/check.hpp>
#include <ositrace/recover.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_difference.hpp>
#include <ositrace/trace_summary.hpp>

#include "lib/mcap/file_writer.hpp"
#include "tests/catch.hpp"
#include "tests/lib/check/traces.hpp"
#include "tests/lib/mcap/mcap_file.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/stride.hpp"

using namespace ositrace;

namespace {

constexpr std::uint32_t channels = 65'535 / test::stride;

/// OSI channels with two messages each, in several chunks.
std::string file_of_many_channels()
{
    TextSink sink;
    mcap::FileWriter writer(sink, {"", "test"}, {});
    const auto schema = text_of(Schema::built_in()->descriptor_set());
    writer.write(mcap::SchemaFields{1, "osi3.GroundTruth", "protobuf", bytes_of(schema)});
    for (std::uint32_t i = 1; i <= channels; ++i)
        writer.write(
            mcap::ChannelFields{static_cast<std::uint16_t>(i), 1, "topic " + std::to_string(i), "protobuf", {}});
    for (std::uint32_t round = 0; round != 2; ++round) {
        const auto payload = trace_by_hand::truth(round).str();
        for (std::uint32_t i = 1; i <= channels; ++i)
            writer.write(mcap::Message{static_cast<std::uint16_t>(i), round, round * 1'000'000, round * 1'000'000,
                                       bytes_of(payload)});
    }
    writer.finish();
    return sink.text;
}

}  // namespace

TEST_CASE("65 535 channels are summarised, checked, compared and recovered")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(file, file_of_many_channels());

    const auto summary = summarize(*open_trace(file), {});
    REQUIRE(summary.channels.size() == channels);
    CHECK(summary.channels.back().frames == 2);
    CHECK(summary.channels.back().end == Nanoseconds(1'000'000));

    CheckOptions options;
    options.disabled = {"mcap.metadata_is_set", "mcap.channel_mandatory_key", "file_name.convention"};
    const auto checked = check_trace(file, options);
    CHECK(checked.frames == 2 * channels);
    CHECK(checked.errors == 0);

    const auto compared = diff(file, file, {}, {});
    CHECK(compared.equal == 2 * channels);
    CHECK(compared.same());

    RecoverOptions recover;
    recover.write.sync = false;
    const auto recovered = recover_trace(file, folder / "saved.mcap", recover);
    CHECK(recovered.intact());
    CHECK(recovered.frames == 2 * channels);
    CHECK(summarize(*open_trace(folder / "saved.mcap"), {}).channels.size() == channels);
}
