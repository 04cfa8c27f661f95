// SPDX-License-Identifier: MPL-2.0
#include "lib/check/channel_check.hpp"

#include <tuple>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "lib/trace/nanoseconds.hpp"
#include "lib/trace/osi_metadata.hpp"
#include "lib/trace/other_type.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

bool about_equal(Nanoseconds a, Nanoseconds b) noexcept { return (a > b ? a - b : b - a) <= b / 10; }

}  // namespace

void TimeCheck::add(const FindingPlace& place)
{
    const auto time = *place.time;
    const auto last = std::exchange(last_, time);
    if (time < Nanoseconds{})
        findings_.add(
            Kind::timestamp_not_negative, place,
            [&] { return "found " + exact_seconds_text(time) + ", expected 0 s or later"; },
            [] { return "timestamp"; });
    if (!last) return;
    const auto length = distance(*last, time);
    if (length > Nanoseconds{}) {
        channel_ = place.channel;
        gaps_.add({place.frame.value_or(0), place.byte, *last, time},
                  [this](const TimeStep& gap, Nanoseconds usual) { add_gap(gap, usual); });
        return check_rate(length, place);
    }
    const auto kind = length == Nanoseconds{} ? Kind::timestamp_not_repeated : Kind::timestamp_not_decreasing;
    findings_.add(
        kind, place,
        [&] {
            return length == Nanoseconds{}
                       ? "found " + exact_seconds_text(time) + " as in the previous frame"
                       : "found " + exact_seconds_text(time) + ", earlier than the previous frame (" +
                             exact_seconds_text(*last) + ")";
        },
        [] { return "timestamp"; });
}

void TimeCheck::check_rate(Nanoseconds length, const FindingPlace& place)
{
    if (run_ == 0 || !about_equal(length, run_step_)) {
        run_ = 0;
        run_step_ = length;
        run_place_ = place;
    }
    if (++run_ != steps_of_a_rate) return;
    const auto before = std::exchange(rate_step_, run_step_);
    if (!before || about_equal(run_step_, *before)) return;
    findings_.add(
        Kind::timestamp_constant_rate, run_place_,
        [&] {
            return "found a step of " + exact_seconds_text(run_step_) + " from this frame on, " +
                   exact_seconds_text(*before) + " before";
        },
        [] { return "timestamp"; });
}

void TimeCheck::add_gap(const TimeStep& gap, Nanoseconds usual)
{
    findings_.add(
        Kind::timestamp_no_gap, {gap.frame, gap.to, gap.byte, channel_},
        [&] {
            return "found a step of " + exact_seconds_text(gap.length()) + ", expected " + exact_seconds_text(usual) +
                   " (the usual step)";
        },
        [] { return "timestamp"; });
}

void TimeCheck::finish()
{
    gaps_.finish([this](const TimeStep& gap, Nanoseconds usual) { add_gap(gap, usual); });
}

bool TimesInOrder::IsLater::operator()(const WaitingTime& a, const WaitingTime& b) const noexcept
{
    return std::tie(a.log_time, a.number) > std::tie(b.log_time, b.number);
}

void TimesInOrder::add(Nanoseconds log_time, const FindingPlace& place, TimeCheck& check)
{
    if (const auto last = last_.find(&check); last != last_.end() && log_time < last->second) return;
    waiting_.push({log_time, frames_++, place, &check});
    if (waiting_.size() > max_waiting) pass_on_first();
}

void TimesInOrder::finish()
{
    while (!waiting_.empty()) pass_on_first();
}

void TimesInOrder::pass_on_first()
{
    const auto next = waiting_.top();
    waiting_.pop();
    last_[next.check] = next.log_time;
    next.check->add(next.place);
}

TypeCheck::TypeCheck(const Channel& channel, const RuleSet* rules, bool is_map)
    : schema(channel.schema), plan(*channel.schema, *channel.root, rules, is_map), reader(*channel.root, channel.format)
{
}

TypeCheck& TypeChecks::of(const Channel& channel, bool is_map)
{
    return checks_.try_emplace({channel.root, channel.format.encoding, channel.format.layout}, channel, rules_, is_map)
        .first->second;
}

ChannelCheck::ChannelCheck(const TraceInfo& info, std::size_t index, bool name_channel, TypeChecks& types,
                           TimesInOrder& times, MapCheck& map, Findings& findings)
    : info_(info),
      index_(index),
      topic_(name_channel ? channel().topic : std::string()),
      findings_(findings),
      type_(channel().root != nullptr ? &types.of(channel(), info.container.map) : nullptr),
      times_(findings),
      times_in_order_(times),
      map_(map)
{
    if (type_ != nullptr) content_.emplace(type_->plan, findings_);
}

