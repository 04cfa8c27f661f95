// SPDX-License-Identifier: MPL-2.0
#include <ositrace/frame_error.hpp>
#include <ositrace/trace_difference.hpp>

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/edit/cut.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/message_check.hpp>

#include "lib/edit/edit_source.hpp"
#include "lib/edit/field_plan.hpp"
#include "lib/edit/message_difference.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

namespace {

using Path = std::filesystem::path;

enum Which : std::uint8_t { in_a, in_b };

constexpr Which other(Which which) noexcept { return which == in_a ? in_b : in_a; }

/// A frame that waits for one of the other trace.
struct WaitingFrame {
    Frame frame;
    std::optional<Nanoseconds> time;
};

/// The channels that are compared with each other.
struct ChannelPair {
    std::array<const Channel*, 2> channels{};  ///< null: only the other trace has it
    std::array<std::uint64_t, 2> compared{};   ///< frames
    std::list<WaitingFrame> waiting;           ///< of one trace
    Which waits = in_a;
    std::size_t waiting_bytes = 0;
    bool postponed = false;  ///< to a pass of its own, because too much of it waited
};

/// A file that is read from its beginning, again if need be.
class Input {
public:
    Input(const Path& file, const OpenOptions& open)
        : file_(file),
          open_(open),
          trace_(open_indexed(file, open)),
          source_(trace_ ? trace_->reader() : open_stream(file, open)),
          info_(source_->info())
    {
    }

    [[nodiscard]] const TraceInfo& info() const noexcept { return info_; }
    /// Its frames of the range from the first.
    std::unique_ptr<FrameSource> open_part(const std::optional<TimeRange>& time)
    {
        if (!time) return open_again();
        CutOptions options{.time = time, .carry_static = false};
        options.time->set_tolerance({.fixed = std::chrono::microseconds(1)});
        return trace_ ? cut(*trace_, std::move(options)) : cut(open_again(), std::move(options));
    }

private:
    std::unique_ptr<FrameSource> open_again()
    {
        if (source_) return std::move(source_);
        if (trace_) return trace_->reader();
        std::error_code none;
        if (!std::filesystem::is_regular_file(file_, none))
            throw Error(Cause::unsupported, {.file = info_.file},
                        "the channels are too far apart in the two traces, and a pipe can be read only once. Use a "
                        "file.");
        return open_stream(file_, open_);
    }

    Path file_;
    const OpenOptions& open_;
    std::shared_ptr<const Trace> trace_;  ///< if it has an index
    std::unique_ptr<FrameSource> source_;
    TraceInfo info_;
};

/// One trace in a pass, frame by frame.
class Side {
public:
    /// `only`: the other frames are skipped.
    Side(Input& input, Which which, const std::vector<ChannelPair*>& pairs, const ChannelPair* only,
         const DiffOptions& options)
        : input_(input), pairs_(pairs), only_(only), source_(input.open_part(options.time))
    {
        if (options.carry_static) source_ = expand_static(std::move(source_), counts_);
        if (only != nullptr) to_skip_ = only->compared[which];
    }

    void next(const std::stop_token& stop)
    {
        do {
            there_ = source_->read(frame_, stop);
            if (!there_ && stop.stop_requested()) throw Error(Cause::cancelled, {.file = file()}, "cancelled");
            check_channels();
        } while (there_ && is_skipped());
        time_ = there_ ? time_of(frame_, channel()) : std::nullopt;
    }
    [[nodiscard]] bool there() const noexcept { return there_; }
    [[nodiscard]] const Frame& frame() const noexcept { return frame_; }
    [[nodiscard]] std::optional<Nanoseconds> time() const noexcept { return time_; }
    [[nodiscard]] const Channel& channel() const { return input_.info().channels[frame_.channel]; }
    [[nodiscard]] ChannelPair& pair() const { return *pairs_[frame_.channel]; }
    [[nodiscard]] const Path& file() const { return input_.info().file; }
    [[nodiscard]] WaitingFrame kept() const
    {
        auto bytes = std::make_shared<std::vector<std::byte>>(frame_.bytes.begin(), frame_.bytes.end());
        auto frame = frame_;
        frame.bytes = *bytes;
        frame.owner = std::move(bytes);
        return {std::move(frame), time_};
    }

private:
    bool is_skipped()
    {
        if (only_ == nullptr) return pair().postponed;
        if (&pair() != only_) return true;
        if (to_skip_ == 0) return false;
        --to_skip_;
        return true;
    }

