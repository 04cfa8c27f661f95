// SPDX-License-Identifier: MPL-2.0
#include <ositrace/frame_error.hpp>
#include <ositrace/trace_difference.hpp>

#include <algorithm>
#include <memory>

#include <ositrace/edit_cut.hpp>
#include <ositrace/edit_static.hpp>
#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>

#include "lib/edit/edit_source.hpp"
#include "lib/edit/message_difference.hpp"

namespace ositrace {

namespace {

using Path = std::filesystem::path;

/// A file that is read once per pair of channels.
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
    /// Its frames from the first.
    std::unique_ptr<FrameSource> open_again()
    {
        if (source_) return std::move(source_);
        if (trace_) return trace_->reader();
        std::error_code none;
        if (!std::filesystem::is_regular_file(file_, none))
            throw Error(Cause::usage, {.file = info_.file, .frame = {}, .offset = {}, .field = {}},
                        "has several channels, which are compared one after the other, but a pipe can be read only "
                        "once. Use a file.");
        return open_stream(file_, open_);
    }

    /// Without channels no pair reads the file: damage would not be found.
    void read_without_channels(const std::stop_token& stop)
    {
        if (!info_.channels.empty()) return;
        const auto source = open_again();
        for (Frame frame; source->read(frame, stop);) {
        }
    }

private:
    Path file_;
    const OpenOptions& open_;
    std::shared_ptr<const Trace> trace_;  ///< if it has an index
    std::unique_ptr<FrameSource> source_;
    TraceInfo info_;
};

/// One channel of a file, frame by frame.
class Side {
public:
    Side(std::unique_ptr<FrameSource> source, std::uint32_t channel, const DiffOptions& options)
        : whole_(*source), channels_(source->info().channels.size())
    {
        CutOptions only;
        only.channel = channel;
        only.carry_static = false;
        source_ = cut(std::move(source), only);
        if (options.carry_static) source_ = expand_static(std::move(source_), *counts_);
    }

    void next(const std::stop_token& stop)
    {
        there_ = source_->read(frame_, stop);
        if (!there_ && stop.stop_requested())
            throw Error(Cause::cancelled, {.file = file(), .frame = {}, .offset = {}, .field = {}}, "cancelled");
        if (!there_) check_channels();
        time_ = there_ ? time_of(frame_, channel()) : std::nullopt;
    }
    [[nodiscard]] bool there() const noexcept { return there_; }
    [[nodiscard]] const Frame& frame() const noexcept { return frame_; }
    [[nodiscard]] std::optional<Nanoseconds> time() const noexcept { return time_; }
    [[nodiscard]] const Channel& channel() const { return source_->info().channels.front(); }
    [[nodiscard]] const Path& file() const { return source_->info().file; }
    [[nodiscard]] MessageView view() const { return {frame_.bytes, *channel().root, channel().format}; }

private:
    /// Channels are paired before the first frame.
    void check_channels() const
    {
        const auto& channels = whole_.info().channels;
        if (channels.size() == channels_) return;
        throw Error(Cause::unsupported, {.file = file(), .frame = {}, .offset = {}, .field = {}},
                    "the channel '" + channels[channels_].topic +
                        "' begins after the first frame, so it cannot be paired in a pipe. Use a file.");
    }

    const FrameSource& whole_;  ///< owned by source_
    std::size_t channels_;
    std::unique_ptr<StaticCounts> counts_ =
        std::make_unique<StaticCounts>();  ///< borrowed by source_, while this object is moved
    std::unique_ptr<FrameSource> source_;
    Frame frame_;
    bool there_ = false;
    std::optional<Nanoseconds> time_;
};

class ChannelDiff {
public:
    ChannelDiff(Side& a, Side& b, const DiffRule& rules, const DiffOptions& options, DiffResult& result)
        : a_(a),
          b_(b),
          options_(options),
          result_(result),
          messages_(rules, [this](const std::string& field, const std::string& path, std::optional<double> distance,
                                  std::string text) { add(field, path, distance, std::move(text)); })
    {
    }

    void run(const std::stop_token& stop)
    {
        a_.next(stop);
        b_.next(stop);
        while (a_.there() || b_.there()) {
            const bool first = a_.there() && (!b_.there() || !is_before(b_, a_));
            const bool second = b_.there() && (!a_.there() || !is_before(a_, b_));
            if (first && second)
                pair();
            else if (first)
                only(a_, result_.only_in_a, "only in the first");
            else
                only(b_, result_.only_in_b, "only in the second");
            if (first) a_.next(stop);
            if (second) b_.next(stop);
            if (options_.on_progress) options_.on_progress(++frames_);
        }
    }

private:
    /// A frame without a time is paired with the next frame of the other side.
    static bool is_before(const Side& one, const Side& other)
    {
        return one.time() && other.time() && *one.time() < *other.time();
    }

    void only(const Side& side, std::uint64_t& count, std::string text)
    {
        ++count;
        TraceDifference difference{side.channel().topic, side.time(), {}, {}, {}, std::move(text)};
        (&side == &a_ ? difference.frame_a : difference.frame_b) = side.frame().index;
        if (options_.on_difference) options_.on_difference(difference);
    }

    void pair()
    {
        differences_ = 0;
        if (!same_bytes()) compare();
        ++(differences_ == 0 ? result_.equal : result_.different);
    }

