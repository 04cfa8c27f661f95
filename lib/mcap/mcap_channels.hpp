// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/records.hpp"

namespace ositrace {

/// Of a key that occurs twice the last value counts.
[[nodiscard]] std::map<std::string, std::string> map_of(const mcap::StringPairs& pairs);

/// What the summary of a file states of a channel.
struct McapChannelRecord {
    std::uint16_t schema = 0;
    std::string topic, message_encoding;
    std::map<std::string, std::string> metadata;
};
using McapChannelRecords = std::map<std::uint16_t, McapChannelRecord>;  ///< by id

/// The schemas and channels that a summary states.
struct McapDeclarations {
    std::map<std::uint16_t, std::shared_ptr<const SchemaRecord>> schemas;
    McapChannelRecords channels;
    bool are_whole = false;  ///< all records of the summary could be read
};

/// Which schemas and channels a chunk declares, and which must be declared before it, by id.
struct ChunkDeclarations {
    std::vector<std::uint16_t> schemas, channels;
    std::vector<std::uint16_t> needed_schemas, needed_channels;
};

/// The schemas and channels of an MCAP file as they come to be known. A record may be repeated. Other metadata of a
/// channel, and other data of a schema that describe the same messages, change nothing and are reported to
/// OpenOptions::on_warning: the first record counts, or that of the summary where prefer() gives it. All else that
/// differs is an Error (malformed). One thread at a time.
///
/// A channel belongs after its schema, and its messages after it. Where all are known already, by the summary, this is
/// verified after expect_declarations().
class McapChannels {
public:
    explicit McapChannels(const OpenOptions& options);

    /// Throws Error: malformed, limit when all are too large.
    void add(const mcap::SchemaFields& record);
    void add(const mcap::ChannelFields& record);
    /// Is it known already, with these contents? Throws Error (malformed).
    [[nodiscard]] bool knows(const mcap::SchemaFields& record) const;
    [[nodiscard]] bool knows(const mcap::ChannelFields& record) const;
    /// Tells how a known record differs. Throws Error (malformed). Any thread, while none is added.
    void compare(const mcap::SchemaFields& record) const;
    void compare(const mcap::ChannelFields& record) const;

    /// Channels that are added from now on get the metadata of these, which are those of the summary.
    void prefer(McapChannelRecords records) { preferred_ = std::move(records); }
    /// From now on the records of the summary are added.
    void begin_summary() noexcept { in_summary_ = true; }
    /// Keys of channels for which the summary has another value than all(), or none.
    [[nodiscard]] const std::vector<std::string>& late_keys() const noexcept { return late_keys_; }

    /// Another file follows in the same bytes: its ids are its own. A channel that is like one before it is the same.
    void begin_file();
    /// Of a damaged file: schemas and channels that no record declares are looked up in these.
    void fall_back_on(McapDeclarations others)
    {
        fallback_ = std::make_shared<const McapDeclarations>(std::move(others));
    }
    /// What was found there since the last call: `the channel 'gt' (id 2)`.
    [[nodiscard]] std::vector<std::string> take_restored() { return std::exchange(restored_, {}); }
    /// From now on find() knows what is added once more, and a channel needs a schema that is.
    void expect_declarations() noexcept { expects_ = true; }
    /// What declares more was passed over: nothing is expected any longer.
    void trust_declarations() noexcept { expects_ = false; }
    /// Channels are only verified from now on: their schemas may be in chunks that are passed.
    void check_only() noexcept { checks_only_ = expects_ = true; }
    [[nodiscard]] bool is_declared(std::uint16_t channel) const noexcept
    {
        return !expects_ || declared_channels_.contains(channel);
    }
    /// Throws Error (malformed) if something that a chunk needs was not declared before it; then what it declares is.
    void pass(const ChunkDeclarations& chunk);
    /// place_of(), or the place of the channel that was found in the fallback.
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint16_t id);
    [[nodiscard]] bool could_find(std::uint16_t id) const noexcept { return place_of(id) || could_restore(id); }
    /// The same of records that may be damaged themselves, so that these come first.
    void add_doubtful(const mcap::SchemaFields& record)
    {
        if (!fallback_ || !fallback_->are_whole || !fallback_->schemas.contains(record.id)) add(record);
    }
    void add_doubtful(const mcap::ChannelFields& record)
    {
        if (!could_restore(record.id) || !fallback_->are_whole) add(record);
    }