    /// Channels are paired before the first frame.
    void check_channels() const
    {
        const auto& channels = source_->info().channels;
        if (channels.size() == pairs_.size()) return;
        throw Error(Cause::unsupported, {.file = file()},
                    "the channel '" + channels[pairs_.size()].topic +
                        "' begins after the first frame, so it cannot be paired in a pipe. Use a file.");
    }

    const Input& input_;
    const std::vector<ChannelPair*>& pairs_;  ///< by channel
    const ChannelPair* only_;
    std::uint64_t to_skip_ = 0;
    StaticCounts counts_;  ///< borrowed by source_
    std::unique_ptr<FrameSource> source_;
    Frame frame_;
    bool there_ = false;
    std::optional<Nanoseconds> time_;
};

/// By more than the tolerance. A frame without a time is paired with the next frame of the other trace.
bool is_before(std::optional<Nanoseconds> one, std::optional<Nanoseconds> other, Nanoseconds tolerance)
{
    return one && other && *one < *other && distance(*one, *other) > tolerance;
}

/// Compares the messages of a pair of frames.
class FrameDiff {
public:
    FrameDiff(const DiffRule& rules, const DiffOptions& options, DiffResult& result, const Path& a, const Path& b)
        : options_(options),
          result_(result),
          files_{&a, &b},
          messages_(
              rules,
              [this](const std::string& field, const std::string& path, std::optional<double> distance,
                     std::string text) { add(field, path, distance, std::move(text)); },
              options.pair_by_name)
    {
    }

    void only(const ChannelPair& pair, Which which, const Frame& frame, std::optional<Nanoseconds> time)
    {
        ++(which == in_a ? result_.only_in_a : result_.only_in_b);
        count_progress();
        if (!options_.on_difference) return;
        TraceDifference difference{
            pair.channels[which]->topic, time, {}, {}, {}, which == in_a ? "only in the first" : "only in the second"};
        (which == in_a ? difference.frame_a : difference.frame_b) = frame.index;
        options_.on_difference(difference);
    }

    void compare(const ChannelPair& pair, const Frame& a, const Frame& b, std::optional<Nanoseconds> time)
    {
        pair_ = &pair;
        frames_ = {&a, &b};
        time_ = time;
        differences_ = 0;
        if (!same_bytes()) compare();
        ++(differences_ == 0 ? result_.equal : result_.different);
        count_progress();
    }

private:
    [[nodiscard]] const Channel& channel(Which which) const { return *pair_->channels[which]; }
    [[nodiscard]] MessageView view(Which which) const
    {
        return {frames_[which]->bytes, *channel(which).root, channel(which).format};
    }
    [[nodiscard]] bool same_bytes() const
    {
        return channel(in_a).format == channel(in_b).format &&
               text_of(frames_[in_a]->bytes) == text_of(frames_[in_b]->bytes);
    }

    void compare()
    {
        if (channel(in_a).root == nullptr || channel(in_b).root == nullptr) return add("", "", {}, "other bytes");
        try {
            messages_.compare(view(in_a), view(in_b));
        } catch (const Error& e) {
            throw_from_damaged_side(e);
        }
    }

    [[noreturn]] void throw_from_damaged_side(const Error& error) const
    {
        const auto damaged = is_damaged(in_b) && !is_damaged(in_a) ? in_b : in_a;
        throw within_frame(error, *frames_[damaged], *files_[damaged]);
    }
    [[nodiscard]] bool is_damaged(Which which) const
    {
        try {
            check_structure(frames_[which]->bytes, *channel(which).root, channel(which).format);
        } catch (const Error&) {
            return true;
        }
        return false;
    }

    void add(const std::string& field, const std::string& path, std::optional<double> distance, std::string text)
    {
        ++differences_;
        auto& counted = result_.fields[path];
        ++counted.count;
        if (distance) counted.largest = std::max(counted.largest, *distance);
        if (!options_.on_difference) return;
        options_.on_difference(
            {channel(in_a).topic, time_, frames_[in_a]->index, frames_[in_b]->index, field, std::move(text)});
    }

