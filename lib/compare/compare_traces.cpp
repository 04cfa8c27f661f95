// SPDX-License-Identifier: MPL-2.0
#include <ositrace/compare_traces.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <ositrace/equal_content.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "lib/compare/common_clock.hpp"
#include "lib/edit/message_difference.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

using compare::channel_of;
using compare::CommonClock;
using compare::compare_pairs;
using compare::SideReader;

namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();

/// Adds the comparisons of messages up.
class Summary {
public:
    Summary(TraceComparison& result, std::size_t max_samples) : result_(result), samples_left_(max_samples) {}

    void add(const MessagePair& messages, Nanoseconds time, const ObjectComparison& compared)
    {
        const auto at = static_cast<std::uint32_t>(result_.moments.size());
        auto& moment = begin(messages, time);
        moment.pairs = static_cast<std::uint32_t>(compared.pairs.size());
        moment.missed = static_cast<std::uint32_t>(compared.missed.size());
        moment.ghosts = static_cast<std::uint32_t>(compared.ghosts.size());
        result_.missed += moment.missed;
        result_.ghosts += moment.ghosts;
        result_.out_of_reach += compared.out_of_reach;
        StatisticsByError of_moment;
        for (const auto& pair : compared.pairs) {
            auto& history = history_of(pair.a);
            ++history.paired;
            ErrorSample sample{pair.b.id, at, {}};
            for (std::size_t i = 0; i != object_error_count; ++i) {
                const auto error = pair.errors[static_cast<ObjectError>(i)];
                sample.errors[i] = static_cast<float>(error);
                history.statistics[i].add(error, at);
                result_.statistics[i].add(error, at);
                of_moment[i].add(error, at);
            }
            if (may_keep()) history.samples.push_back(sample);
        }
        for (std::size_t i = 0; i != object_error_count; ++i) {
            const auto& statistics = of_moment[i];
            moment.mean[i] = statistics.count == 0 ? unknown : static_cast<float>(statistics.mean());
            moment.largest[i] = statistics.count == 0 ? unknown : static_cast<float>(statistics.largest);
        }
        for (const auto& object : compared.missed) {
            auto& history = history_of(object);
            ++history.missed;
            if (may_keep()) history.missed_moments.push_back(at);
        }
        for (const auto& object : compared.ghosts)
            if (may_keep()) result_.ghost_list.push_back({at, object.kind, object.id});
        for (const auto& note : compared.notes) add_note(note);
    }

    void add_broken(const MessagePair& messages, Nanoseconds time, const std::string& problem)
    {
        begin(messages, time).broken = true;
        if (result_.broken++ == 0) result_.problem = problem;
    }

private:
    ComparedMoment& begin(const MessagePair& messages, Nanoseconds time)
    {
        auto& moment = result_.moments.emplace_back();
        moment.messages = messages;
        moment.time = time;
        moment.mean.fill(unknown);
        moment.largest.fill(unknown);
        return moment;
    }

    ObjectHistory& history_of(const ComparedObject& object)
    {
        const auto [found, is_new] = (object.has_id ? with_id_ : without_id_)
                                         .at(static_cast<std::size_t>(object.kind))
                                         .try_emplace(object.id, result_.objects.size());
        if (is_new) {
            auto& history = result_.objects.emplace_back();
            history.kind = object.kind;
            history.id = object.id;
            history.has_id = object.has_id;
        }
        if (auto& history = result_.objects[found->second]; history.type.empty()) history.type = exact_type(object);
        return result_.objects[found->second];
    }

    static std::string_view exact_type(const ComparedObject& object) noexcept
    {
        const auto vehicle = object.vehicle_type;
        const bool says_more = !vehicle.empty() && vehicle != "TYPE_UNKNOWN" && vehicle != "TYPE_OTHER";
        return says_more && (object.type.empty() || object.type == "TYPE_VEHICLE") ? vehicle : object.type;
    }

