// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/concat.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/trace_name.hpp>

#include "formats/core/format_name.hpp"
#include "lib/edit/edit_source.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/time_shift.hpp"
#include "lib/trace/free_name.hpp"
#include "lib/trace/nanoseconds.hpp"
#include "lib/trace/osi_metadata.hpp"

namespace ositrace {

namespace {

std::string form_of(const Channel& channel)
{
    return (channel.type_name.empty() ? std::string("messages of unknown type") : channel.type_name) + " in " +
           (channel.root == nullptr ? channel.message_encoding : name_of(channel.format));
}

constexpr std::size_t least_piece_digits = 3;

/// a + b - c.
Nanoseconds moved(Nanoseconds a, Nanoseconds b, Nanoseconds c = {})
{
    Nanoseconds::rep result = 0;
    if (__builtin_add_overflow(a.count(), b.count(), &result) || __builtin_sub_overflow(result, c.count(), &result))
        throw Error(Cause::limit, "its time, shifted to after the previous file, does not fit into 64-bit nanoseconds");
    return Nanoseconds(result);
}

/// Why the second cannot share the channel record of the first; empty: it can. A single-channel file has no metadata:
/// the writer gets the versions from its data.
std::string difference(const Channel& first, const Channel& second)
{
    for (const auto& [key, name] : {std::pair{osi_metadata::channel_osi_version_key, "OSI"},
                                    {osi_metadata::channel_protobuf_version_key, "Protobuf"}}) {
        const auto one = first.metadata.find(std::string(key)), other = second.metadata.find(std::string(key));
        if (one != first.metadata.end() && other != second.metadata.end() && one->second != other->second)
            return "another " + std::string(name) + " version (" + other->second + ", not " + one->second + ")";
    }
    if (first.schema_record != second.schema_record) {
        const auto one = stated_schema(first), other = stated_schema(second);
        const BySchemaContent is_before;
        if (!one != !other || (one && (is_before(one, other) || is_before(other, one)))) return "another schema";
    }
    if (second.metadata.empty()) return "";
    const auto comes_from_data = [](const auto& entry) {
        return entry.first == osi_metadata::channel_osi_version_key ||
               (entry.first == osi_metadata::channel_protobuf_version_key &&
                entry.second == osi_metadata::canonical_protobuf_version);
    };
    const bool same = first.metadata.empty() ? std::ranges::all_of(second.metadata, comes_from_data)
                                             : first.metadata == second.metadata;
    return same ? "" : "other metadata";
}

bool has_one_osi_channel(const TraceInfo& info) { return info.channels.size() == 1 && info.channels.front().type; }

bool same_attachment(const Attachment& a, const Attachment& b)
{
    return a.name == b.name && a.media_type == b.media_type && a.bytes == b.bytes && a.log_time == b.log_time &&
           a.create_time == b.create_time;
}

/// The earliest and the latest time of a file.
struct FileTimes {
    std::filesystem::path file;
    Nanoseconds first, last;