    void count_progress()
    {
        if (options_.on_progress) options_.on_progress(++progress_);
    }

    const DiffOptions& options_;
    DiffResult& result_;
    std::array<const Path*, 2> files_;
    MessageDifference messages_;
    const ChannelPair* pair_ = nullptr;  ///< what is being compared
    std::array<const Frame*, 2> frames_{};
    std::optional<Nanoseconds> time_;
    std::uint64_t differences_ = 0;
    std::uint64_t progress_ = 0;
};

/// Reads both traces side by side. A frame waits until the other trace has reached one of its channel.
class Pass {
public:
    Pass(Side& a, Side& b, std::vector<ChannelPair>& pairs, FrameDiff& frames, const DiffOptions& options)
        : sides_{&a, &b},
          pairs_(pairs),
          frames_(frames),
          max_waiting_bytes_(options.max_waiting_bytes),
          tolerance_(options.time_tolerance)
    {
    }

    void run(const std::stop_token& stop)
    {
        auto& a = *sides_[in_a];
        auto& b = *sides_[in_b];
        next(in_a, stop);
        next(in_b, stop);
        while (a.there() || b.there()) {
            const bool first = a.there() && (!b.there() || !is_before(b.time(), a.time(), tolerance_));
            const bool second = b.there() && (!a.there() || !is_before(a.time(), b.time(), tolerance_));
            const bool one_pair = a.there() && b.there() && &a.pair() == &b.pair() && a.pair().waiting.empty();
            if (first && second && one_pair) {
                compare(a.pair(), a.frame(), b.frame(), a.time());
                next(in_a, stop);
                next(in_b, stop);
            } else {
                const auto which = first ? in_a : in_b;
                one_pair ? only(sides_[which]->pair(), which, sides_[which]->frame(), sides_[which]->time())
                         : take(which);
                next(which, stop);
            }
        }
    }

private:
    void next(Which which, const std::stop_token& stop)
    {
        sides_[which]->next(stop);
        if (sides_[which]->there()) return;
        for (auto& pair : pairs_)
            while (!pair.waiting.empty() && pair.waits != which) pop_alone(pair);
    }

    void take(Which which)
    {
        const auto& side = *sides_[which];
        auto& pair = side.pair();
        while (!pair.waiting.empty() && pair.waits != which) {
            const auto& head = pair.waiting.front();
            if (is_before(head.time, side.time(), tolerance_)) {
                pop_alone(pair);
                continue;
            }
            if (is_before(side.time(), head.time, tolerance_)) return only(pair, which, side.frame(), side.time());
            if (which == in_a)
                compare(pair, side.frame(), head.frame, side.time());
            else
                compare(pair, head.frame, side.frame(), head.time);
            return pop(pair);
        }
        if (!sides_[other(which)]->there() || pair.channels[other(which)] == nullptr)
            return only(pair, which, side.frame(), side.time());
        pair.waits = which;
        add(pair, side.kept());
    }

    void add(ChannelPair& pair, WaitingFrame frame)
    {
        const auto bytes = sizeof(WaitingFrame) + frame.frame.bytes.size();
        pair.waiting_bytes += bytes;
        waiting_bytes_ += bytes;
        pair.waiting.push_back(std::move(frame));
        if (waiting_bytes_ <= max_waiting_bytes_) return;
        auto& largest = *std::ranges::max_element(pairs_, {}, &ChannelPair::waiting_bytes);
        largest.postponed = true;
        while (!largest.waiting.empty()) pop(largest);
    }

    void pop(ChannelPair& pair)
    {
        const auto bytes = sizeof(WaitingFrame) + pair.waiting.front().frame.bytes.size();
        pair.waiting_bytes -= bytes;
        waiting_bytes_ -= bytes;
        pair.waiting.pop_front();
    }

    void pop_alone(ChannelPair& pair)
    {
        only(pair, pair.waits, pair.waiting.front().frame, pair.waiting.front().time);
        pop(pair);
    }

    void only(ChannelPair& pair, Which which, const Frame& frame, std::optional<Nanoseconds> time)
    {
        frames_.only(pair, which, frame, time);
        ++pair.compared[which];
    }

