// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/comparison.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include <ositrace/map_finder.hpp>

#include "lib/system/thread.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t most_differences = 1000;  // listed of two messages

/// Can an object of this kind and set be a thing of the category?
bool is_of(Category category, ObjectSet set, ObjectKind kind) noexcept
{
    return (category == Category::host ? Category::moving_object : category) == category_of(set, kind);
}

/// `a[1].b` is in `a[1]`, `a` and the message.
void add_with_parents(std::unordered_set<std::string>& paths, std::string path)
{
    while (paths.insert(path).second && !path.empty()) {
        const auto end = path.find_last_of(".[");
        path.resize(end == std::string::npos ? 0 : end);
    }
}

}  // namespace

std::size_t ShownComparison::bytes() const noexcept
{
    auto bytes = sizeof(ShownComparison);
    if (objects)
        bytes += objects->pairs.size() * sizeof(ObjectPair) +
                 (objects->missed.size() + objects->ghosts.size()) * sizeof(ComparedObject);
    if (boundaries) bytes += boundaries->places.size() * sizeof(BoundaryPlace);
    if (exact)
        for (const auto& each : exact->differences)
            bytes += sizeof(FieldDifference) + each.field.size() + each.text.size();
    for (const auto& side : differing)
        for (const auto& path : side) bytes += 4 * sizeof(void*) + path.size();
    return bytes;
}

bool ShownComparison::is_different(std::uint32_t source, const std::string& path) const
{
    for (std::size_t side = 0; side != 2; ++side)
        if (choice.sides.at(side).source == source && is_shown.at(side) && differing.at(side).contains(path))
            return true;
    return false;
}

Category category_of(ObjectSet set, ObjectKind kind) noexcept
{
    if (set == ObjectSet::detections)
        return kind == ObjectKind::moving ? Category::detected_moving_object : Category::detected_stationary_object;
    return kind == ObjectKind::moving ? Category::moving_object : Category::stationary_object;
}

std::optional<ObjectKind> kind_compared(Category category) noexcept
{
    for (const auto kind : {ObjectKind::moving, ObjectKind::stationary})
        for (const auto set : {ObjectSet::ground_truth, ObjectSet::detections})
            if (is_of(category, set, kind)) return kind;
    return std::nullopt;
}

std::optional<Selected> selected_object(const ShownComparison& comparison, const Picture& picture, std::size_t side,
                                        const ComparedObject& object)
{
    const auto& [source, set] = comparison.choice.sides.at(side);
    if (comparison.is_shown.at(side)) {
        const auto path = comparison.objects->path_of(side, object);
        return Selected{thing_at(picture, source, path), source, path};
    }
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things)
            if (object.has_id && thing.key.source == source && thing.key.id == object.id &&
                is_of(thing.key.category, set, object.kind))
                return Selected{thing.key, source, thing.path};
    return std::nullopt;
}

bool is_selected(const Selected& selected, const ShownComparison& comparison, std::size_t side,
                 const ComparedObject& object)
{
    const auto& [source, set] = comparison.choice.sides.at(side);
    if (selected.source != source) return false;
    if (comparison.is_shown.at(side)) return is_in_message(selected.path, comparison.objects->path_of(side, object));
    return selected.thing && object.has_id && selected.thing->id == object.id &&
           is_of(selected.thing->category, set, object.kind);
}

Category boundary_category(const CompareChoice& choice) noexcept
{
    return choice.sides[1].set == ObjectSet::detections ? Category::detected_lane_boundary : Category::lane_boundary;
}

bool is_boundary(const Thing& thing, const ShownComparison& comparison, const ComparedBoundary& boundary) noexcept
{
    if (thing.key.source != comparison.choice.sides[1].source ||
        thing.key.category != boundary_category(comparison.choice) || thing.has_id != boundary.has_id)
        return false;
    if (boundary.has_id) return thing.key.id == boundary.id;
    return comparison.is_shown[1] && thing.path.ends_with("lane_boundary[" + std::to_string(boundary.place) + ']');
}

ComparedChannel compared_channel(const OpenChannel& channel, ObjectSet set)
{
    ComparedChannel side{.trace = channel.trace,
                         .in_trace = channel.in_trace,
                         .channel = channel.channel,
                         .set = set,
                         .times = nullptr,
                         .shift = channel.shift};
    if (channel.times->stride == 1 && channel.times->first == 0) side.times = {channel.times, &channel.times->times};
    return side;
}

/// What is kept for a choice: the pairs of messages, and what the comparison of objects reuses.
struct ComparisonMaker::Prepared {
    std::shared_ptr<const CompareChoice> choice;
    std::array<std::shared_ptr<const Trace>, 2> traces;
    std::array<std::shared_ptr<const MessageTimes>, 2> times;
    std::array<Nanoseconds, 2> shifts{};
    std::vector<MessagePair> pairs;
    std::optional<ObjectComparer> objects;
    std::vector<MapFinder> maps;

