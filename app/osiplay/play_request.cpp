// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/play_request.hpp"

#include <algorithm>
#include <charconv>

#include <ositrace/error.hpp>
#include <ositrace/network_address.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/near_word.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"
#include "app/terminal/static_text.hpp"
#include "lib/system/file.hpp"
#include "lib/system/system_error.hpp"
#include "lib/system/terminal.hpp"
#include "lib/system/whole_name.hpp"

namespace ositrace::app {
namespace {

std::optional<double> parse_rate(const std::string& text)
{
    if (text == "max") return std::nullopt;
    double rate = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(rate >= Timeline::min_rate && rate <= Timeline::max_rate))
        throw invalid_usage("'" + text + "' is not a number from 0.1 to 100, or max");
    return rate;
}

bool parse_choice(const std::string& text, const std::string& yes, const std::string& no)
{
    if (text != yes && text != no)
        throw invalid_usage("'" + text + "' is not " + yes + " or " + no + did_you_mean(text, {yes, no}));
    return text == yes;
}

/// `5ms`, `200us`, `0.5s`. The unit is required, because 5 would be seconds.
Nanoseconds parse_lateness(const std::string& text)
{
    const auto time = text.find_first_not_of("0123456789.:") == std::string::npos ? std::nullopt : parse_duration(text);
    if (!time) throw invalid_usage("'" + text + "' is not a duration (5ms, 200us, 0.5s)");
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
        throw invalid_usage("'" + text + "' is not lost or late=DURATION (late=5ms)" + did_you_mean(text, {"lost"}));
}

/// Also compares files that do not exist yet, and follows links.
bool are_the_same(const std::filesystem::path& a, const std::filesystem::path& b)
{
    if (is_standard_output(a) || is_standard_output(b)) return is_standard_output(a) && is_standard_output(b);
    std::error_code none;
    return std::filesystem::equivalent(a, b, none) || real_name(whole_name(a)) == real_name(whole_name(b));
}

void check_files(const std::vector<std::filesystem::path>& inputs, const std::vector<std::filesystem::path>& outputs)
{
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        refuse_inputs(*output, inputs);
        const auto part = output->string() + ".part";  // the name of an incomplete recording
        refuse_inputs(part, inputs);
        const auto same = std::find_if(outputs.begin(), outputs.end(), [&](const auto& other) {
            return &other < &*output ? are_the_same(other, *output) : &other != &*output && are_the_same(other, part);
        });
        if (same != outputs.end())
            throw invalid_usage("two outputs have the name '" + output->string() + "'; use different files");
    }
}

}  // namespace

void PlayRequest::declare(Options& options)
{
    options.words("TRACE", words, 1, 1);
    declare_sinks(options);
    options.option("--rate", "X",
                   "trace seconds per second, 0.1 to 100, or max: wait for the sinks (default: 1 with a network "
                   "sink, else max)",
                   [this](const std::string& text) {
                       given_rate = parse_rate(text);
                       rate_is_given = true;
                   });
    options.option(
        "--late", "WHAT", "deliver (default): deliver late frames | drop: drop and count them if the next frame is due",
        [this](const std::string& text) { drop_late = parse_choice(text, "drop", "deliver"); }, {"deliver", "drop"});
    options.options(
        "--fail-on", "WHAT",
        "exit with 3 if frames are lost (lost), or later than a duration (late=5ms, late=200us ...); repeatable",
        [this](const std::string& text) { parse_limit(text, limits); }, {"lost", "late="});
    options.option(
        "--step-size", "S",
        "step every S seconds with the last frame at or before the step, instead of at the times of the frames",
        [this](const std::string& text) {
            step_size = Nanoseconds(parse_seconds(text));
            if (*step_size <= Nanoseconds(0)) throw invalid_usage("'" + text + "' is not a positive number of seconds");
        });
    options.option("--start-time", "T",
                   "models start at T seconds of OSI time, before the first frame (default: a median step before it)",
                   [this](const std::string& text) { start_time = Nanoseconds(parse_seconds(text)); });
    time.declare(options, "play");
    options.option("--loop", "N", "play N times; 0: until Ctrl-C",
                   [this](const std::string& text) { iterations = parse_count(text, 0, Timeline::max_rounds); });
    options.flag("--pause", pause, "begin paused after the first frame: on a terminal, space continues");
    options.option("--topic", "REGEX", "channels whose topic has a match of this regular expression",
                   [this](const std::string& text) { topic.emplace(text); });
    options.option("--map", "FILE",
                   "an OpenDRIVE map (.xodr) for a trace without lanes: it is added to the first frame of every "
                   "iteration, and to OSMPGroundTruthInit",
                   [this](const std::string& file) { map = file; });
    options.option("--static", "WHAT",
                   "carry (default): copy earlier static data into the first frame of every iteration | drop",
                   [this](const std::string& text) { carry_static = parse_static_choice(text); }, {"carry", "drop"});
    options.flag("--follow", follow, "read a file that another process appends to, until Ctrl-C");
    options.flag("--skip-bad-frames", skip_bad_frames, "skip damaged frames, report them and exit with 3");
    options.option("--log", "FILE",
                   "write when each frame was due, delivered and processed: the JSON of the OSI performance studies",
                   [this](const std::string& file) { log = file; });
    options.flag("--report", report,
                 "print frames, lateness (mean, p50, p99, max), late and lost frames, processor time");
    declare_json(options, json, "print the report as JSON");
    declare_overwrite(options, overwrite);
    input.declare(options);
}