    void compare(ChannelPair& pair, const Frame& a, const Frame& b, std::optional<Nanoseconds> time)
    {
        frames_.compare(pair, a, b, time);
        for (auto& compared : pair.compared) ++compared;
    }

    std::array<Side*, 2> sides_;
    std::vector<ChannelPair>& pairs_;
    FrameDiff& frames_;
    std::size_t max_waiting_bytes_;
    Nanoseconds tolerance_;
    std::size_t waiting_bytes_ = 0;
};

/// Throws Error (usage, mismatch) for a path that no channel has, before any work.
void check_paths(const TraceInfo& info, const DiffOptions& options)
{
    auto paths = options.ignored;
    for (const auto& [path, tolerance] : options.tolerances) paths.push_back(path);
    for (const auto& path : paths) {
        std::optional<Error> problem;
        bool found = false;
        for (const auto& channel : info.channels) {
            if (channel.root == nullptr) continue;
            try {
                static_cast<void>(path_to_every_element(*channel.root, path));
                found = true;
            } catch (const Error& e) {
                problem = e;
            }
        }
        if (found || !problem) continue;
        // Where another message type has the path, the files are not those that were meant.
        throw is_path_of_osi(path) ? Error(Cause::mismatch, {.file = info.file}, problem->reason()) : *problem;
    }
}

void check_types(const Channel& a, const Channel& b, const Path& file_a, const Path& file_b)
{
    if (a.type_name == b.type_name) return;
    throw Error(Cause::mismatch, "found " + a.type_name + " in " + file_a.string() + " and " + b.type_name + " in " +
                                     file_b.string() + " (expected one type). Use 'osiconvert wrap' first.");
}

/// Channels with the same topic are paired in their order.
std::vector<ChannelPair> pairs_of(const TraceInfo& a, const TraceInfo& b)
{
    std::vector<ChannelPair> pairs;
    if (a.channels.size() == 1 && b.channels.size() == 1) {
        pairs.emplace_back().channels = {&a.channels.front(), &b.channels.front()};
        return pairs;
    }
    std::multimap<std::string_view, std::size_t> alone;  // places in `pairs`; equal topics stay in their order
    for (const auto& channel : a.channels) {
        alone.emplace(channel.topic, pairs.size());
        pairs.emplace_back().channels[in_a] = &channel;
    }
    for (const auto& channel : b.channels) {
        const auto first = alone.lower_bound(channel.topic);
        const bool found = first != alone.end() && first->first == channel.topic;
        (found ? pairs[first->second] : pairs.emplace_back()).channels[in_b] = &channel;
        if (found) alone.erase(first);
    }
    return pairs;
}

/// By channel of one of the traces.
std::vector<ChannelPair*> by_channel(std::vector<ChannelPair>& pairs, const TraceInfo& info, Which which)
{
    std::vector<ChannelPair*> result(info.channels.size());
    for (auto& pair : pairs)
        if (const auto* const channel = pair.channels[which])
            result[static_cast<std::size_t>(channel - info.channels.data())] = &pair;
    return result;
}

}  // namespace

DiffResult diff(const Path& a, const Path& b, const OpenOptions& open, const DiffOptions& options, std::stop_token stop)
{
    const auto rules = compile_rules(options);
    Input input_a(a, open);
    Input input_b(b, open);
    check_paths(input_a.info(), options);
    auto pairs = pairs_of(input_a.info(), input_b.info());
    for (const auto& pair : pairs)
        if (pair.channels[in_a] != nullptr && pair.channels[in_b] != nullptr)
            check_types(*pair.channels[in_a], *pair.channels[in_b], a, b);
    const auto pairs_a = by_channel(pairs, input_a.info(), in_a);
    const auto pairs_b = by_channel(pairs, input_b.info(), in_b);
    DiffResult result;
    FrameDiff frames(rules, options, result, input_a.info().file, input_b.info().file);
    const auto read_both = [&](const ChannelPair* only) {
        Side side_a(input_a, in_a, pairs_a, only, options);
        Side side_b(input_b, in_b, pairs_b, only, options);
        Pass(side_a, side_b, pairs, frames, options).run(stop);
    };
    read_both(nullptr);
    for (const auto& pair : pairs)
        if (pair.postponed) read_both(&pair);
    return result;
}

}  // namespace ositrace
