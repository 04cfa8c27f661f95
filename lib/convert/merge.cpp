// SPDX-License-Identifier: MPL-2.0
#include <ositrace/merge.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "lib/trace/free_name.hpp"
#include "lib/trace/ground_truths.hpp"
#include "lib/trace/osi_metadata.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

std::string stem_of(const std::string& file_name)
{
    const auto extension = trace_extension(file_name);
    return extension ? file_name.substr(0, file_name.size() - extension->text.size())
                     : std::filesystem::path(file_name).stem().string();
}

/// A topic from the name of a single-channel file: the custom part of a standard name, the stem of another name; the
/// type if that is empty.
std::string topic_from_name(const std::filesystem::path& file, const Channel& channel)
{
    const auto file_name = file.filename().string();
    const auto name = parse_trace_name(file_name);
    auto topic = name ? name->custom : stem_of(file_name);
    return topic.empty() ? channel.topic : topic;
}

/// Adds the versions in a standard file name to the metadata of the channel, the OSI version only if the first payload
/// has none.
void add_versions_from_name(Channel& channel, const std::filesystem::path& file, Bytes first_payload)
{
    const auto name = parse_trace_name(file.filename().string());
    if (!name || !channel.type) return;
    const auto osi = osi_version_from_digits(name->osi_version);
    if (osi && !claimed_osi_version(first_payload, channel))
        channel.metadata.emplace(osi_metadata::channel_osi_version_key, osi->to_string());
    const auto protobuf = protobuf_version_from_digits(name->protobuf_version);
    if (protobuf && channel.format.encoding == Encoding::protobuf)
        channel.metadata.emplace(osi_metadata::channel_protobuf_version_key, *protobuf);
}

class MergedSource final : public FrameSource {
public:
    MergedSource(std::vector<std::unique_ptr<FrameSource>> sources, MergeOptions options) : options_(std::move(options))
    {
        for (auto& source : sources) inputs_.push_back({std::move(source)});
        if (inputs_.size() == 1) info_ = inputs_.front().source->info();
        info_.channels.clear();
        info_.metadata.clear();
        info_.attachments.clear();
        info_.application_records = 0;
        info_.late_channel_keys.clear();
        for (const auto& input : inputs_) {
            const auto& info = input.source->info();
            if (info_.profile.empty()) info_.profile = info.profile;
            info_.may_grow = info_.may_grow || info.may_grow;
        }
        for (auto& input : inputs_) advance(input, {});
        if (std::ranges::none_of(inputs_, may_have_more_channels)) find_renamed();
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop = {}) override;
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override
    {
        std::uint64_t sum = 0;
        for (const auto& input : inputs_) sum += input.source->bytes_consumed();
        return sum;
    }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override
    {
        std::uint64_t sum = 0;
        for (const auto& input : inputs_) {
            const auto total = input.source->bytes_total();
            if (!total) return std::nullopt;
            sum += *total;
        }
        return sum;
    }

private:
    struct Input {
        std::unique_ptr<FrameSource> source;
        std::optional<Frame> next = {};
        Nanoseconds time{};                                       ///< of `next`; without a time, of the frame before
        std::vector<std::optional<std::uint32_t>> channels = {};  ///< index in info_; empty: not wanted
        std::size_t metadata = 0, attachments = 0;                ///< how many are in info_
        std::uint64_t application_records = 0;
        std::size_t late_channel_keys = 0;  ///< how many are in info_
    };

    static bool may_have_more_channels(const Input& input);
    void advance(Input& input, const std::stop_token& stop);
    bool read_wanted(Input& input, const std::stop_token& stop);
    void follow_source(Input& input);
    void add_channel(Input& input, Channel channel);
    std::string topic_of(const Input& input, const Channel& channel);
    void find_renamed() const;
    static std::optional<Nanoseconds> time_of(const Frame& frame, const Channel& channel);

    MergeOptions options_;
    std::vector<Input> inputs_;
    TraceInfo info_;
    std::set<std::string> topics_;            ///< before they are renamed
    std::map<std::string, std::string> old_;  ///< the original name of every topic in info_
};