void PlayRequest::declare_sinks(Options& options)
{
    options.options(
        "--sink", "SINK", "sink to play to; repeatable: " + sink_forms(" | "),
        [this](const std::string& word) { add_sink(word); }, sink_choices());
    const auto of_sink = [&](std::string name, std::string value, std::string help) {
        options.options(name, std::move(value), std::move(help),
                        [this, name](const std::string& text) { add_sink_option(name, text); });
    };
    of_sink("--set", "NAME=VALUE", "set a parameter of the sink before this option");
    of_sink("--connect", "TOPIC=VARIABLE", "connect a channel to an input of the sink before this option");
    of_sink("--timeout", "S", "longest step of the sink before this option, in seconds (default: 10)");
    options.flags("--in-process", "load the FMU before this option into this process instead of a child process",
                  [this] { add_sink_option("--in-process", {}); });
}

void PlayRequest::add_sink(const std::string& word)
{
    const auto& kind = sink_kind_of(word);
    const bool from_models = kind.role == SinkRole::live && parse_network_address(word).from_models;
    const auto rest = word.substr(kind.prefix.size());
    sinks.push_back({&kind, {word, rest, split_sink_file(rest, kind.words), {}, from_models}});
}

void PlayRequest::add_sink_option(const std::string& name, const std::string& value)
{
    if (sinks.empty()) throw invalid_usage("applies to the sink before it: --sink must come first");
    const SinkOption option{name, value};
    check_sink_option(*sinks.back().kind, option);
    sinks.back().request.options.push_back(option);
}

std::optional<double> PlayRequest::rate() const
{
    if (rate_is_given) return given_rate;
    if (is_live()) return std::nullopt;  // the sender determines the times
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

void PlayRequest::refuse_existing_outputs() const
{
    std::error_code none;
    for (const auto& file : outputs())
        if (!overwrite && !is_standard_output(file) && std::filesystem::exists(file, none)) throw already_exists(file);
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
    const auto status = trace() == "-" ? status_of_standard_input() : status_of(trace());
    return is_stream() && (follow || !status || status->kind != FileKind::regular);
}

void PlayRequest::check() const
{
    if (sinks.empty()) throw invalid_usage("no sink: use --sink (" + sink_forms(", ") + ")");
    for (const auto& [kind, request] : sinks)
        if (request.from_models && !has_models())
            throw invalid_usage("'" + request.text +
                                "': from=model sends what models return: add --sink dummy or --sink fmu:MODEL.fmu");
        else if (kind->role == SinkRole::record)
            check_trace_output(request.file.file, json ? "--json" : report ? "--report" : "");
    if (log && *log == "-" && (json || report))
        throw invalid_usage("--log on standard output excludes --json and --report");
    check_files(inputs(), outputs());
    const auto at_a_rate = rate().has_value();
    if (drop_late && !at_a_rate) throw invalid_usage("--late drop requires --rate X: at max no frame is late");
    if (limits.late && !at_a_rate) throw invalid_usage("--fail-on late requires --rate X: at max no frame is late");
    if (is_stream() && iterations != 1) throw invalid_usage("--loop requires a file: a stream cannot be played again");
    const auto range = time.range();
    if (is_stream() && range && range->needs_all()) throw needs_a_file(*range, "a stream");
}

}  // namespace ositrace::app