bool ChannelCheck::check(const Frame& frame)
{
    ++frames_;
    place_ = {frame.index, std::nullopt, frame.offset, topic_};
    if (channel().root == nullptr) return true;  // not OSI
    if (frame.bytes.empty()) {
        findings_.add(Kind::framing_no_empty_frame, place_, [] { return std::string("found a length of 0 bytes"); });
        return true;
    }
    if (has_other_type(frame)) return false;  // its content would be misread
    try {
        check_time(frame);
        check_version(frame);
        check_readable(frame);
        content_->check({frame.bytes, *channel().root, channel().format}, place_);
        map_.check(frame, info_, channel(), place_);
    } catch (const Error& error) {
        add_unreadable(error);
    }
    return true;
}

void ChannelCheck::finish()
{
    times_.finish();
    const auto said = channel().metadata.find(std::string(osi_metadata::channel_osi_version_key));
    const auto release = said == channel().metadata.end() ? std::nullopt : release_in(said->second);
    if (!release) return;
    for (const auto& version : versions_)
        if (version != *release)
            findings_.add(
                Kind::mcap_channel_osi_version, {{}, {}, {}, topic_},
                [&] { return "found " + said->second + " in the channel, " + version.to_string() + " in messages"; },
                [] { return std::string(osi_metadata::channel_osi_version_key); });
}

bool ChannelCheck::has_other_type(const Frame& frame)
{
    const auto other = other_type_of(frame.bytes, channel());
    if (!other) return false;
    findings_.add(Kind::deserialization_expected_type, place_, [&] { return *other; });
    return true;
}

void ChannelCheck::add_unreadable(const Error& error)
{
    findings_.add(
        Kind::deserialization_possible, place_,
        [&] {
            const auto& at = error.where().offset;
            return (at ? "at byte " + std::to_string(*at) + " of the message: " : std::string()) + error.reason();
        },
        [&] { return error.where().field; });
}

/// Converts, because that reads every byte and counts the unknown fields.
void ChannelCheck::check_readable(const Frame& frame)
{
    const auto before = type_->reader.unknown_fields();
    type_->reader.read(frame.bytes, type_->scratch);
    const auto unknown = type_->reader.unknown_fields() - before;
    if (unknown == 0) return;
    findings_.add(Kind::deserialization_no_unknown_fields, place_, [&] {
        const auto version = channel().schema->osi_version();
        return "found " + std::to_string(unknown) + " that the schema" +
               (version ? " of OSI " + version->to_string() : std::string()) + " does not define";
    });
}

void ChannelCheck::check_time(const Frame& frame)
{
    if (!has_timestamp(channel())) return;
    const auto stated = stated_time_of(frame.bytes, channel());
    if (!stated)
        return findings_.add(
            Kind::timestamp_is_set, place_, [] { return std::string("is not set"); }, [] { return "timestamp"; });
    constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
    if (stated->nanos >= nanoseconds_per_second)
        findings_.add(
            Kind::timestamp_nanos_in_range, place_,
            [&] {
                return "found " + std::to_string(stated->nanos) + ", expected less than " +
                       std::to_string(nanoseconds_per_second);
            },
            [] { return "timestamp.nanos"; });
    try {
        place_.time = in_nanoseconds(*stated);
    } catch (const Error& error) {
        return findings_.add(
            Kind::timestamp_in_range, place_, [&] { return error.reason(); }, [&] { return error.where().field; });
    }
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
            return "found " + exact_seconds_text(*frame.publish_time) + ", expected the timestamp " +
                   exact_seconds_text(*place_.time);
        });
    if (frame.log_time && frame.publish_time && *frame.log_time != *frame.publish_time)
        findings_.add(Kind::mcap_log_time, place_, [&] {
            return "found " + exact_seconds_text(*frame.log_time) + ", expected the publish time " +
                   exact_seconds_text(*frame.publish_time);
        });
}

void ChannelCheck::check_version(const Frame& frame)
{
    const auto version = osi_version_of(frame.bytes, channel());
    const auto field = [] { return std::string("version"); };
    if (!version)
        return findings_.add(
            Kind::deserialization_version_is_set, place_, [] { return std::string("is not set"); }, field);
    const auto before = std::exchange(last_version_, version);
    if (before && *before != *version)
        findings_.add(
            Kind::deserialization_version_is_constant, place_,
            [&] {
                return "found " + version->to_string() + ", expected " + before->to_string() +
                       " as in the previous frame";
            },
            field);
    if (versions_.size() < max_versions) versions_.insert(*version);
}

}  // namespace ositrace