bool MergedSource::read(Frame& frame, std::stop_token stop)
{
    Input* first = nullptr;
    for (auto& input : inputs_)
        if (input.next && (!first || input.time < first->time)) first = &input;
    if (stop.stop_requested()) return false;
    if (!first) {
        find_renamed();
        return false;
    }
    frame = std::move(*first->next);
    frame.channel = *first->channels.at(frame.channel);
    advance(*first, stop);
    return true;
}

bool MergedSource::may_have_more_channels(const Input& input) { return input.next && input.source->info().may_grow; }

void MergedSource::advance(Input& input, const std::stop_token& stop)
{
    if (!read_wanted(input, stop)) return input.next.reset();
    if (inputs_.size() == 1) return;
    const auto time = time_of(*input.next, input.source->info().channels.at(input.next->channel));
    input.time = time.value_or(input.time);
}

bool MergedSource::read_wanted(Input& input, const std::stop_token& stop)
{
    for (;;) {
        const bool found = input.source->read(input.next.emplace(), stop);
        follow_source(input);
        if (!found || input.channels.at(input.next->channel)) return found;
    }
}

// A broken timestamp is no error here: merging needs an order only.
std::optional<Nanoseconds> MergedSource::time_of(const Frame& frame, const Channel& channel)
{
    return frame.log_time ? frame.log_time : osi_time_of(frame, channel);
}

void MergedSource::follow_source(Input& input)
{
    const auto& info = input.source->info();
    while (input.channels.size() < info.channels.size()) add_channel(input, info.channels[input.channels.size()]);
    for (; input.metadata < info.metadata.size(); ++input.metadata) {
        info_.metadata.push_back(info.metadata[input.metadata]);
        if (options_.edit_metadata) options_.edit_metadata(info_.metadata.back());
    }
    for (; input.attachments < info.attachments.size(); ++input.attachments)
        info_.attachments.push_back(info.attachments[input.attachments]);
    info_.application_records +=
        info.application_records - std::exchange(input.application_records, info.application_records);
    for (; input.late_channel_keys < info.late_channel_keys.size(); ++input.late_channel_keys)
        info_.late_channel_keys.push_back(info.late_channel_keys[input.late_channel_keys]);
}

void MergedSource::add_channel(Input& input, Channel channel)
{
    if (options_.wants && !options_.wants(channel)) return input.channels.push_back(std::nullopt);
    const auto& info = input.source->info();
    if (!info.container.several_channels)
        add_versions_from_name(channel, info.file, input.next ? input.next->bytes : Bytes());
    channel.topic = topic_of(input, channel);
    input.channels.push_back(static_cast<std::uint32_t>(info_.channels.size()));
    info_.channels.push_back(std::move(channel));
}

std::string MergedSource::topic_of(const Input& input, const Channel& channel)
{
    const auto& info = input.source->info();
    auto wanted = channel.topic;
    if (!info.container.several_channels && inputs_.size() > 1) wanted = topic_from_name(info.file, channel);
    const auto topic = free_name(wanted, [&](const auto& name) { return !topics_.insert(name).second; });
    const auto renamed = options_.topics.find(topic);
    const auto& name = renamed == options_.topics.end() ? topic : renamed->second;
    const auto [other, is_new] = old_.try_emplace(name, topic);
    if (!is_new)
        throw Error(Cause::usage,
                    "'" + other->second + "' and '" + topic + "' cannot both be the topic '" + name + "'");
    return name;
}

void MergedSource::find_renamed() const
{
    for (const auto& [topic, name] : options_.topics) {
        if (topics_.contains(topic)) continue;
        auto text = "no channel has the topic '" + topic + "' to rename (topics: ";
        for (auto each = topics_.begin(); each != topics_.end(); ++each)
            text.append(each == topics_.begin() ? "'" : ", '").append(*each).append("'");
        throw Error(Cause::mismatch, text + ")");
    }
}

}  // namespace

std::unique_ptr<FrameSource> merge(std::vector<std::unique_ptr<FrameSource>> sources, MergeOptions options)
{
    return std::make_unique<MergedSource>(std::move(sources), std::move(options));
}

}  // namespace ositrace