    void include(Nanoseconds time)
    {
        first = std::min(first, time);
        last = std::max(last, time);
    }
};

class Concat final : public FrameSource {
public:
    Concat(const std::vector<std::filesystem::path>& files, const OpenOptions& open, ConcatOptions options)
        : files_(files), open_(open), options_(std::move(options))
    {
        if (files_.empty()) throw Error(Cause::usage, "no input files");
        start_next();
        for (std::size_t i = 1; i < files_.size(); ++i) check_file(files_[i]);
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override
    {
        return consumed_ + (source_ ? source_->bytes_consumed() : 0);
    }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

private:
    struct ChannelState {
        std::size_t stream = 0;              ///< index of the first channel with its type and topic
        std::unique_ptr<ProtobufForm> form;  ///< if times are shifted
        std::unique_ptr<TimeShift> shift;
        std::optional<Nanoseconds> last;
        std::optional<Nanoseconds> step;  ///< the last positive one
        std::optional<std::string> map;   ///< of a map channel: the last message
    };

    void start_next();
    void check_file(const std::filesystem::path& file);
    void join(const TraceInfo& info, std::size_t from, std::vector<std::uint32_t>& places);
    [[nodiscard]] std::uint32_t place_of(const Channel& channel, const TraceInfo& info);
    [[nodiscard]] std::optional<std::size_t> stream_of(const Channel& channel, const TraceInfo& info) const;
    std::uint32_t add(const Channel& channel, std::size_t stream);
    [[nodiscard]] std::string unique_topic(const std::string& topic) const;
    void compare_profiles(const TraceInfo& info);
    void follow_source();
    [[nodiscard]] bool is_equal_map(const Frame& frame, const Channel& channel);
    void place_in_time(Frame& frame, std::optional<Nanoseconds> time);
    void move(Frame& frame);
    void start_of_file(Nanoseconds time, const ChannelState& channel);
    void end_of_file();
    [[nodiscard]] Error located(const Error& e, const Frame& frame) const
    {
        return within_frame(e, frame, source_->info().file);
    }

    std::vector<std::filesystem::path> files_;
    OpenOptions open_;
    ConcatOptions options_;
    TraceInfo info_;
    std::vector<ChannelState> channels_;
    std::unordered_map<std::string, std::size_t> first_of_topic_;  ///< index in channels_
    std::size_t streams_ = 0;                                      ///< how many different ones channels_ has
    std::size_t next_ = 0;                                         ///< next file to open
    std::unique_ptr<FrameSource> source_;
    std::vector<std::uint32_t> places_;     ///< index in info_ of each channel of source_
    std::vector<std::uint32_t> seen_maps_;  ///< channels of source_ with the first message of a map
    bool at_start_ = true;                  ///< no frame with a time was read from source_
    Nanoseconds offset_{};
    std::optional<Nanoseconds> end_;  ///< the latest time so far, shifted
    std::filesystem::path end_file_;
    std::vector<FileTimes> times_;        ///< of the files so far that have any; shifted
    std::optional<BackwardJoint> joint_;  ///< of the file that is read
    std::optional<Nanoseconds> known_step_;
    std::uint64_t index_ = 0;
    std::uint64_t consumed_ = 0;
    std::uint64_t application_records_ = 0;       ///< of the files that are read
    std::vector<std::string> late_channel_keys_;  ///< of the same
    ByteBuffer edited_;
};

void Concat::start_next()
{
    if (source_) {
        consumed_ += source_->bytes_consumed();
        application_records_ += source_->info().application_records;
        late_channel_keys_ = info_.late_channel_keys;
    }
    source_ = open_source(files_[next_++], open_);
    at_start_ = true;
    offset_ = {};
    places_.clear();
    seen_maps_.clear();
    if (next_ != 1) {
        compare_profiles(source_->info());
    } else {
        info_ = source_->info();
        info_.channels.clear();
        info_.metadata.clear();
        info_.attachments.clear();
    }
    follow_source();
}

/// The output has the profile of the first file.
void Concat::compare_profiles(const TraceInfo& info)
{
    if (!info.profile.empty() && info.profile != info_.profile && options_.on_other_profile)
        options_.on_other_profile(info.file, info.profile);
}

/// Finds a mismatch before anything is written. A pipe is checked when it is read.
void Concat::check_file(const std::filesystem::path& file)
{
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) return;
    std::vector<std::uint32_t> places;
    auto quiet = open_;
    quiet.on_warning = nullptr;  // warnings come when the frames are read
    const auto source = open_source(file, quiet);
    try {
        join(source->info(), 0, places);
    } catch (const Error& e) {
        throw e.within({.file = file, .frame = {}, .offset = {}, .field = {}});
    }
}

void Concat::follow_source()
{
    info_.application_records = application_records_ + source_->info().application_records;
    info_.late_channel_keys = late_channel_keys_;
    const auto& late = source_->info().late_channel_keys;
    info_.late_channel_keys.insert(info_.late_channel_keys.end(), late.begin(), late.end());
    try {
        join(source_->info(), places_.size(), places_);
    } catch (const Error& e) {
        throw e.within({.file = source_->info().file, .frame = {}, .offset = {}, .field = {}});
    }
}

void Concat::join(const TraceInfo& info, std::size_t from, std::vector<std::uint32_t>& places)
{
    for (auto i = from; i < info.channels.size(); ++i) places.push_back(place_of(info.channels[i], info));
    for (const auto& record : info.metadata)
        if (std::ranges::find(info_.metadata, record) == info_.metadata.end()) info_.metadata.push_back(record);
    for (const auto& attachment : info.attachments) {
        const auto same = [&](const Attachment& other) { return same_attachment(attachment, other); };
        if (std::ranges::none_of(info_.attachments, same)) info_.attachments.push_back(attachment);
    }
}

std::uint32_t Concat::place_of(const Channel& channel, const TraceInfo& info)
{
    const auto stream = stream_of(channel, info);
    if (!stream) return add(channel, channels_.size());
    const auto& first = info_.channels[*stream];
    if (first.type_name != channel.type_name || first.format != channel.format ||
        (channel.root == nullptr && first.message_encoding != channel.message_encoding))
        throw Error(Cause::mismatch, "found " + form_of(channel) + ", expected " + form_of(first) + " as in " +
                                         info_.file.string() +
                                         ". Use 'osiconvert convert' or 'osiconvert wrap' first.");
    if (!options_.own_channels) {
        info_.channels[*stream].metadata.insert(channel.metadata.begin(),
                                                channel.metadata.end());  // dropped metadata is counted from it
        return static_cast<std::uint32_t>(*stream);
    }
    for (std::size_t i = *stream; i < channels_.size(); ++i)
        if (channels_[i].stream == *stream && difference(info_.channels[i], channel).empty())
            return static_cast<std::uint32_t>(i);
    auto own = channel;
    own.topic = unique_topic(channel.topic);
    if (options_.on_own_channel)
        options_.on_own_channel({info.file, channel.topic, own.topic, difference(first, channel)});
    return add(own, *stream);
}

/// The first channel of that topic, or the only one.
std::optional<std::size_t> Concat::stream_of(const Channel& channel, const TraceInfo& info) const
{
    if (channels_.empty()) return std::nullopt;
    if (streams_ == 1 && info_.channels.front().type && has_one_osi_channel(info)) return 0;
    const auto found = first_of_topic_.find(channel.topic);
    if (found == first_of_topic_.end()) return std::nullopt;
    return channels_[found->second].stream;
}

std::uint32_t Concat::add(const Channel& channel, std::size_t stream)
{
    first_of_topic_.try_emplace(channel.topic, channels_.size());
    if (stream == channels_.size()) ++streams_;
    info_.channels.push_back(channel);
    auto& state = channels_.emplace_back();
    state.stream = stream;
    if (options_.retime && ProtobufForm::exists(channel)) {
        state.form = std::make_unique<ProtobufForm>(channel);
        state.shift = std::make_unique<TimeShift>(*channel.root);
    }
    return static_cast<std::uint32_t>(info_.channels.size() - 1);
}

std::string Concat::unique_topic(const std::string& topic) const
{
    return free_name(topic, [&](const auto& name) { return first_of_topic_.contains(name); });
}

void Concat::start_of_file(Nanoseconds time, const ChannelState& channel)
{
    at_start_ = false;
    if (!end_) return;
    if (options_.retime) {
        const auto step = channel.step ? channel.step : known_step_;
        if (!step)
            throw Error(Cause::mismatch, {.file = end_file_, .frame = {}, .offset = {}, .field = {}},
                        "has no two frames with different times, so --retime cannot determine the time step");
        offset_ = moved(*end_, *step, time);
    } else if (time <= *end_ && options_.on_backward) {
        joint_ = {source_->info().file, time, end_file_, *end_, {}};
    }
}

/// All times of the file are known.
void Concat::end_of_file()
{
    if (!joint_) return;
    const auto& own = times_.back();
    const std::span before(times_.data(), times_.size() - 1);
    const auto overlaps = [&](const FileTimes& other) { return own.first <= other.last && other.first <= own.last; };
    if (std::ranges::none_of(before, overlaps)) {
        const auto later = [&](const FileTimes& other) { return other.first > own.last; };
        joint_->before = std::ranges::find_if(before, later)->file;
    }
    options_.on_backward(*std::exchange(joint_, std::nullopt));
}

void Concat::place_in_time(Frame& frame, std::optional<Nanoseconds> time)
{
    if (!time) return;
    auto& channel = channels_[frame.channel];
    const bool begins = at_start_;
    if (begins) start_of_file(*time, channel);
    const auto shifted = moved(*time, offset_);
    if (begins) times_.push_back({source_->info().file, shifted, shifted});
    times_.back().include(shifted);
    if (channel.last && shifted > *channel.last) known_step_ = channel.step = distance(*channel.last, shifted);
    channel.last = shifted;
    if (!end_ || shifted > *end_) end_ = shifted;
    end_file_ = source_->info().file;
}

void Concat::move(Frame& frame)
{
    if (offset_.count() == 0) return;
    for (auto* time : {&frame.time, &frame.log_time, &frame.publish_time})
        if (*time) *time = moved(**time, offset_);
    const auto& channel = channels_[frame.channel];
    if (!channel.form) return;
    channel.shift->apply(channel.form->of(frame.bytes), offset_, edited_);
    channel.form->replace(frame, edited_);
}

/// The first message of a map channel in a file may be the one that split has added to it.
bool Concat::is_equal_map(const Frame& frame, const Channel& channel)
{
    if (!is_map_channel(channel)) return false;
    auto& last = channels_[places_[frame.channel]].map;
    const bool is_first = std::ranges::find(seen_maps_, frame.channel) == seen_maps_.end();
    if (is_first) seen_maps_.push_back(frame.channel);
    if (is_first && next_ > 1 && last && *last == text_of(frame.bytes)) return true;
    last = text_of(frame.bytes);
    return false;
}

bool Concat::read(Frame& frame, std::stop_token stop)
{
    for (;;) {
        while (!source_->read(frame, stop)) {
            follow_source();
            end_of_file();
            if (next_ == files_.size() || stop.stop_requested()) return false;
            start_next();
        }
        if (source_->info().channels.size() > places_.size()) follow_source();
        const auto& channel = source_->info().channels[frame.channel];
        if (!is_equal_map(frame, channel)) break;
        if (options_.on_equal_map) options_.on_equal_map(channel.topic);
    }
    try {
        const auto& channel = source_->info().channels[frame.channel];
        const auto time = time_of(frame, channel);
        frame.channel = places_[frame.channel];
        place_in_time(frame, time);
        move(frame);
    } catch (const Error& e) {
        if (!e.where().file.empty()) throw;  // of the file before
        throw located(e, frame);
    }
    frame.index = index_++;
    return true;
}

}  // namespace

namespace {

/// nullopt: it is no regular file, or its first frame has no time.
std::optional<Nanoseconds> first_time(const std::filesystem::path& file, const OpenOptions& open)
{
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) return std::nullopt;
    const auto source = open_source(file, open);
    Frame frame;
    return source->read(frame, open.stop) ? time_of(frame, source->info().channels[frame.channel]) : std::nullopt;
}

/// Of the first and the last frame of all channels.
std::optional<FileTimes> times_of(const std::filesystem::path& file, const OpenOptions& open)
{
    const auto trace = open_trace(file, open);
    std::optional<FileTimes> times;
    for (std::uint32_t channel = 0; channel != trace->info().channels.size(); ++channel) {
        const auto count = trace->frame_count(channel);
        if (count == 0) continue;
        for (const auto number : {std::uint64_t{0}, count - 1}) {
            const auto time = time_of(trace->frame(channel, number), trace->info().channels[channel]);
            if (!time) continue;
            if (!times) times = {file, *time, *time};
            times->include(*time);
        }
    }
    return times;
}

/// What the names of all pieces of a split have in common, and the number of this one; nullopt: another name.
std::optional<std::pair<std::string, std::uint64_t>> piece_of(const std::filesystem::path& file)
{
    auto name = parse_trace_name(file.filename().string());
    if (!name || !name->frames) return std::nullopt;
    const auto digits = name->custom.substr(name->custom.find_last_not_of("0123456789") + 1);
    const auto rest = std::string_view(name->custom).substr(0, name->custom.size() - digits.size());
    std::uint64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.size() < least_piece_digits || read.ec != std::errc() || !(rest.empty() || rest.ends_with('_')))
        return std::nullopt;
    name->custom = rest;
    name->frames = 0;
    return std::pair((file.parent_path() / to_string(*name)).string(), number);
}

}  // namespace