    [[nodiscard]] bool same_bytes() const
    {
        return a_.channel().format == b_.channel().format && text_of(a_.frame().bytes) == text_of(b_.frame().bytes);
    }

    void compare()
    {
        if (a_.channel().root == nullptr || b_.channel().root == nullptr) return add("", "", {}, "other bytes");
        try {
            messages_.compare(a_.view(), b_.view());
        } catch (const Error& e) {
            throw_from_damaged_side(e);
        }
    }

    /// The damaged message is the one that cannot be compared with itself.
    [[noreturn]] void throw_from_damaged_side(const Error& error) const
    {
        const DiffRule none;
        try {
            MessageDifference(none, [](auto&&...) {}).compare(a_.view(), a_.view());
        } catch (const Error&) {
            throw within_frame(error, a_.frame(), a_.file());
        }
        throw within_frame(error, b_.frame(), b_.file());
    }

    void add(const std::string& field, const std::string& path, std::optional<double> distance, std::string text)
    {
        ++differences_;
        auto& counted = result_.fields[path];
        ++counted.count;
        if (distance) counted.largest = std::max(counted.largest, *distance);
        if (!options_.on_difference) return;
        options_.on_difference(
            {a_.channel().topic, a_.time(), a_.frame().index, b_.frame().index, field, std::move(text)});
    }

    Side& a_;
    Side& b_;
    const DiffOptions& options_;
    DiffResult& result_;
    MessageDifference messages_;
    std::uint64_t differences_ = 0;
    std::uint64_t frames_ = 0;
};

/// `moving_object.base` in the syntax of FieldPath: `moving_object[*].base`. FieldPath reports unknown parts.
std::string with_elements(const MessageTable& root, std::string_view path)
{
    std::string text;
    const auto* table = &root;
    while (!path.empty()) {
        const auto part = path.substr(0, path.find('.'));
        const auto* const row = table == nullptr ? nullptr : table->find(part);
        table = row == nullptr ? nullptr : row->child;
        text.append(text.empty() ? "" : ".").append(part).append(row != nullptr && row->repeated ? "[*]" : "");
        path.remove_prefix(std::min(part.size() + 1, path.size()));
    }
    return text;
}

/// Throws Error (usage) for a path that no channel has, before any work.
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
                static_cast<void>(FieldPath::compile(*channel.root, with_elements(*channel.root, path)));
                found = true;
            } catch (const Error& e) {
                problem = e;
            }
        }
        if (!found && problem) throw *problem;
    }
}

/// The channel of `in` that a channel is compared with. Channels with the same topic are paired in their order.
std::optional<std::uint32_t> partner(const TraceInfo& of, std::uint32_t channel, const TraceInfo& in)
{
    if (of.channels.size() == 1 && in.channels.size() == 1) return 0;
    const auto& topic = of.channels[channel].topic;
    auto before = std::count_if(of.channels.begin(), of.channels.begin() + channel,
                                [&](const Channel& other) { return other.topic == topic; });
    for (std::uint32_t i = 0; i < in.channels.size(); ++i)
        if (in.channels[i].topic == topic && before-- == 0) return i;
    return std::nullopt;
}

void check_types(const Channel& a, const Channel& b, const Path& file_a, const Path& file_b)
{
    if (a.type_name == b.type_name) return;
    throw Error(Cause::mismatch, "found " + a.type_name + " in " + file_a.string() + " and " + b.type_name + " in " +
                                     file_b.string() + " (expected one type). Use 'osiconvert wrap' first.");
}

void count_all(Side side, std::uint64_t& count, bool first, const DiffOptions& options, const std::stop_token& stop)
{
    for (side.next(stop); side.there(); side.next(stop)) {
        ++count;
        if (!options.on_difference) continue;
        TraceDifference difference{
            side.channel().topic, side.time(), {}, {}, {}, first ? "only in the first" : "only in the second"};
        (first ? difference.frame_a : difference.frame_b) = side.frame().index;
        options.on_difference(difference);
    }
}

}  // namespace

DiffResult diff(const Path& a, const Path& b, const OpenOptions& open, const DiffOptions& options, std::stop_token stop)
{
    const auto rules = compile_rules(options);
    Input in_a(a, open);
    Input in_b(b, open);
    const auto& info_a = in_a.info();
    const auto& info_b = in_b.info();
    check_paths(info_a, options);
    for (std::uint32_t i = 0; i < info_a.channels.size(); ++i)
        if (const auto other = partner(info_a, i, info_b))
            check_types(info_a.channels[i], info_b.channels[*other], a, b);
    in_a.read_without_channels(stop);
    in_b.read_without_channels(stop);
    DiffResult result;
    for (std::uint32_t i = 0; i < info_a.channels.size(); ++i) {
        const auto other = partner(info_a, i, info_b);
        Side side_a(in_a.open_again(), i, options);
        if (!other) {
            count_all(std::move(side_a), result.only_in_a, true, options, stop);
            continue;
        }
        Side side_b(in_b.open_again(), *other, options);
        ChannelDiff(side_a, side_b, rules, options, result).run(stop);
    }
    for (std::uint32_t i = 0; i < info_b.channels.size(); ++i)
        if (!partner(info_b, i, info_a))
            count_all(Side(in_b.open_again(), i, options), result.only_in_b, false, options, stop);
    return result;
}

}  // namespace ositrace
