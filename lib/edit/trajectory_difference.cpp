// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trajectory_difference.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <ositrace/edit/cut.hpp>
#include <ositrace/element_name.hpp>
#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/frame_error.hpp>

#include "formats/view/element_id.hpp"
#include "lib/edit/edit_source.hpp"

namespace ositrace {

namespace {

/// A pose at a time in seconds.
struct Sample {
    double time = 0, x = 0, y = 0, heading = 0;
};
using Trajectories = std::map<std::string, std::vector<Sample>>;

constexpr std::array<std::string_view, 3> object_paths{"moving_object", "global_ground_truth.moving_object", "update"};

/// Reads the objects of the messages of one type.
class ObjectPaths {
public:
    static std::optional<ObjectPaths> in(const MessageTable& root)
    {
        for (const auto path : object_paths) {
            try {
                auto objects = FieldPath::compile(root, std::string(path) + "[*]");
                const auto* const table = objects.leaf().child;
                if (table != nullptr && id_fields(*table) && !id_fields(*table)->header)
                    return ObjectPaths(std::move(objects), *table);
            } catch (const Error&) {
                continue;  // another type of message
            }
        }
        return std::nullopt;
    }

    void read(const MessageView& message, double time, bool by_name, Trajectories& to)
    {
        std::vector<Value> found;
        objects_.collect(message, found);
        for (const auto& value : found) {
            const auto& object = std::get<MessageView>(value);
            const auto x = as_real(x_.get(object)), y = as_real(y_.get(object));
            const auto key = key_of(object, by_name);
            if ((!x && !y) || key.empty()) continue;
            auto& samples = to[key];
            if (samples.empty() || time > samples.back().time)  // of several with one id the first counts
                samples.push_back({time, x.value_or(0), y.value_or(0), as_real(yaw_.get(object)).value_or(unknown)});
        }
    }
    static constexpr double unknown = 1e9;

private:
    ObjectPaths(FieldPath objects, const MessageTable& table)
        : objects_(std::move(objects)),
          x_(FieldPath::compile(table, "base.position.x")),
          y_(FieldPath::compile(table, "base.position.y")),
          yaw_(FieldPath::compile(table, "base.orientation.yaw")),
          ids_(*id_fields(table))
    {
    }
    [[nodiscard]] std::string key_of(const MessageView& object, bool by_name) const
    {
        FieldPath::Step step{.field = &objects_.leaf()};
        if (by_name) step.name = name_of(object);
        const auto id = id_of(object, ids_);
        if (step.name.empty() && !id) return {};
        step.pick = step.name.empty() ? FieldPath::Pick::id : FieldPath::Pick::name;
        step.argument = id.value_or(0);
        return std::string(step.field->name) + pick_text(step);
    }

    FieldPath objects_, x_, y_, yaw_;
    IdFields ids_;
};

/// Without an orientation an object heads where it goes.
void complete_headings(std::vector<Sample>& samples)
{
    for (std::size_t i = 0; i != samples.size(); ++i) {
        if (samples[i].heading < ObjectPaths::unknown) continue;
        const auto& from = samples[i == 0 ? 0 : i - 1];
        const auto& to = samples[std::min(i + 1, samples.size() - 1)];
        samples[i].heading = std::atan2(to.y - from.y, to.x - from.x);
    }
}

Trajectories trajectories_of(const std::filesystem::path& file, const OpenOptions& open,
                             const TrajectoryOptions& options, const std::stop_token& stop)
{
    Trajectories found;
    auto source = open_source(file, open);
    if (options.time) source = cut(std::move(source), {.time = options.time, .carry_static = false});
    std::optional<std::uint32_t> channel;
    std::optional<ObjectPaths> paths;
    for (Frame frame; source->read(frame, stop);) {
        const auto& of = source->info().channels[frame.channel];
        if (!channel && of.root != nullptr) {
            paths = ObjectPaths::in(*of.root);
            if (paths) channel = frame.channel;
        }
        if (channel != frame.channel) continue;
        try {
            const auto time = time_of(frame, of);
            if (!time) continue;
            paths->read({frame.bytes, *of.root, of.format}, static_cast<double>(time->count()) / 1e9,
                        options.pair_by_name, found);
        } catch (const Error& e) {
            throw within_frame(e, frame, source->info().file);
        }
    }
    if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = file}, "cancelled");
    if (!channel)
        throw Error(Cause::mismatch, {.file = file},
                    "has no moving objects (expected GroundTruth, SensorView or TrafficUpdate)");
    for (auto& [object, samples] : found) complete_headings(samples);
    return found;
}