std::optional<std::vector<std::filesystem::path>> in_order_of_number(const std::vector<std::filesystem::path>& files)
{
    if (!std::ranges::is_sorted(files)) return std::nullopt;
    std::map<std::uint64_t, std::filesystem::path> by_number;
    std::string split;
    for (const auto& file : files) {
        const auto piece = piece_of(file);
        if (!piece || (!by_number.empty() && piece->first != split)) return std::nullopt;
        split = piece->first;
        if (!by_number.emplace(piece->second, file).second) return std::nullopt;
    }
    std::vector<std::filesystem::path> ordered;
    for (const auto& [number, file] : by_number) ordered.push_back(file);
    return ordered;
}

std::vector<std::filesystem::path> in_order_of_time(const std::vector<std::filesystem::path>& files,
                                                    const OpenOptions& of_caller)
{
    auto open = of_caller;
    open.on_warning = nullptr;  // warnings come when the frames are read
    std::optional<Nanoseconds> previous;
    bool in_order = true;
    for (const auto& file : files) {
        const auto time = first_time(file, open);
        if (!time) return files;
        in_order = in_order && (!previous || *previous <= *time);
        previous = time;
    }
    if (in_order) return files;
    std::vector<FileTimes> ordered;
    for (const auto& file : files) {
        const auto times = times_of(file, open);
        if (!times) return files;
        ordered.push_back(*times);
    }
    std::ranges::stable_sort(ordered, {}, &FileTimes::first);
    const auto overlap = [](const FileTimes& a, const FileTimes& b) { return b.first < a.last; };
    if (std::ranges::adjacent_find(ordered, overlap) != ordered.end()) return files;
    std::vector<std::filesystem::path> names;
    for (const auto& each : ordered) names.push_back(each.file);
    return names;
}

std::unique_ptr<FrameSource> concat(const std::vector<std::filesystem::path>& files, const OpenOptions& open,
                                    ConcatOptions options)
{
    return std::make_unique<Concat>(files, open, std::move(options));
}

}  // namespace ositrace