    Prepared(const std::array<const OpenChannel*, 2>& channels, std::shared_ptr<const CompareChoice> chosen);
    [[nodiscard]] bool is_for(const std::array<const OpenChannel*, 2>& channels,
                              const std::shared_ptr<const CompareChoice>& chosen) const noexcept;
    [[nodiscard]] std::optional<MessagePair> pair_at(std::uint64_t number) const;
    void compare(const std::array<const OpenChannel*, 2>& channels, ShownComparison& result);
};

ComparisonMaker::ComparisonMaker() = default;
ComparisonMaker::~ComparisonMaker() = default;

ComparisonMaker::Prepared::Prepared(const std::array<const OpenChannel*, 2>& channels,
                                    std::shared_ptr<const CompareChoice> chosen)
    : choice(std::move(chosen))
{
    const auto a = compared_channel(*channels[0], choice->sides[0].set);
    const auto b = compared_channel(*channels[1], choice->sides[1].set);
    for (std::size_t side = 0; side != 2; ++side) {
        traces[side] = channels[side]->trace;
        times[side] = channels[side]->times;
        maps.emplace_back(channels[side]->trace);
    }
    shifts = {a.shift, b.shift};
    // With a stride, only every stride-th message of a channel has a time here, and is compared.
    const auto &times_a = times[0]->times, &times_b = times[1]->times;
    pairs = pair_messages(times_a, a.shift, times_b, b.shift, usual_tolerance(times_a, times_b));
    const auto number_of = [this](std::size_t side, std::uint64_t place) {
        return times.at(side)->first + place * times.at(side)->stride;
    };
    for (auto& pair : pairs) pair = {number_of(0, pair.a), number_of(1, pair.b)};
    if (choice->mode == CompareMode::objects)
        objects.emplace(std::array{channels[0]->channel, channels[1]->channel},
                        std::array{choice->sides[0].set, choice->sides[1].set}, choice->objects);
}

bool ComparisonMaker::Prepared::is_for(const std::array<const OpenChannel*, 2>& channels,
                                       const std::shared_ptr<const CompareChoice>& chosen) const noexcept
{
    if (*choice != *chosen) return false;
    for (std::size_t side = 0; side != 2; ++side)
        if (traces.at(side) != channels.at(side)->trace || times.at(side) != channels.at(side)->times ||
            shifts.at(side) != channels.at(side)->shift)
            return false;
    return true;
}

/// The pair of message `number` of A, or the last one before it.
std::optional<MessagePair> ComparisonMaker::Prepared::pair_at(std::uint64_t number) const
{
    const auto after = std::ranges::upper_bound(pairs, number, {}, &MessagePair::a);
    return after == pairs.begin() ? std::nullopt : std::optional(*(after - 1));
}

void ComparisonMaker::Prepared::compare(const std::array<const OpenChannel*, 2>& channels, ShownComparison& result)
{
    const std::array numbers{result.messages->a, result.messages->b};
    std::array<Frame, 2> frames;
    std::array<std::optional<MapFinder::Found>, 2> found;
    for (std::size_t side = 0; side != 2; ++side)
        frames.at(side) = channels.at(side)->trace->frame(channels.at(side)->in_trace, numbers.at(side));
    if (choice->mode == CompareMode::exact) {
        result.exact =
            compare_messages(frames[0], *channels[0]->channel, frames[1], *channels[1]->channel, most_differences);
        for (const auto& difference : result.exact->differences)
            for (std::size_t side = 0; side != 2; ++side)
                if (!difference.paths.at(side).empty())
                    add_with_parents(result.differing.at(side), difference.paths.at(side));
        return;
    }
    std::array<ComparedMessage, 2> messages;
    for (std::size_t side = 0; side != 2; ++side) {
        found.at(side) = maps[side].find(channels.at(side)->in_trace, numbers.at(side), frames.at(side));
        messages.at(side) = {&frames.at(side), found.at(side) ? &found.at(side)->frame : nullptr};
    }
    if (choice->mode == CompareMode::boundaries)
        result.boundaries = compare_boundaries({channels[0]->channel, channels[1]->channel},
                                               {choice->sides[0].set, choice->sides[1].set}, messages[0], messages[1],
                                               {.gate = choice->objects.gate});
    else
        result.objects = objects->compare(messages[0], messages[1]);
}

std::shared_ptr<const ShownComparison> ComparisonMaker::make(const Snapshot& snapshot, const OpenChannels& channels,
                                                             const std::shared_ptr<const CompareChoice>& choice)
{
    if (!choice) return nullptr;
    auto result = std::make_shared<ShownComparison>();
    result->choice = *choice;
    const auto& [side_a, side_b] = choice->sides;
    try {
        if (side_a.source >= channels.size() || side_b.source >= channels.size()) return nullptr;
        const std::array<const OpenChannel*, 2> sides{&channels[side_a.source], &channels[side_b.source]};
        if (!prepared_ || !prepared_->is_for(sides, choice)) prepared_ = std::make_unique<Prepared>(sides, choice);
        result->is_final = sides[0]->times->complete && sides[1]->times->complete;
        const auto& shown_a = snapshot.channels[side_a.source];
        const auto& shown_b = snapshot.channels[side_b.source];
        const auto pair = shown_a.frame && !shown_a.is_past ? prepared_->pair_at(shown_a.number) : std::nullopt;
        const bool is_far =
            pair && (sides[0]->is_past(pair->a, shown_a.time) || sides[1]->is_past(pair->b, shown_a.time));
        if (!pair || is_far) {
            result->problem =
                shown_a.frame && !shown_a.is_past ? "B has no message near that of A" : "A has no message at this time";
            return result;
        }
        result->messages = pair;
        result->times = {sides[0]->time_of(pair->a), sides[1]->time_of(pair->b)};
        result->is_shown = {pair->a == shown_a.number, shown_b.frame.has_value() && pair->b == shown_b.number};
        prepared_->compare(sides, *result);
    } catch (const std::exception& error) {
        prepared_.reset();
        result->messages.reset();
        result->problem = error.what();
    }
    return result;
}