    bool may_keep() noexcept
    {
        if (samples_left_ == 0) return result_.samples_are_complete = false;
        --samples_left_;
        return true;
    }

    void add_note(const std::string& note)
    {
        constexpr std::size_t most_notes = 100;
        auto& notes = result_.notes;
        if (notes.size() < most_notes && std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }

    TraceComparison& result_;
    std::size_t samples_left_;
    /// By kind: places in the objects of the result.
    std::array<std::unordered_map<std::uint64_t, std::size_t>, object_kind_count> with_id_, without_id_;
};

}  // namespace

void ErrorStatistics::add(double error, std::uint32_t at) noexcept
{
    const auto size = std::abs(error);
    if (std::isnan(size)) return;
    if (count++ == 0 || size > largest) {
        largest = size;
        moment = at;
    }
    sum += size;
}

const ObjectHistory* TraceComparison::worst_object(ObjectError error) const noexcept
{
    const auto i = static_cast<std::size_t>(error);
    const ObjectHistory* worst = nullptr;
    for (const auto& object : objects)
        if (object.statistics[i].count != 0 &&
            (worst == nullptr || object.statistics[i].largest > worst->statistics[i].largest))
            worst = &object;
    return worst;
}

const ObjectHistory* TraceComparison::find(ObjectKind kind, std::uint64_t id) const noexcept
{
    const auto found = std::ranges::find_if(
        objects, [&](const ObjectHistory& each) { return each.has_id && each.kind == kind && each.id == id; });
    return found == objects.end() ? nullptr : &*found;
}

TraceComparison compare_traces(const ComparedChannel& a, const ComparedChannel& b, const TraceCompareOptions& options,
                               const std::function<void(const TraceComparison&)>& on_progress, std::stop_token stop)
{
    ObjectComparer comparer({channel_of(a), channel_of(b)}, {a.set, b.set}, options.objects);
    TraceComparison result;
    Summary summary(result, options.max_samples);
    const auto compare_two = [&](const ComparedMessage& message_a, const ComparedMessage& message_b) {
        auto compared = comparer.compare(message_a, message_b);
        result.seen = comparer.seen();
        return compared;
    };
    compare_pairs(a, b, options.tolerance, result, summary, compare_two, on_progress, stop);
    return result;
}

namespace {

void check_types(const Channel& a, const Channel& b)
{
    if (a.type_name == b.type_name && a.root != nullptr && b.root != nullptr) return;
    throw Error(Cause::mismatch, "found messages of type '" + a.type_name + "' and '" + b.type_name +
                                     "' (expected one OSI type for an exact comparison)");
}

bool have_same_bytes(const Frame& a, const Channel& channel_a, const Frame& b, const Channel& channel_b)
{
    return channel_a.format == channel_b.format && text_of(a.bytes) == text_of(b.bytes);
}

MessageView view_of(const Frame& frame, const Channel& channel) { return {frame.bytes, *channel.root, channel.format}; }

}  // namespace

MessageComparison compare_messages(const Frame& a, const Channel& channel_a, const Frame& b, const Channel& channel_b,
                                   std::size_t most)
{
    check_types(channel_a, channel_b);
    MessageComparison result;
    result.equal_bytes = have_same_bytes(a, channel_a, b, channel_b);
    if (result.equal_bytes) {
        result.equal = true;
        return result;
    }
    const auto view_a = view_of(a, channel_a), view_b = view_of(b, channel_b);
    const auto first = first_difference(view_a, view_b);
    result.equal = !first;
    if (!first) return result;
    const auto rules = compile_rules({});
    MessageDifference by_id(
        rules, [&](const std::string& field, const std::string&, std::optional<double>, std::string text) {
            if (result.differences.size() < most)
                result.differences.push_back({field, std::move(text), {by_id.place_in(0), by_id.place_in(1)}});
            else
                result.more = true;
        });
    by_id.compare(view_a, view_b);
    if (result.differences.empty())
        result.differences.push_back({first->field, first->text, {first->field, first->field}});
    return result;
}