/// Follows a trajectory in increasing times.
class Follower {
public:
    explicit Follower(const std::vector<Sample>& samples) : samples_(samples) {}
    /// Empty before its first and after its last sample.
    [[nodiscard]] std::optional<std::array<double, 2>> at(double time)
    {
        constexpr double equal = 1e-6;
        if (time < samples_.front().time - equal || time > samples_.back().time + equal) return std::nullopt;
        while (place_ + 1 < samples_.size() && samples_[place_ + 1].time <= time) ++place_;
        const auto& from = samples_[place_];
        const auto& to = samples_[std::min(place_ + 1, samples_.size() - 1)];
        const auto span = to.time - from.time;
        const auto share = span > 0 ? std::clamp((time - from.time) / span, 0.0, 1.0) : 0;
        return std::array{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
    }

private:
    const std::vector<Sample>& samples_;
    std::size_t place_ = 0;
};

/// The mean square of the distance with B shifted; empty with less than `least` frames.
std::optional<double> square_distance(const std::vector<Sample>& a, const std::vector<Sample>& b, double shift,
                                      std::size_t every, std::size_t least)
{
    Follower follower(b);
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); i += every) {
        const auto place = follower.at(a[i].time + shift);
        if (!place) continue;
        sum += std::pow((*place)[0] - a[i].x, 2) + std::pow((*place)[1] - a[i].y, 2);
        ++count;
    }
    if (count == 0 || count < least) return std::nullopt;
    return sum / static_cast<double>(count);
}

/// A scan in steps of 10 ms, then halves of steps around the best one.
void find_lag(const std::vector<Sample>& a, const std::vector<Sample>& b, double most_lag, TrajectoryDifference& to)
{
    constexpr std::size_t enough = 1000;  // frames of a longer trace are thinned out for the scan
    constexpr double first_step = 0.01, least_step = 1e-4, least_way = 1;
    double way = 0;
    for (std::size_t i = 1; i != a.size(); ++i) way += std::hypot(a[i].x - a[i - 1].x, a[i].y - a[i - 1].y);
    if (way < least_way) return;
    const auto every = a.size() / enough + 1;
    const auto least = (to.compared / every + 1) / 2;
    double best_shift = 0;
    auto best = square_distance(a, b, 0, every, least);
    const auto try_shift = [&](double shift) {
        const auto found = square_distance(a, b, shift, every, least);
        if (!found || (best && *found >= *best)) return;
        best = found;
        best_shift = shift;
    };
    for (double shift = first_step; shift <= most_lag; shift += first_step) {
        try_shift(shift);
        try_shift(-shift);
    }
    for (auto step = first_step / 2; step >= least_step; step /= 2) {
        const auto around = best_shift;
        try_shift(around - step);
        try_shift(around + step);
    }
    if (!best) return;
    to.lag = best_shift;
    to.distance_rms_at_lag = std::sqrt(*best);
}

/// Collects an error.
class ErrorSum {
public:
    void add(double error)
    {
        sum_ += error;
        squares_ += error * error;
        if (std::abs(error) > std::abs(largest_)) largest_ = error;
        ++count_;
    }
    [[nodiscard]] ErrorOverTime result() const
    {
        if (count_ == 0) return {};
        return {sum_ / count_, std::sqrt(squares_ / count_), largest_};
    }

private:
    double sum_ = 0, squares_ = 0, largest_ = 0, count_ = 0;
};

void compare_pair(const std::vector<Sample>& a, const std::vector<Sample>& b, double most_lag, TrajectoryDifference& to)
{
    Follower follower(b);
    ErrorSum longitudinal, lateral, distance;
    for (const auto& sample : a) {
        const auto place = follower.at(sample.time);
        if (!place) continue;
        const auto x = (*place)[0] - sample.x, y = (*place)[1] - sample.y;
        const auto cosine = std::cos(sample.heading), sine = std::sin(sample.heading);
        longitudinal.add(x * cosine + y * sine);
        lateral.add(y * cosine - x * sine);
        to.final_distance = std::hypot(x, y);
        distance.add(to.final_distance);
        ++to.compared;
    }
    to.longitudinal = longitudinal.result();
    to.lateral = lateral.result();
    to.distance_rms = distance.result().rms;
    if (to.compared != 0) find_lag(a, b, most_lag, to);
}

}  // namespace

std::vector<TrajectoryDifference> compare_trajectories(const std::filesystem::path& a, const std::filesystem::path& b,
                                                       const OpenOptions& open, const TrajectoryOptions& options,
                                                       std::stop_token stop)
{
    const auto in_a = trajectories_of(a, open, options, stop);
    const auto in_b = trajectories_of(b, open, options, stop);
    std::vector<TrajectoryDifference> found;
    for (const auto& [object, samples] : in_a) {
        auto& difference = found.emplace_back();
        difference.object = object;
        difference.frames_a = samples.size();
        const auto other = in_b.find(object);
        if (other == in_b.end()) continue;
        difference.frames_b = other->second.size();
        compare_pair(samples, other->second, options.most_lag, difference);
    }
    for (const auto& [object, samples] : in_b)
        if (!in_a.contains(object)) found.push_back({.object = object, .frames_b = samples.size()});
    return found;
}

}  // namespace ositrace