namespace {

using Steady = std::chrono::steady_clock;

double progress_of(const TraceComparison& result) noexcept
{
    return result.pairs == 0 ? 1 : static_cast<double>(result.moments.size()) / static_cast<double>(result.pairs);
}

double progress_of(const EqualityOfTraces& result) noexcept
{
    return result.pairs == 0 ? 1 : static_cast<double>(result.compared) / static_cast<double>(result.pairs);
}

double progress_of(const BoundaryTraceComparison& result) noexcept
{
    return result.pairs == 0 ? 1 : static_cast<double>(result.moments.size()) / static_cast<double>(result.pairs);
}

}  // namespace

bool has_no_objects(const TraceComparison& comparison) noexcept
{
    const bool has_pairs =
        std::ranges::any_of(comparison.moments, [](const ComparedMoment& each) { return each.pairs != 0; });
    return !has_pairs && comparison.out_of_reach == 0 && (comparison.missed == 0 || comparison.ghosts == 0);
}

ComparisonRun::ComparisonRun(const CompareChoice& choice, const std::array<OpenChannel, 2>& channels, QObject* parent)
    : QObject(parent),
      choice_(choice),
      sides_{compared_channel(channels[0], choice.sides[0].set), compared_channel(channels[1], choice.sides[1].set)},
      thread_([this](const std::stop_token& stop) { run(stop); })
{
}

ComparisonRun::~ComparisonRun()
{
    thread_.request_stop();
    thread_.join();  // posted changes are dropped: their receiver is destroyed
}

void ComparisonRun::retire(std::unique_ptr<ComparisonRun> run)
{
    if (!run || !run->is_running()) return;
    run->thread_.request_stop();
    auto* const retired = run.release();
    disconnect(retired, nullptr, nullptr, nullptr);
    connect(retired, &ComparisonRun::changed, retired, [retired] {
        if (!retired->is_running()) retired->deleteLater();
    });
}

void ComparisonRun::post(std::function<void()> change)
{
    QMetaObject::invokeMethod(
        this,
        [this, change = std::move(change)] {
            change();
            emit changed();
        },
        Qt::QueuedConnection);
}

/// Copies the result from time to time: at most five times a second, and in a tenth of the time at most.
template <class Result>
std::function<void(const Result&)> ComparisonRun::reporter(std::shared_ptr<const Result> ComparedTraces::* of)
{
    return [this, of, next = Steady::now()](const Result& so_far) mutable {
        const auto now = Steady::now();
        if (now < next) return;
        auto copy = std::make_shared<const Result>(so_far);
        const auto took = Steady::now() - now;
        next = now + took + std::max<Steady::duration>(std::chrono::milliseconds(200), 10 * took);
        post([this, of, copy = std::move(copy)] {
            progress_ = progress_of(*copy);
            result_.*of = copy;
        });
    };
}

void ComparisonRun::run(const std::stop_token& stop)
{
    lower_thread_priority();
    QString problem;
    ComparedTraces result;
    try {
        const auto& [a, b] = sides_;
        if (choice_.mode == CompareMode::boundaries) {
            const BoundaryTraceOptions options{.boundaries = {.gate = choice_.objects.gate}, .tolerance = {}};
            result.boundaries = std::make_shared<const BoundaryTraceComparison>(
                compare_boundary_traces(a, b, options, reporter(&ComparedTraces::boundaries), stop));
        } else if (choice_.mode == CompareMode::objects) {
            const TraceCompareOptions options{.objects = choice_.objects, .tolerance = {}};
            result.objects = std::make_shared<const TraceComparison>(
                compare_traces(a, b, options, reporter(&ComparedTraces::objects), stop));
            result.has_only_boundaries =
                has_no_objects(*result.objects) && result.objects->broken == 0 && have_lane_boundaries(a, b, stop);
        } else {
            result.exact = std::make_shared<const EqualityOfTraces>(
                compare_exactly(a, b, {}, listed_differences, reporter(&ComparedTraces::exact), stop));
        }
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
    post([this, problem, result] {
        running_ = false;
        progress_ = 1;
        problem_ = problem;
        if (problem.isEmpty()) result_ = result;
    });
}

}  // namespace ositrace::gui
