// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/play_request.hpp"

#include <algorithm>
#include <charconv>

#include <ositrace/error.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"
#include "app/terminal/static_text.hpp"

namespace ositrace::app {
namespace {

Error usage(const std::string& reason) { return {Cause::usage, reason}; }

std::optional<double> parse_rate(const std::string& text)
{
    if (text == "max") return std::nullopt;
    double rate = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(rate >= Timeline::min_rate && rate <= Timeline::max_rate))
        throw usage("'" + text + "' is not a number from 0.1 to 100, or max");
    return rate;
}

bool parse_choice(const std::string& text, const std::string& yes, const std::string& no)
{
    if (text != yes && text != no) throw usage("'" + text + "' is not " + yes + " or " + no);
    return text == yes;
}

/// `5ms`, `200us`, `0.5s`. With its unit: 5 would be seconds, and milliseconds are meant.
Nanoseconds parse_lateness(const std::string& text)
{
    const auto time = text.find_first_not_of("0123456789.:") == std::string::npos ? std::nullopt : parse_duration(text);
    if (!time) throw usage("'" + text + "' is not a duration (5ms, 200us, 0.5s)");
    return *time;
}

void parse_limit(const std::string& text, PlayLimits& limits)
{
    constexpr std::string_view late = "late=";
    if (text == "lost")
        limits.lost = true;
    else if (text.starts_with(late))
        limits.late = parse_lateness(text.substr(late.size()));
    else
        throw usage("'" + text + "' is not lost or late=DURATION (late=5ms)");
}

/// Also of files that are not there yet, and through links.
bool are_the_same(const std::filesystem::path& a, const std::filesystem::path& b)
{
    if (is_standard_output(a) || is_standard_output(b)) return is_standard_output(a) && is_standard_output(b);
    std::error_code none;
    const auto name_of = [&](const std::filesystem::path& file) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(file), none);
    };
    return std::filesystem::equivalent(a, b, none) || name_of(a) == name_of(b);
}

void check_files(const std::vector<std::filesystem::path>& inputs, const std::vector<std::filesystem::path>& outputs)
{
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        refuse_inputs(*output, inputs);
        const auto part = output->string() + ".part";  // where a recording grows
        refuse_inputs(part, inputs);
        const auto same = std::find_if(outputs.begin(), outputs.end(), [&](const auto& other) {
            return &other < &*output ? are_the_same(other, *output) : &other != &*output && are_the_same(other, part);
        });
        if (same != outputs.end())
            throw usage("two outputs go to '" + output->string() + "'; give each a file of its own");
    }
}

}  // namespace

void PlayRequest::declare(Options& options)
{
    options.words("TRACE", words, 1, 1);
    declare_sinks(options);
    options.option("--rate", "X",
                   "trace seconds per second, 0.1 to 100, or max: time waits for the sinks (default: 1 with a live "
                   "sink, else max)",
                   [this](const std::string& text) {
                       given_rate = parse_rate(text);
                       rate_is_given = true;
                   });
    options.option(
        "--late", "WHAT",
        "deliver (default): late frames come late, none is lost | drop: left out when the next is due, and counted",
        [this](const std::string& text) { drop_late = parse_choice(text, "drop", "deliver"); });
    options.options("--fail-on", "WHAT",
                    "exit with 3 on: lost (also in a network) | late=DURATION (a frame later than 5ms, 200us, ...)",
                    [this](const std::string& text) { parse_limit(text, limits); });
    options.option("--step-size", "S",
                   "step every S seconds with the last frame at or before, instead of at the frames' own times",
                   [this](const std::string& text) {
                       step_size = Nanoseconds(parse_seconds(text));
                       if (*step_size <= Nanoseconds(0)) throw usage("'" + text + "' is not more than 0 seconds");
                   });
    options.option("--start-time", "T",
                   "models begin at T seconds of OSI time, before the first frame (default: a median step before it)",
                   [this](const std::string& text) { start_time = Nanoseconds(parse_seconds(text)); });
    time.declare(options, "play");
    options.option("--loop", "N", "play N times over; 0: for ever",
                   [this](const std::string& text) { rounds = parse_count(text, 0, Timeline::max_rounds); });
    options.option("--topic", "REGEX", "channels whose topic has a match of this regular expression",
                   [this](const std::string& text) { topic.emplace(text); });
    options.option("--static", "WHAT",
                   "carry (default): a map that was sent once goes into the first frame played, of every round | drop",
                   [this](const std::string& text) { carry_static = parse_static_choice(text); });
    options.flag("--follow", follow, "a file that another process appends to: wait for more until Ctrl-C");
    options.flag("--skip-bad-frames", skip_bad_frames,
                 "leave out damaged frames, report them and exit with 3, instead of ending there");
    options.option("--log", "FILE",
                   "write when every frame was due, handed on and taken: the JSON of the OSI performance studies",
                   [this](const std::string& file) { log = file; });
    options.flag("--report", report,
                 "print frames, lateness (mean, p50, p99, max), late and lost frames, processor time");
    declare_json(options, json, "print the report as JSON");
    declare_overwrite(options, overwrite);
    input.declare(options);
}