    /// Place in all(); nullopt: no such channel was declared.
    [[nodiscard]] std::optional<std::uint32_t> place_of(std::uint16_t id) const noexcept;
    /// The id of all()[place], and that of its schema.
    struct Ids {
        std::uint16_t channel = 0, schema = 0;
    };
    [[nodiscard]] Ids ids_of(std::uint32_t place) const { return ids_.at(place); }
    [[nodiscard]] const std::map<std::uint16_t, std::shared_ptr<const SchemaRecord>>& schemas() const noexcept
    {
        return schemas_;
    }
    /// In the order in which they were declared.
    [[nodiscard]] const std::vector<Channel>& all() const noexcept { return moved_to_ ? *moved_to_ : channels_; }
    /// Moves all() to a place that outlives this; no channel is added from now on.
    void move_all_to(std::vector<Channel>& place)
    {
        place = std::move(channels_);
        moved_to_ = &place;
    }

private:
    void add_new(const mcap::ChannelFields& record);
    [[nodiscard]] bool could_restore(std::uint16_t id) const noexcept;
    void note_declared(const mcap::ChannelFields& record);
    Channel make(const mcap::ChannelFields& record);
    std::shared_ptr<const SchemaRecord> schema_record(std::uint16_t id);
    void count(std::size_t bytes);

    class CompiledSchemas;

    ChannelReader reader_;
    std::function<void(const Error&)> on_warning_;
    std::shared_ptr<CompiledSchemas> compiled_;
    std::map<std::uint16_t, std::shared_ptr<const SchemaRecord>> schemas_;
    std::set<std::shared_ptr<const SchemaRecord>, BySchemaContent> different_schemas_;
    std::vector<Channel> channels_;
    std::uint32_t before_this_file_ = 0;              ///< channels of files that ended before
    const std::vector<Channel>* moved_to_ = nullptr;  ///< null: they are in channels_
    std::vector<Ids> ids_;                            ///< of channels_
    std::map<std::uint16_t, std::uint32_t> places_;
    std::size_t bytes_ = 0;
    std::shared_ptr<const McapDeclarations> fallback_;
    std::vector<std::string> restored_;
    bool expects_ = false;
    bool checks_only_ = false;
    std::set<std::uint16_t> declared_schemas_, declared_channels_;  ///< where they are expected, or were passed
    std::set<std::uint16_t> fallback_schemas_, fallback_channels_;  ///< that were found there
    McapChannelRecords preferred_;
    bool in_summary_ = false;
    std::vector<std::string> late_keys_;
};

/// `a message of the channel 2, which was not declared before`
[[nodiscard]] Error undeclared_channel(std::uint16_t channel_id);

/// The place of a message's channel. Throws Error (malformed) if there is none.
[[nodiscard]] std::uint32_t declared_place(std::optional<std::uint32_t> place, std::uint16_t channel_id);

/// A message as a frame. `channel`: the place of its channel, which must be known. Throws Error (malformed, limit) with
/// the offset in its record.
[[nodiscard]] Frame mcap_frame(const mcap::Message& message, std::optional<std::uint32_t> channel,
                               std::uint64_t max_message_bytes);

/// MCAP's times are unsigned. Throws Error (limit) beyond int64.
[[nodiscard]] Nanoseconds mcap_time(std::uint64_t time, std::string_view field);

[[nodiscard]] MetadataRecord mcap_metadata(const mcap::Metadata& record);

}  // namespace ositrace
