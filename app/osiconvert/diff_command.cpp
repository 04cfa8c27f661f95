// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include <ositrace/error.hpp>
#include <ositrace/trace_difference.hpp>
#include <ositrace/trajectory_difference.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/near_word.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// `moving_object.base.position=0.001`
std::pair<std::string, double> parse_tolerance(const std::string& text)
{
    const auto equals = text.rfind('=');
    double value = -1;
    if (equals != std::string::npos) {
        const auto* const end = text.data() + text.size();
        const auto [after, error] = std::from_chars(text.data() + equals + 1, end, value);
        if (error != std::errc{} || after != end) value = -1;
    }
    if (!(value >= 0))
        throw Error(Cause::usage, "'" + text + "' is not PATH=EPS, as in moving_object.base.position=0.001");
    return {text.substr(0, equals), value};
}

class DiffCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "diff",
                .summary = "compare two traces by content",
                .usage = {"diff A B [--tolerance PATH=EPS]... [--ignore PATH]... [--carry-static] "
                          "[--summary | --list-frames]"},
                .notes = {"Frames are paired by their times, elements by their ids; containers and encodings may "
                          "differ. Exit code 3 if they differ.",
                          "PATH names a field of every element, and its subfields: moving_object.base.position of a "
                          "GroundTruth,",
                          "global_ground_truth.moving_object.base.position of a SensorView."},
                .examples = {
                    "diff drive.osi drive.osifb",
                    "diff drive.osi drive.mcap --summary --tolerance global_ground_truth.moving_object.base=1e-6",
                    "diff drive.osi drive.mcap --ignore version --ignore global_ground_truth.environmental_conditions",
                    "diff compact.osi expanded.osi --carry-static --list-frames",
                    "diff esmini.osi other.osi --pair-by name --ignore moving_object.id"}};
    }
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    /// A frame that differs, or that only one of the traces has.
    struct DifferingFrame {
        TraceDifference first;
        std::uint64_t differences = 1;
    };

    void report(const TraceDifference& difference);
    void note_frame(const TraceDifference& difference);
    void finish_frame();
    [[nodiscard]] std::string end_of(const DiffResult& result) const;
    [[nodiscard]] std::string json_of(const DiffResult& result) const;

    std::vector<std::string> files_;
    InputOptions input_;
    DiffOptions options_;
    ExitCode compare_ways(const OpenOptions& open, const Interrupt& interrupt);

    bool trajectory_ = false;
    bool summary_ = false;
    bool list_frames_ = false;
    bool json_ = false;
    std::optional<std::uint64_t> listed_most_;
    std::uint64_t reported_ = 0;
    std::vector<TraceDifference> listed_;
    std::optional<DifferingFrame> frame_;  ///< with list_frames_: the one whose differences are being counted
    std::vector<DifferingFrame> frames_;   ///< with list_frames_ and json_
};

void DiffCommand::declare(Options& options)
{
    options.words("A and B", files_, 2, 2);
    options.options("--tolerance", "PATH=EPS", "numbers at PATH and its subfields may differ by EPS; repeatable",
                    [this](const std::string& text) {
                        options_.tolerances.insert_or_assign(parse_tolerance(text).first, parse_tolerance(text).second);
                    });
    options.options("--ignore", "PATH", "do not compare PATH; repeatable",
                    [this](const std::string& path) { options_.ignored.push_back(path); });
    options.option("--pair-by", "KEY", "id (default) | name: pair objects that have a name by it, the others by id",
                   [this](const std::string& key) {
                       if (key != "id" && key != "name") throw unknown_word("key", key, {"id", "name"});
                       options_.pair_by_name = key == "name";
                   });
    options.flag("--trajectory", trajectory_,
                 "compare where the moving objects are instead: the lag, and the errors along and across their way");
    options.flag("--summary", summary_, "print the number of differences per field");
    options.flag("--list-frames", list_frames_,
                 "print one line per differing frame, with the number of its differences");
    options.option("--differences", "N", "list at most N differences (default 1000 in JSON, else all); all are counted",
                   [this](const std::string& count) { listed_most_ = parse_count(count); });
    options.option("--time", "A:B",
                   "frames from time A until before B, within 1 us: 3.5 (seconds), 90s, 1m; +T from the start, -T from "
                   "the end",
                   [this](const std::string& text) { options_.time = TimeRange::parse(text); });
    options.option("--time-tolerance", "S",
                   "frames whose times differ by at most S seconds are a pair (default 0.000001). With half a step or "
                   "more a frame "
                   "may be paired with a neighbour of its own.",
                   [this](const std::string& text) {
                       const auto tolerance = TimeTolerance::parse(text).fixed;
                       if (!tolerance) throw Error(Cause::usage, "diff takes a time tolerance in seconds, not " + text);
                       options_.time_tolerance = *tolerance;
                   });
    options.flag("--carry-static", options_.carry_static,
                 "compare each frame with the static data that it inherits from earlier frames");
    input_.declare(options);
    declare_json(options, json_, "print the result as JSON");
}