EqualityOfTraces compare_exactly(const ComparedChannel& a, const ComparedChannel& b,
                                 std::optional<Nanoseconds> tolerance, std::size_t most,
                                 const std::function<void(const EqualityOfTraces&)>& on_progress, std::stop_token stop)
{
    const auto channel_a = channel_of(a), channel_b = channel_of(b);
    check_types(*channel_a, *channel_b);
    const CommonClock clock(a, b, tolerance, stop);
    EqualityOfTraces result;
    result.messages_a = clock.times[0]->size();
    result.messages_b = clock.times[1]->size();
    result.pairs = clock.pairs.size();
    result.tolerance = clock.tolerance;
    const auto add_difference = [&](const MessagePair& pair, std::string field, std::string text) {
        ++result.different;
        if (result.differences.size() < most)
            result.differences.push_back({pair, clock.time_of(pair), std::move(field), std::move(text)});
    };
    for (const auto& pair : clock.pairs) {
        if (stop.stop_requested()) return result;
        try {
            const auto frame_a = a.trace->frame(a.in_trace, pair.a);
            const auto frame_b = b.trace->frame(b.in_trace, pair.b);
            if (have_same_bytes(frame_a, *channel_a, frame_b, *channel_b))
                ++result.equal_bytes;
            else if (auto first = first_difference(view_of(frame_a, *channel_a), view_of(frame_b, *channel_b)))
                add_difference(pair, std::move(first->field), std::move(first->text));
        } catch (const Error& error) {
            add_difference(pair, {}, error.what());
        }
        ++result.compared;
        if (on_progress) on_progress(result);
    }
    result.complete = !stop.stop_requested();
    return result;
}

namespace {

/// Time between messages, the median: gaps do not matter. Of very many messages, that of some of them.
std::optional<Nanoseconds> usual_step(std::span<const Nanoseconds> times)
{
    constexpr std::size_t most = 1000;
    std::vector<Nanoseconds> steps;
    const auto every = std::max<std::size_t>(1, times.size() / most);
    for (std::size_t i = 1; i < times.size(); i += every) steps.push_back(distance(times[i - 1], times[i]));
    if (steps.empty()) return std::nullopt;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

}  // namespace

Nanoseconds usual_tolerance(std::span<const Nanoseconds> a, std::span<const Nanoseconds> b)
{
    constexpr auto without_steps = std::chrono::milliseconds(50);
    const auto step_a = usual_step(a), step_b = usual_step(b);
    if (!step_a && !step_b) return without_steps;
    return std::max(step_a.value_or(Nanoseconds(0)), step_b.value_or(Nanoseconds(0))) / 2;
}

std::vector<MessagePair> pair_messages(std::span<const Nanoseconds> a, Nanoseconds shift_a,
                                       std::span<const Nanoseconds> b, Nanoseconds shift_b, Nanoseconds tolerance)
{
    // In long double, which holds the sum and difference of any times exactly.
    const auto gap = [&](std::size_t i, std::size_t j) {
        return (static_cast<long double>(b[j].count()) + static_cast<long double>(shift_b.count())) -
               (static_cast<long double>(a[i].count()) + static_cast<long double>(shift_a.count()));
    };
    const auto allowed = static_cast<long double>(tolerance.count());
    std::vector<MessagePair> pairs;
    for (std::size_t i = 0, j = 0; i != a.size() && j != b.size();) {
        const auto now = gap(i, j);
        // The next message of the side with the earlier time may be nearer to this one of the other side.
        if (now > 0 && (now > allowed || (i + 1 != a.size() && std::abs(gap(i + 1, j)) < now))) {
            ++i;
        } else if (now < 0 && (-now > allowed || (j + 1 != b.size() && std::abs(gap(i, j + 1)) < -now))) {
            ++j;
        } else {
            pairs.push_back({i, j});
            ++i;
            ++j;
        }
    }
    return pairs;
}

}  // namespace ositrace
