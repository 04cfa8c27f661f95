// SPDX-License-Identifier: MPL-2.0
#include "lib/check/channel_check.hpp"

#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "lib/check/seconds_text.hpp"
#include "lib/mcap/osi_names.hpp"
#include "lib/mcap/release_text.hpp"
#include "lib/trace/other_type.hpp"

namespace ositrace {

namespace {

Format other_format(const Format& format)
{
    return {format.encoding == Encoding::protobuf ? Encoding::flatbuffers : Encoding::protobuf, Layout::numbered};
}

}  // namespace

ChannelCheck::ChannelCheck(const Channel& channel, bool name_channel, const RuleSet* rules, TimesInOrder& times,
                           Findings& findings)
    : channel_(channel),
      topic_(name_channel ? channel.topic : std::string()),
      findings_(findings),
      times_(findings),
      times_in_order_(times)
{
    if (channel_.root == nullptr) return;
    plan_.emplace(*channel_.schema, *channel_.root, rules);
    content_.emplace(*plan_, findings_);
    reader_.emplace(*channel_.root, channel_.format, other_format(channel_.format));
}

void ChannelCheck::look_at(const Frame& frame)
{
    ++frames_;
    place_ = {frame.index, std::nullopt, frame.offset, topic_};
    if (channel_.root == nullptr) return;  // foreign: none of our business
    if (frame.bytes.empty())
        return findings_.add(Kind::empty_frame, place_, [] { return std::string("found a length of 0"); });
    if (is_of_other_type(frame)) return;  // what it says is meant otherwise
    try {
        check_time(frame);
        check_version(frame);
        check_readable(frame);
        content_->look_at({frame.bytes, *channel_.root, channel_.format}, place_);
    } catch (const Error& error) {
        unreadable(error);
    }
}

void ChannelCheck::finish()
{
    times_.finish();
    const auto said = channel_.metadata.find(std::string(mcap::osi::channel_osi_version_key));
    const auto release = said == channel_.metadata.end() ? std::nullopt : release_in(said->second);
    if (!release) return;
    for (const auto& version : versions_)
        if (version != *release)
            findings_.add(
                Kind::mcap_channel_data_version, {{}, {}, {}, topic_},
                [&] { return "the channel says " + said->second + ", messages " + version.to_string(); },
                [] { return std::string(mcap::osi::channel_osi_version_key); });
}

bool ChannelCheck::is_of_other_type(const Frame& frame)
{
    const auto other = other_type_of(frame.bytes, channel_);
    if (!other) return false;
    findings_.add(Kind::other_type, place_, [&] { return *other; });
    return true;
}

void ChannelCheck::unreadable(const Error& error)
{
    findings_.add(
        Kind::not_readable, place_,
        [&] {
            const auto& at = error.where().offset;
            return (at ? "at byte " + std::to_string(*at) + " of the message: " : std::string()) + error.reason();
        },
        [&] { return error.where().field; });
}

/// Converting reads every byte, and counts what the schema does not know.
void ChannelCheck::check_readable(const Frame& frame)
{
    reader_->transcode(frame.bytes, scratch_);
    const auto before = std::exchange(unknown_fields_, reader_->dropped_unknown_fields());
    if (unknown_fields_ == before) return;
    findings_.add(Kind::unknown_fields, place_, [&] {
        const auto version = channel_.schema->osi_version();
        return "found " + std::to_string(unknown_fields_ - before) + " that the schema" +
               (version ? " of OSI " + version->to_string() : std::string()) + " does not know";
    });
}

void ChannelCheck::check_time(const Frame& frame)
{
    if (!channel_.type || row_of(*channel_.type).timestamp_field == 0) return;
    try {
        place_.time = timestamp_of(frame.bytes, channel_);
    } catch (const Error& error) {
        const bool nanos = error.where().field == "timestamp.nanos";
        if (!nanos && error.cause() != Cause::limit) throw;
        return findings_.add(
            nanos ? Kind::time_nanos : Kind::time_overflow, place_, [&] { return error.reason(); },
            [&] { return error.where().field; });
    }
    if (!place_.time)
        return findings_.add(
            Kind::time_missing, place_, [] { return std::string("is not set"); }, [] { return "timestamp"; });
    if (frame.log_time)
        times_in_order_.add(*frame.log_time, place_, times_);
    else
        times_.add(place_);
    check_container_times(frame);
}

void ChannelCheck::check_container_times(const Frame& frame)
{
    if (frame.publish_time && *frame.publish_time != *place_.time)
        findings_.add(Kind::mcap_publish_time, place_, [&] {
            return "found " + seconds_text(*frame.publish_time) + ", expected the timestamp, " +
                   seconds_text(*place_.time);
        });
    if (frame.log_time && frame.publish_time && *frame.log_time != *frame.publish_time)
        findings_.add(Kind::mcap_log_time, place_, [&] {
            return "found " + seconds_text(*frame.log_time) + ", published at " + seconds_text(*frame.publish_time);
        });
}

void ChannelCheck::check_version(const Frame& frame)
{
    const auto version = osi_version_of(frame.bytes, channel_);
    const auto field = [] { return std::string("version"); };
    if (!version) return findings_.add(Kind::missing_version, place_, [] { return std::string("is not set"); }, field);
    const auto before = std::exchange(last_version_, version);
    if (before && *before != *version)
        findings_.add(
            Kind::version_changes, place_,
            [&] { return "found " + version->to_string() + ", before it " + before->to_string(); }, field);
    if (versions_.size() < max_versions) versions_.insert(*version);
}

}  // namespace ositrace