/// `0.013`, `1.2e-16`
std::string distance_text(double value)
{
    constexpr int digits = 3;
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

/// `frame 12 against 13 at 0.396 s of SensorView: `
std::string frame_text(const TraceDifference& difference)
{
    std::string line = "frame ";
    line += std::to_string(difference.frame_a ? *difference.frame_a : *difference.frame_b);
    if (difference.frame_a && difference.frame_b && *difference.frame_a != *difference.frame_b)
        line += " against " + std::to_string(*difference.frame_b);
    if (difference.time) line += " at " + rounded_seconds_text(*difference.time);
    if (!difference.topic.empty()) line += " of " + difference.topic;
    return line + ": ";
}

/// `frame 12 against 13 at 0.396 s: moving_object[id=3].base.position.x: 1.5 against 1.25`
void DiffCommand::report(const TraceDifference& difference)
{
    constexpr std::uint64_t most_in_json = 1000;
    if (list_frames_) note_frame(difference);
    if (reported_++ >= listed_most_.value_or(json_ ? most_in_json : UINT64_MAX)) return;
    if (json_) {
        listed_.push_back(difference);
        return;
    }
    if (summary_ || list_frames_) return;
    const auto field = difference.field + (difference.field.empty() ? "" : ": ");
    print(printable(frame_text(difference) + field + difference.text) + '\n');
}

/// The differences of a frame arrive in succession.
void DiffCommand::note_frame(const TraceDifference& difference)
{
    const auto frame_of = [](const TraceDifference& d) { return std::tie(d.topic, d.frame_a, d.frame_b); };
    if (frame_ && frame_of(frame_->first) == frame_of(difference)) {
        ++frame_->differences;
        return;
    }
    finish_frame();
    frame_ = DifferingFrame{difference};
}

/// `frame 12 at 0.396 s of SensorView: 3 differences`
void DiffCommand::finish_frame()
{
    if (!frame_) return;
    const auto& first = frame_->first;
    const auto text = first.frame_a && first.frame_b ? count_text(frame_->differences, "difference") : first.text;
    if (!json_)
        print(printable(frame_text(first) + text) + '\n');
    else
        frames_.push_back(std::move(*frame_));
    frame_.reset();
}

std::string DiffCommand::end_of(const DiffResult& result) const
{
    std::string text;
    if (summary_) {
        for (const auto& [path, field] : result.fields) {
            text += (path.empty() ? "(whole messages)" : path) + ": " + count_text(field.count, "difference");
            if (field.largest > 0) text += ", up to " + distance_text(field.largest);
            text += '\n';
        }
    }
    text += count_text(result.equal, "frame") + " equal, " + std::to_string(result.different) + " different";
    if (result.only_in_a != 0)
        text += ", " + std::to_string(result.only_in_a) + " only in " + shown_file(files_.front(), "standard input");
    if (result.only_in_b != 0)
        text += ", " + std::to_string(result.only_in_b) + " only in " + shown_file(files_.back(), "standard input");
    return text + '\n';
}

/// What the entries of `frames` and `differences` have in common.
void begin_place(JsonWriter& json, const TraceDifference& difference)
{
    json.begin_object().member("topic", difference.topic).key("time");
    difference.time ? json.nanoseconds(difference.time->count()) : json.null();
    json.member("frame_a", difference.frame_a).member("frame_b", difference.frame_b);
}

std::string DiffCommand::json_of(const DiffResult& result) const
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).member("a", files_.front()).member("b", files_.back());
    json.member("same", result.same()).member("equal", result.equal).member("different", result.different);
    json.member("only_in_a", result.only_in_a).member("only_in_b", result.only_in_b).key("fields").begin_array();
    for (const auto& [path, field] : result.fields)
        json.begin_object()
            .member("field", path)
            .member("differences", field.count)
            .member("largest", field.largest)
            .end_object();
    json.end_array().key("differences").begin_array();
    for (const auto& difference : listed_) {
        begin_place(json, difference);
        json.member("field", difference.field).member("text", difference.text).end_object();
    }
    json.end_array();
    if (list_frames_) {
        json.key("frames").begin_array();
        for (const auto& frame : frames_) {
            const bool is_pair = frame.first.frame_a && frame.first.frame_b;
            begin_place(json, frame.first);
            json.member("differences", is_pair ? std::optional(frame.differences) : std::nullopt).end_object();
        }
        json.end_array();
    }
    return json.end_object().text();
}