void PlayRequest::declare_sinks(Options& options)
{
    options.options("--sink", "SINK", "where to; may be given again: " + sink_forms(" | "),
                    [this](const std::string& word) { add_sink(word); });
    const auto of_sink = [&](std::string name, std::string value, std::string help) {
        options.options(name, std::move(value), std::move(help),
                        [this, name](const std::string& text) { add_sink_option(name, text); });
    };
    of_sink("--set", "NAME=VALUE", "a parameter of the sink before it");
    of_sink("--connect", "TOPIC=VARIABLE", "which channel goes to which input of the sink before it");
    of_sink("--timeout", "S", "how long a step of the sink before it may take (default: 10)");
    options.flags("--in-process", "load the FMU before it into this process instead of a child",
                  [this] { add_sink_option("--in-process", {}); });
}

void PlayRequest::add_sink(const std::string& word)
{
    const auto& kind = sink_kind_of(word);
    const auto rest = word.substr(kind.prefix.size());
    sinks.push_back({&kind, {word, rest, split_sink_file(rest, kind.words), {}}});
}

void PlayRequest::add_sink_option(const std::string& name, const std::string& value)
{
    if (sinks.empty()) throw usage("belongs to the sink before it, and there is none: --sink comes first");
    const SinkOption option{name, value};
    check_sink_option(*sinks.back().kind, option);
    sinks.back().request.options.push_back(option);
}

std::optional<double> PlayRequest::rate() const
{
    if (rate_is_given) return given_rate;
    if (is_live()) return std::nullopt;  // its messages come when they come
    const bool live =
        std::ranges::any_of(sinks, [](const RequestedSink& sink) { return sink.kind->role == SinkRole::live; });
    return live ? std::optional(1.0) : std::nullopt;
}

bool PlayRequest::is_stream() const
{
    if (is_live()) return true;
    std::error_code none;
    const auto file = trace();
    return follow || file == "-" ||
           (std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none));
}

std::vector<std::filesystem::path> PlayRequest::inputs() const
{
    std::vector<std::filesystem::path> files{trace()};
    for (const auto& [kind, request] : sinks)
        if (kind->role == SinkRole::model) files.push_back(request.file.file);
    return files;
}

std::vector<std::filesystem::path> PlayRequest::outputs() const
{
    std::vector<std::filesystem::path> files;
    for (const auto& [kind, request] : sinks)
        if (kind->role == SinkRole::record)
            files.push_back(request.file.file);
        else if (const auto values = request.file.words.find("outputs"); values != request.file.words.end())
            files.emplace_back(values->second);
    if (log) files.push_back(*log);
    return files;
}

bool PlayRequest::has_models() const
{
    return std::ranges::any_of(sinks, [](const RequestedSink& sink) { return sink.kind->role == SinkRole::model; });
}

bool PlayRequest::has_models_in_process() const
{
    return std::ranges::any_of(sinks, [](const RequestedSink& sink) {
        return std::ranges::find(sink.request.options, "--in-process", &SinkOption::name) != sink.request.options.end();
    });
}

bool PlayRequest::is_unbounded() const
{
    std::error_code none;
    return is_stream() && (follow || !std::filesystem::is_regular_file(trace() == "-" ? "/dev/stdin" : trace(), none));
}

void PlayRequest::check() const
{
    if (sinks.empty()) throw usage("nowhere to play to: name a --sink (" + sink_forms(", ") + ")");
    for (const auto& [kind, request] : sinks)
        if (kind->role == SinkRole::record) check_trace_output(request.file.file, json || report);
    if (log && *log == "-" && (json || report))
        throw usage("--log on standard output goes with neither --json nor --report");
    check_files(inputs(), outputs());
    const auto at_a_rate = rate().has_value();
    if (drop_late && !at_a_rate)
        throw usage("--late drop needs a --rate: at max time waits for the sinks and no frame is late");
    if (limits.late && !at_a_rate)
        throw usage("--fail-on late needs a --rate: at max time waits for the sinks and no frame is late");
    if (is_stream() && rounds != 1) throw usage("--loop needs a file: what comes in once cannot be played again");
    const auto range = time.range();
    if (is_stream() && range && range->needs_all()) throw needs_a_file(*range, "a stream");
}

}  // namespace ositrace::app
