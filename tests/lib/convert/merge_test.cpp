// SPDX-License-Identifier: MPL-2.0
#include <ositrace/convert.hpp>
#include <ositrace/merge.hpp>

#include "tests/catch.hpp"
#include "tests/lib/convert/fake_trace.hpp"

using namespace ositrace;

namespace {

/// A source that tells of a second channel, of metadata and an attachment only when its second frame is read.
class GrowingSource final : public FrameSource {
public:
    GrowingSource() : info_(ground_truth_info()) { info_.may_grow = true; }
    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token = {}) override
    {
        if (next_ == 2) return false;
        if (next_ == 1) {
            info_.channels.push_back(info_.channels.front());
            info_.channels.back().topic = "late";
            info_.metadata.push_back({"m", {}});
            info_.attachments.push_back({});
        }
        frame = {};
        frame.channel = next_++;
        frame.bytes = bytes_of(payload_);
        return true;
    }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return 0; }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

private:
    std::string payload_ = ground_truth(1);
    TraceInfo info_;
    std::uint32_t next_ = 0;
};

class CollectingWriter final : public TraceWriter {
public:
    explicit CollectingWriter(bool records) : records_(records) {}
    void write(const Frame& frame) override { told.push_back("frame of " + std::to_string(frame.channel)); }
    void add_channel(const Channel& channel) override { told.push_back("channel " + channel.topic); }
    [[nodiscard]] bool holds_records() const noexcept override { return records_; }
    void add_metadata(const MetadataRecord& record) override { told.push_back("metadata " + record.name); }
    void add_attachment(const Attachment&) override { told.emplace_back("attachment"); }
    std::uint64_t close() override { return 0; }
    std::vector<std::string> told;

private:
    bool records_;
};

std::unique_ptr<FrameSource> source_of(std::vector<std::string> payloads)
{
    return std::make_unique<FakeSource>(std::move(payloads));
}

template <class... Source>
std::vector<std::unique_ptr<FrameSource>> list(Source... source)
{
    std::vector<std::unique_ptr<FrameSource>> sources;
    (sources.push_back(std::move(source)), ...);
    return sources;
}

std::vector<std::string> order_of(FrameSource& source)
{
    std::vector<std::string> order;
    for (Frame frame; source.read(frame);)
        order.push_back(std::to_string(frame.channel) + ':' + std::to_string(frame.index));
    return order;
}

}  // namespace

TEST_CASE("frames of several sources come by time, of equal times those of the earlier source first")
{
    const auto merged = merge(list(source_of({ground_truth(1), ground_truth(4), ground_truth(5)}),
                                   source_of({ground_truth(0), ground_truth(4)})));
    CHECK(order_of(*merged) == std::vector<std::string>{"1:0", "0:0", "0:1", "1:1", "0:2"});
}

TEST_CASE("a frame without time, or one that goes backward, stands behind the one in front of it")
{
    const auto merged =
        merge(list(source_of({ground_truth(3), "", ground_truth(1)}), source_of({ground_truth(2), ground_truth(4)})));
    CHECK(order_of(*merged) == std::vector<std::string>{"1:0", "0:0", "0:1", "0:2", "1:1"});
}

TEST_CASE("several files give their channels topics by their names, unique ones, and topics can be renamed")
{
    const auto merged =
        merge(list(source_of({ground_truth(1)}), source_of({ground_truth(1)})), {.topics = {{"in_2", "other"}}});
    REQUIRE(merged->info().channels.size() == 2);
    CHECK(merged->info().channels[0].topic == "in");
    CHECK(merged->info().channels[1].topic == "other");
}

TEST_CASE("a topic that no channel has cannot be renamed, and two channels cannot become one topic")
{
    const auto renamed = [](std::map<std::string, std::string> topics) {
        return merge(list(source_of({ground_truth(1)}), source_of({ground_truth(1)})), {.topics = std::move(topics)});
    };
    CHECK_THROWS_WITH(renamed({{"inn", "other"}}), "no channel has the topic 'inn' to rename (topics: 'in', 'in_2')");
    CHECK_THROWS_WITH(renamed({{"in_2", "in"}}), "'in' and 'in_2' cannot both be the topic 'in'");
    const auto swapped = renamed({{"in_2", "in"}, {"in", "in_2"}});
    CHECK(swapped->info().channels[0].topic == "in_2");
    CHECK(swapped->info().channels[1].topic == "in");
}

TEST_CASE("a channel that an MCAP stream comes upon late can be renamed, and one that never comes is told at the end")
{
    const auto late = [](const std::string& topic) {
        return merge(list(std::make_unique<GrowingSource>()), {.topics = {{topic, "new"}}});
    };
    const auto found = late("late");
    CHECK(order_of(*found) == std::vector<std::string>{"0:0", "1:0"});
    CHECK(found->info().channels.back().topic == "new");
    CHECK_THROWS_WITH(order_of(*late("never")),
                      Catch::Matchers::EndsWith("no channel has the topic 'never' to rename (topics: '', 'late')"));
}

TEST_CASE("channels that nobody wants are passed over with their frames")
{
    const auto merged = merge(list(std::make_unique<GrowingSource>()),
                              {.wants = [](const Channel& channel) { return channel.topic == "late"; }});
    CHECK(order_of(*merged) == std::vector<std::string>{"0:0"});
    CHECK(merged->info().channels.size() == 1);
}

TEST_CASE(
    "channels, metadata and attachments that appear on the way are handed to the writer before the frames behind them")
{
    GrowingSource source;
    CollectingWriter writer(true);
    const auto result = convert(source, writer, {.threads = 1});
    CHECK(writer.told ==
          std::vector<std::string>{"channel late", "metadata m", "attachment", "frame of 0", "frame of 1"});
    CHECK(result.left_out_metadata == 0);
}

TEST_CASE("records for which the output has no place are counted")
{
    GrowingSource source;
    CollectingWriter writer(false);
    const auto result = convert(source, writer, {.threads = 1});
    CHECK(writer.told == std::vector<std::string>{"channel late", "frame of 0", "frame of 1"});
    CHECK(result.left_out_metadata == 1);
    CHECK(result.left_out_attachments == 1);
}