/// `moving_object[id=3]: lag 0.04 s; longitudinal -0.4 m (largest -1.1), ...`
std::string line_of_way(const TrajectoryDifference& way)
{
    if (way.frames_b == 0 || way.frames_a == 0)
        return way.object + (way.frames_b == 0 ? ": only in the first" : ": only in the second");
    if (way.compared == 0) return way.object + ": at no time in both";
    const auto metres = [](double value) {
        constexpr double least = 1e-9;  // less is the rounding of the numbers
        return distance_text(std::abs(value) < least ? 0 : value);
    };
    const auto error = [&](std::string_view name, const ErrorOverTime& of) {
        return "; " + std::string(name) + ' ' + metres(of.mean) + " m (rms " + metres(of.rms) + ", largest " +
               metres(of.largest) + ")";
    };
    return way.object + ": lag " + (way.lag ? distance_text(*way.lag) + " s" : std::string("unknown")) +
           error("longitudinal", way.longitudinal) + error("lateral", way.lateral) + "; distance rms " +
           metres(way.distance_rms) + " m, " + metres(way.distance_rms_at_lag) + " m at the lag, " +
           metres(way.final_distance) + " m at the end; " + count_text(way.compared, "frame");
}

std::string json_of_ways(const std::vector<TrajectoryDifference>& ways, bool is_same)
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).member("same", is_same).key("objects").begin_array();
    const auto error = [&](std::string_view name, const ErrorOverTime& of) {
        json.key(name).begin_object().member("mean", of.mean).member("rms", of.rms).member("largest", of.largest);
        json.end_object();
    };
    for (const auto& way : ways) {
        json.begin_object()
            .member("object", way.object)
            .member("frames_a", way.frames_a)
            .member("frames_b", way.frames_b)
            .member("compared", way.compared)
            .member("lag", way.lag);
        error("longitudinal", way.longitudinal);
        error("lateral", way.lateral);
        json.member("distance_rms", way.distance_rms)
            .member("distance_rms_at_lag", way.distance_rms_at_lag)
            .member("final_distance", way.final_distance)
            .end_object();
    }
    return json.end_array().end_object().text();
}

ExitCode DiffCommand::compare_ways(const OpenOptions& open, const Interrupt& interrupt)
{
    const auto ways =
        compare_trajectories(files_.front(), files_.back(), open,
                             {.pair_by_name = options_.pair_by_name, .time = options_.time}, interrupt.token());
    const bool is_same = std::ranges::all_of(ways, [](const TrajectoryDifference& way) {
        return way.compared == way.frames_a && way.frames_a == way.frames_b && !(way.distance_rms > 0);
    });
    if (json_) {
        print(json_of_ways(ways, is_same));
    } else {
        for (const auto& way : ways) print(printable(line_of_way(way)) + '\n');
    }
    return is_same ? ExitCode::success : ExitCode::findings;
}

ExitCode DiffCommand::run(Messages& messages)
{
    if (files_.front() == "-" && files_.back() == "-")
        throw Error(Cause::usage, "standard input can be only one of the two");
    const bool has_fields = !options_.tolerances.empty() || !options_.ignored.empty() || options_.carry_static;
    if (trajectory_ && (summary_ || list_frames_ || listed_most_ || has_fields))
        throw Error(Cause::usage, "--trajectory compares no fields: it takes --pair-by and --time");
    if (summary_ && list_frames_) throw Error(Cause::usage, "--summary and --list-frames exclude each other");
    const Interrupt interrupt;
    auto open = input_.open_options(messages);
    open.stop = interrupt.token();
    if (trajectory_) return compare_ways(open, interrupt);
    options_.on_difference = [this](const TraceDifference& difference) { report(difference); };
    const auto started = std::chrono::steady_clock::now();
    options_.on_progress = [&](std::uint64_t frames) {
        messages.progress(
            {shown_file(files_.front(), "standard input"), frames, {}, {}, std::chrono::steady_clock::now() - started});
    };
    const auto result = diff(files_.front(), files_.back(), open, options_, interrupt.token());
    finish_frame();
    messages.clear_progress();
    if (json_)
        print(json_of(result));
    else if (!messages.quiet)
        print(end_of(result));
    return result.same() ? ExitCode::success : ExitCode::findings;
}

}  // namespace

std::unique_ptr<Command> diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace ositrace::app
