// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/pair_reader.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <QMetaObject>

#include <ositrace/error.hpp>
#include <ositrace/pair_motion.hpp>
#include <ositrace/series.hpp>

#include "gui/session/thread_priority.hpp"

namespace ositrace::gui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto publish_interval = std::chrono::milliseconds(200);  // copies what is known
constexpr auto no_number = std::numeric_limits<double>::quiet_NaN();

/// The fields of a GroundBox, in this order.
constexpr std::array box_fields{"base.position.x", "base.position.y",       "base.orientation.yaw", "base.velocity.x",
                                "base.velocity.y", "base.dimension.length", "base.dimension.width"};
using BoxNumbers = std::array<double, box_fields.size()>;

/// Empty without a position.
std::optional<GroundBox> box_of(const BoxNumbers& numbers)
{
    const auto [x, y, yaw, vx, vy, length, width] = numbers;
    if (std::isnan(x) || std::isnan(y)) return std::nullopt;
    const auto or_zero = [](double number) { return std::isnan(number) ? 0 : number; };
    return GroundBox{{x, y}, or_zero(length), or_zero(width), or_zero(yaw), {or_zero(vx), or_zero(vy)}};
}

std::vector<std::string> paths_of(const PairPaths& paths)
{
    std::vector<std::string> all;
    for (const auto& object : {paths.thing, paths.other})
        for (const auto* const field : box_fields) all.push_back(object + '.' + field);
    return all;
}

/// Turns batches of fields into samples of the pair.
class PairSamples {
public:
    PairSamples(const SeriesPlan& plan, Nanoseconds shift) : plan_(plan), shift_(shift) {}

    void add(const SeriesBatch& batch, PairCurves& to)
    {
        for (const auto& curve : batch.new_curves) path_of_curve_.push_back(curve.path);
        auto sample = batch.samples.begin();
        for (std::uint32_t message = 0; message != batch.times.size(); ++message) {
            std::array<BoxNumbers, 2> numbers;
            for (auto& each : numbers) each.fill(no_number);
            for (; sample != batch.samples.end() && sample->message == message; ++sample) {
                const auto path = path_of_curve_[sample->curve];
                numbers[path / box_fields.size()][path % box_fields.size()] =
                    series_number(plan_.paths()[path].leaf(), sample->bits);
            }
            add(batch.times[message], numbers, to);
        }
    }

private:
    void add(const std::optional<Nanoseconds>& time, const std::array<BoxNumbers, 2>& numbers, PairCurves& to) const
    {
        const auto one = box_of(numbers[0]), other = box_of(numbers[1]);
        const auto motion = time && one && other ? pair_motion(*one, *other) : std::nullopt;
        if (!motion) return;
        to.times.push_back(shifted(*time, shift_));
        to.gap.push_back(motion->gap);
        to.distance.push_back(motion->distance);
        to.time_to_collision.push_back(motion->time_to_collision.value_or(no_number));
    }

    const SeriesPlan& plan_;
    Nanoseconds shift_;
    std::vector<std::uint32_t> path_of_curve_;
};

}  // namespace

std::optional<PairPaths> pair_paths(const Thing& thing, const Thing& other)
{
    if (thing.key.source != other.key.source || !thing.has_id || !other.has_id) return std::nullopt;
    const auto by_id = [](const Thing& each) {
        const auto bracket = each.path.rfind('[');
        return bracket == std::string::npos ? std::string()
                                            : each.path.substr(0, bracket) + "[id=" + std::to_string(each.key.id) + ']';
    };
    PairPaths paths{by_id(thing), by_id(other)};
    return paths.thing.empty() || paths.other.empty() ? std::nullopt : std::optional(paths);
}

PairReader::PairReader(OpenChannel channel, const PairPaths& paths, QObject* parent)
    : QObject(parent),
      thread_([this, channel = std::move(channel), paths](const std::stop_token& stop) { run(channel, paths, stop); })
{
}

PairReader::~PairReader()
{
    thread_.request_stop();
    thread_.join();
}

void PairReader::run(const OpenChannel& channel, const PairPaths& paths, const std::stop_token& stop)
{
    lower_thread_priority();
    PairCurves curves;
    auto published = Clock::now();
    try {
        const auto fields = paths_of(paths);
        const SeriesPlan plan(*channel.channel->root, fields);
        PairSamples samples(plan, channel.shift);
        const auto end = read_series(
            *channel.trace, channel.in_trace, *channel.channel, plan, {},
            [&](const SeriesBatch& batch) {
                samples.add(batch, curves);
                if (Clock::now() - published < publish_interval) return;
                publish(curves);
                published = Clock::now();
            },
            stop);
        if (end.problem) curves.problem = QString::fromUtf8(end.problem->what());
    } catch (const Error& error) {
        curves.problem = QString::fromUtf8(error.what());
    }
    curves.is_complete = true;
    if (!stop.stop_requested()) publish(curves);
}

void PairReader::publish(const PairCurves& curves)
{
    auto answer = std::make_shared<const PairCurves>(curves);
    {
        const std::lock_guard lock(mutex_);
        answer_ = std::move(answer);
    }
    QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
}

void PairReader::deliver()
{
    std::shared_ptr<const PairCurves> answer;
    {
        const std::lock_guard lock(mutex_);
        answer = std::exchange(answer_, nullptr);
    }
    if (answer) emit updated(answer);
}

}  // namespace ositrace::gui
