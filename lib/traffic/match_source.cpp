// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/match_source.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include <ositrace/count_text.hpp>

#include "lib/picture/fields.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace::traffic {

namespace {

constexpr std::array rows_of_match_options{
    TrafficOption{"gate", TrafficOption::Kind::number, "M", "2",
                  "objects that no id pairs are pairs if their centres are at most M metres apart, horizontally"},
    TrafficOption{"max-range", TrafficOption::Kind::number, "M", "",
                  "objects without a partner farther than this from the sensor are not missed"},
    TrafficOption{"max-azimuth", TrafficOption::Kind::number, "DEG", "",
                  "the same for those farther than this from the axis of the sensor, to both sides"},
};

std::optional<Nanoseconds> time_in(const MessageView& message, std::string_view field)
{
    const auto stamp = picture::message_in(message, field);
    if (!stamp) return std::nullopt;
    constexpr std::int64_t nanos_per_second = 1'000'000'000;
    std::int64_t ns = 0;
    if (__builtin_mul_overflow(picture::integer_in(*stamp, "seconds").value_or(0), nanos_per_second, &ns) ||
        __builtin_add_overflow(ns, picture::integer_in(*stamp, "nanos").value_or(0), &ns))
        return std::nullopt;
    return Nanoseconds(ns);
}

/// When was measured what the moving objects of a SensorData say?
std::optional<Nanoseconds> measured_at(const MessageView& sensor_data)
{
    if (const auto header = picture::message_in(sensor_data, "moving_object_header"))
        if (const auto time = time_in(*header, "measurement_time")) return time;
    if (const auto time = time_in(sensor_data, "last_measurement_time")) return time;
    return time_in(sensor_data, "timestamp");
}

std::optional<Nanoseconds> time_of_message(const Frame& frame, const Channel& channel)
{
    const auto time = frame.time ? frame.time : time_in_range_of(frame, channel);
    return time ? time : frame.log_time;
}

bool has_own_truth(const Frame& frame, const Channel& channel)
{
    bool found = false;
    for_each_ground_truth({frame.bytes, *channel.root, channel.format}, [&](const MessageView&) { found = true; });
    return found;
}

std::uint64_t apart(Nanoseconds a, Nanoseconds b) noexcept
{
    const auto from = static_cast<std::uint64_t>(std::min(a, b).count());
    return static_cast<std::uint64_t>(std::max(a, b).count()) - from;
}

}  // namespace

std::span<const TrafficOption> match_options() noexcept { return rows_of_match_options; }

MatchSource::MatchSource(const TrafficOptions& options)
{
    options_.gate = options.number("gate");
    if (const auto range = options.number_if_given("max-range")) options_.reach.range = *range;
    if (const auto degrees = options.number_if_given("max-azimuth"))
        options_.reach.half_angle = *degrees / 180 * std::numbers::pi;
}
MatchSource::~MatchSource() = default;

void MatchSource::add(const Frame& frame, const Channel& channel, const Visit& visit)
{
    if (channel.type == MessageType::sensor_data) {
        if (!sensor_) sensor_ = std::make_shared<const Channel>(channel);
        const MessageView message(frame.bytes, *channel.root, channel.format);
        waiting_.push_back({frame, time_of_message(frame, channel), measured_at(message)});
        if (!waiting_.back().measured) waiting_.back().measured = waiting_.back().time;
    } else {
        const auto known =
            std::ranges::find(truth_channels_, channel.topic, [](const auto& each) { return each->topic; });
        const auto of = known != truth_channels_.end()
                            ? *known
                            : truth_channels_.emplace_back(std::make_shared<const Channel>(channel));
        for_each_ground_truth({frame.bytes, *channel.root, channel.format}, [&](const MessageView& truth) {
            if (has_static_data(truth)) statics_ = frame;
        });
        truths_.push_back({frame, of, time_of_message(frame, channel)});
    }
    compare_ready(visit, false);
}

void MatchSource::finish(const Visit& visit)
{
    compare_ready(visit, true);
    if (without_truth_ != 0)
        notes_.push_back(count_text(without_truth_, "SensorData message") + " " +
                         (without_truth_ == 1 ? "has" : "have") +
                         " no ground truth to be compared with: a trace needs both, as 'osiconvert convert' merges "
                         "them from two files");
}

/// A message waits until a ground truth after its measurement has come.
void MatchSource::compare_ready(const Visit& visit, bool at_end)
{
    while (!waiting_.empty()) {
        const auto& first = waiting_.front();
        const bool is_own = has_own_truth(first.frame, *sensor_);
        const bool is_ready = is_own || at_end || waiting_.size() > most_waiting || !first.measured ||
                              (!truths_.empty() && truths_.back().time && *truths_.back().time >= *first.measured);
        if (!is_ready) break;
        compare(first, visit);
        waiting_.pop_front();
    }
    while (truths_.size() > most_waiting) truths_.pop_front();
}

const MatchSource::Truth* MatchSource::nearest_truth(const std::optional<Nanoseconds>& time) const
{
    const Truth* best = nullptr;
    auto least = std::numeric_limits<std::uint64_t>::max();
    for (const auto& each : truths_) {
        if (!time || !each.time) continue;
        if (const auto away = apart(*time, *each.time); away < least) {
            least = away;
            best = &each;
        }
    }
    return best == nullptr && !truths_.empty() ? &truths_.back() : best;
}

void MatchSource::compare(const Waiting& detected, const Visit& visit)
{
    const bool is_own = has_own_truth(detected.frame, *sensor_);
    const auto* const truth = is_own ? nullptr : nearest_truth(detected.measured);
    if (!is_own && truth == nullptr) {
        ++without_truth_;
        return;
    }
    const auto of_truth = is_own ? sensor_ : truth->channel;
    auto& comparer = is_own ? own_comparer_ : [&]() -> std::unique_ptr<ObjectComparer>& {
        const auto place =
            static_cast<std::size_t>(std::ranges::find(truth_channels_, of_truth) - truth_channels_.begin());
        if (comparers_.size() <= place) comparers_.resize(place + 1);
        return comparers_[place];
    }();
    if (!comparer)
        comparer = std::make_unique<ObjectComparer>(
            std::array{of_truth, sensor_}, std::array{ObjectSet::ground_truth, ObjectSet::detections}, options_);
    const auto& truth_frame = is_own ? detected.frame : truth->frame;
    const ComparedMessage a{&truth_frame, !is_own && statics_ ? &*statics_ : nullptr}, b{&detected.frame, nullptr};
    const auto compared = comparer->compare(a, b);
    note(compared.notes);
    visit({.frame = detected.frame.index,
           .time = detected.time,
           .measured = detected.measured,
           .truth = is_own ? detected.measured : truth->time,
           .compared = compared});
    // Measurements do not go back in time, so earlier ground truths are not the nearest any more.
    while (truth != nullptr && &truths_.front() != truth) truths_.pop_front();
}

/// Each once.
void MatchSource::note(const std::vector<std::string>& notes)
{
    constexpr std::size_t most = 100;
    for (const auto& each : notes)
        if (notes_.size() < most && std::ranges::find(notes_, each) == notes_.end()) notes_.push_back(each);
}

std::vector<std::string> MatchSource::notes() const { return notes_; }

}  // namespace ositrace::traffic
