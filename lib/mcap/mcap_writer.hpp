// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <ositrace/stated_channel.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/io/output_file.hpp"
#include "lib/mcap/file_writer.hpp"
#include "lib/mcap/osi_records.hpp"
#include "lib/mcap/version_streams.hpp"
#include "lib/trace/output_options.hpp"

namespace ositrace {

/// OSI-MCAP: OSI channels follow the standard, all others and their messages are copied unchanged.
///
/// Every string is written as UTF-8: what is none goes through text(), where it comes in (the profile, a channel, a
/// record, an attachment).
///
/// A channel is written with its first message, because its metadata states the OSI version of the data; the record
/// `net.asam.osi.trace` is written last, because it states the smallest and the largest. The publish time of a message
/// is its OSI timestamp, whatever time it came with (unless WriteOptions::keep_times); so is the log time, unless it
/// came with one. A message without timestamp (SensorViewConfiguration, foreign ones) keeps the times it came with, or
/// else has the times of the message before it.
class McapWriter final : public TraceWriter {
public:
    McapWriter(const std::filesystem::path& file, const TraceInfo& info, const WriteOptions& options);

    void write(const Frame& frame) override;
    void add_channel(const Channel& channel) override;
    [[nodiscard]] bool holds_records() const noexcept override { return true; }
    void add_metadata(const MetadataRecord& record) override;
    void add_attachment(const Attachment& attachment) override;
    [[nodiscard]] std::vector<std::string> assumed_versions() const override { return assumed_versions_; }
    [[nodiscard]] std::vector<ReplacedVersion> replaced_versions() const override { return replaced_versions_; }
    [[nodiscard]] std::vector<VersionChannel> version_channels() const override { return streams_.version_channels(); }
    [[nodiscard]] std::vector<std::string> backward_times() const override { return streams_.backward(); }
    [[nodiscard]] std::uint64_t replaced_publish_times() const noexcept override { return replaced_publish_times_; }
    [[nodiscard]] std::uint64_t untimed_messages() const noexcept override { return untimed_messages_; }
    [[nodiscard]] std::uint64_t replaced_texts() const noexcept override { return replaced_texts_; }
    void hand_on() override { records_.hand_on(); }
    void discard() noexcept override { file_.discard(); }
    std::uint64_t close() override;

private:
    mcap::VersionStreams::Written put_channel(const mcap::VersionStreams::Stream& stream, Bytes first_payload);
    using SchemaPointer = std::shared_ptr<const SchemaRecord>;
    SchemaPointer schema_of(const Channel& channel);
    std::uint16_t put_schema(const Channel& channel);
    std::string unique_topic(const Channel& channel);
    std::string text(const std::string& stated);
    std::map<std::string, std::string> texts(const std::map<std::string, std::string>& stated);
    struct Times {
        std::uint64_t log, publish;
    };
    Times times_of(const Frame& frame, const Channel& channel);

    std::filesystem::path path_;
    OutputFile file_;
    std::uint64_t replaced_texts_ = 0;
    mcap::FileWriter records_;
    mcap::VersionStreams streams_;
    std::set<std::string> topics_;
    std::vector<std::string> assumed_versions_;
    std::vector<ReplacedVersion> replaced_versions_;
    std::map<SchemaPointer, std::uint16_t, BySchemaContent> schemas_;  ///< their ids
    std::map<std::tuple<const MessageTable*, std::string, Encoding, Layout>, SchemaPointer> built_schemas_;
    mcap::TraceRecord trace_record_;
    std::uint64_t last_time_ = 0;  ///< log time of the message in front
    bool keep_times_;
    std::uint64_t replaced_publish_times_ = 0;
    bool recording_;
    std::uint64_t untimed_messages_ = 0;
    FlushTimes flush_times_;
};

}  // namespace ositrace
