// SPDX-License-Identifier: MPL-2.0
// convert, and its two thin verbs: proto2flat and flat2proto fix the encodings and name their outputs.
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <ositrace/attach.hpp>
#include <ositrace/edit/map_channel.hpp>
#include <ositrace/edit/omega_prime.hpp>
#include <ositrace/error.hpp>
#include <ositrace/merge.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/trace_metadata.hpp>
#include <ositrace/trace_selection.hpp>
#include <ositrace/utf8.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/osiconvert/inputs.hpp"
#include "app/terminal/printable.hpp"

namespace ositrace::app {
namespace {

using Clock = std::chrono::steady_clock;

using osi_metadata::trace_record;

/// A verb that converts.
struct ConvertVerb {
    CommandText text;
    std::optional<Encoding> from = {};  ///< required of every OSI channel; empty: any, and several inputs may be joined
    std::optional<Encoding> to = {};
    std::string_view opposite = {};  ///< the verb for inputs that already have the encoding `to`
};

ConvertVerb convert_verb()
{
    return {
        {.name = "convert",
         .summary = "convert traces from any container and encoding to any other",
         .usage = {"convert IN... -o OUT", "IN -o OUT", "convert IN... --out-dir DIR [--to NAME] [--resume]"},
         .notes = {"The extension of OUT, or --to, selects the output format: .osi, .osifb, .txth, .jsonl (each "
                   "also with .zst",
                   "or .lz4), .mcap. Several inputs become channels of one MCAP file, merged by time; with "
                   "--out-dir each",
                   "becomes a file of its own. IN is a file or a folder."},
         .examples = {"convert drive.osi -o drive.mcap", "convert lidar.osi radar.osi -o both.mcap --meta authors=us",
                      "convert recordings/ --out-dir mcap --to mcap --resume",
                      "convert both.mcap -o lidar.osi --topic lidar",
                      "convert drive.osi -o drive.mcap --profile omega-prime --map town.xodr",
                      "convert drive.osi -o - --to mcap | ssh host 'cat >drive.mcap'",
                      "drive.osi -o drive.osi.zst --level 19"}}};
}

ConvertVerb proto2flat_verb()
{
    return {{.name = "proto2flat",
             .summary = "convert Protobuf traces to FlatBuffers",
             .usage = {"proto2flat IN [OUT]", "proto2flat IN... --out-dir DIR [--resume]"},
             .notes = {"a.osi becomes a.osifb when OUT is omitted; `-` is standard input or output.",
                       "The extension of OUT may add a compression: .osifb.zst, .osifb.lz4."},
             .examples = {"proto2flat drive.osi", "proto2flat drive.osi.gz drive.osifb.zst --verify",
                          "proto2flat *.osi --out-dir flat --resume", "proto2flat - - <drive.osi >drive.osifb"}},
            Encoding::protobuf,
            Encoding::flatbuffers,
            "flat2proto"};
}

ConvertVerb flat2proto_verb()
{
    return {{.name = "flat2proto",
             .summary = "convert FlatBuffers traces to Protobuf",
             .usage = {"flat2proto IN [OUT]", "flat2proto IN... --out-dir DIR [--resume]"},
             .notes = {"b.osifb becomes b.osi when OUT is omitted; `-` is standard input or output.",
                       "The extension of OUT may add a compression: .osi.zst, .osi.lz4."},
             .examples = {"flat2proto drive.osifb", "flat2proto drive.osifb again.osi --verify",
                          "flat2proto old.osifb --layout declared --schema osi-3.5.0.desc"}},
            Encoding::flatbuffers,
            Encoding::protobuf,
            "proto2flat"};
}

struct ConvertRequest {
    EditRequest files;  ///< inputs and outputs with their options
    std::optional<Encoding> from;
    std::string_view opposite;
    std::optional<Encoding> to;  ///< empty: by the extension of the output, else as the input
    std::optional<Layout> layout;
    std::optional<TopicPattern> topic;
    std::map<std::string, std::string> rename;  ///< topics, old to new
    std::map<std::string, std::string> meta;    ///< entries of the record net.asam.osi.trace
    std::vector<std::filesystem::path> attach;  ///< files that become attachments
    std::filesystem::path attach_map;           ///< becomes a channel; empty: none
    Profile profile = Profile::none;
    std::filesystem::path map;  ///< of the profile; empty: the one in or beside the trace
    bool skip_bad_frames = false;
    bool keep_empty = false;
    bool unpack_series = false;
    bool strict = false;
    bool verify = false;
    bool follow = false;
};

/// The shell words that select this topic and no other: `--topic '^GroundTruth$'`.
std::string option_for(std::string_view topic)
{
    std::string pattern;
    for (const char c : topic) {
        if (std::string_view(R"(^$\.*+?()[]{}|)").find(c) != std::string_view::npos) pattern += '\\';
        pattern += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    }
    return "--topic '^" + pattern + "$'";
}

std::string options_for(const std::vector<std::string>& topics)
{
    constexpr std::size_t most_listed = 8;
    std::string all;
    for (std::size_t i = 0; i != std::min(topics.size(), most_listed); ++i)
        all += (all.empty() ? "" : " or ") + option_for(topics[i]);
    return topics.size() > most_listed ? all + " or ..." : all;
}

/// One job: open the inputs, choose channels, merge, create the output, convert, close.
class ConvertJob {
public:
    ConvertJob(const ConvertRequest& request, const OpenOptions& open, const FileJob& job, Messages& messages,
               std::stop_token stop)
        : request_(request), open_(open), output_(job.output), messages_(messages), stop_(std::move(stop))
    {
        open_.skip_bad_frames = request.skip_bad_frames;
        open_.keep_empty = request.keep_empty;
        open_.unpack_series = request.unpack_series;
        open_.on_skip = [this](const SkippedBytes& skipped) { add(skipped); };
        open_.follow = request.follow;
        open_.stop = stop_;
        outcome_.job = job;
    }

    /// Throws Error; `cancelled` when `stop` is requested, unless the input is followed: a stop is then its end.
    FileOutcome run()
    {
        auto in = merged(open_all());
        const auto to = output_format(in->info());
        if (request_.profile != Profile::none)
            in = with_profile(std::move(in));
        else if (!request_.attach_map.empty())
            in = with_map_channel(std::move(in), map_document(request_.attach_map, open_.max_message_bytes),
                                  map_options());
        auto info = converted_info(in->info(), to);
        add_own_records(info);
        auto write = request_.files.write;
        write.keep_empty = request_.keep_empty;
        const auto out = create_trace(output_, info, write);
        outcome_.result = convert(*in, *out, convert_options(to), stop_);
        outcome_.bytes_in = in->bytes_total().value_or(in->bytes_consumed());
        if (request_.from) check_osi(in->info());
        if (outcome_.profile) check_has_truth();
        outcome_.channels = in->info().channels;
        in.reset();  // while the last chunks are compressed
        outcome_.bytes_out = out->close();
        report_output(*out, output_, messages_);
        outcome_.version_channels = out->version_channels();
        outcome_.seconds = Clock::now() - started_;
        return std::move(outcome_);
    }

private:
    using Sources = std::vector<std::unique_ptr<FrameSource>>;

    Sources open_all();
    std::unique_ptr<FrameSource> open(const std::filesystem::path& file) const;
    std::unique_ptr<FrameSource> merged(Sources sources);
    std::unique_ptr<FrameSource> with_profile(std::unique_ptr<FrameSource> in);
    [[nodiscard]] std::optional<MapDocument> find_map() const;
    [[nodiscard]] MapChannelOptions map_options() const;
    void choose_channel(const Sources& sources);
    bool wants(const Channel& channel);
    bool is_of_profile(const Channel& channel);
    void check_has_truth() const;
    void check_encoding(const TraceInfo& info) const;
    static void check_osi(const TraceInfo& info);
    std::optional<Format> output_format(const TraceInfo& info) const;
    void erase_own_entries(MetadataRecord& record) const;
    void add_own_records(TraceInfo& info) const;
    [[nodiscard]] ContainerTraits container() const { return output_container(output_, request_.files.write); }
    ConvertOptions convert_options(std::optional<Format> to);
    void add(const SkippedBytes& skipped);
    void print_details(const TraceInfo& info) const;
    void warn_of_zero_times(const Sources& sources) const;
    void warn_of_profiles(const Sources& sources) const;

    const ConvertRequest& request_;
    OpenOptions open_;
    const std::filesystem::path output_;
    Messages& messages_;
    std::stop_token stop_;
    FileOutcome outcome_;
    std::optional<std::string> only_topic_;   ///< the channel for an output that holds one
    std::optional<std::string> truth_topic_;  ///< the channel for a profile
    bool has_sensor_view_ = false;
    std::mutex mutex_;
    Clock::time_point started_ = Clock::now();
};

ConvertJob::Sources ConvertJob::open_all()
{
    Sources sources;
    for (const auto& input : outcome_.job.inputs) {
        const auto& info = sources.emplace_back(open(input))->info();
        check_encoding(info);
        print_details(info);
        warn_if_misnamed(info, messages_);
        if (container().metadata) warn_of_unread_version(info.file, messages_);
    }
    warn_of_zero_times(sources);
    warn_of_profiles(sources);
    return sources;
}

// One MCAP file to another is read in file order, and so is every file whose bad frames are skipped: then the channels
// come from its summary, where it has one. All else needs the index, which knows the channels before the first frame
// and returns the messages by time.
std::unique_ptr<FrameSource> ConvertJob::open(const std::filesystem::path& file) const
{
    const bool one_to_one = container().several_channels && outcome_.job.inputs.size() == 1 &&
                            request_.rename.empty() && !request_.topic && request_.profile == Profile::none;
    const bool in_file_order = one_to_one || request_.from || request_.skip_bad_frames;
    return in_file_order ? open_stream(file, open_) : open_source(file, open_);
}

std::unique_ptr<FrameSource> ConvertJob::merged(Sources sources)
{
    if (request_.from) return std::move(sources.front());
    if (!container().several_channels) choose_channel(sources);
    auto in = merge(std::move(sources), {request_.rename, [this](const Channel& channel) { return wants(channel); },
                                         [this](MetadataRecord& record) { erase_own_entries(record); }});
    if (in->info().channels.empty() && request_.topic)
        throw Error(Cause::mismatch, {.file = shown_file(outcome_.job.input(), "standard input")},
                    "no channel matches --topic '" + request_.topic->text() + "'");
    return in;
}

std::unique_ptr<FrameSource> ConvertJob::with_profile(std::unique_ptr<FrameSource> in)
{
    if (!in->info().may_grow) check_has_truth();
    return as_omega_prime(std::move(in), find_map(), outcome_.profile.emplace(), map_options());
}

/// Of --map, else that of the first input that has one. Standard input is not read twice.
std::optional<MapDocument> ConvertJob::find_map() const
{
    if (!request_.map.empty()) return map_document(request_.map, open_.max_message_bytes);
    for (const auto& input : outcome_.job.inputs)
        if (input != "-")
            if (auto found = find_map_document(*open_trace(input, open_), {.max_bytes = open_.max_message_bytes}))
                return found;
    return std::nullopt;
}

MapChannelOptions ConvertJob::map_options() const
{
    return {open_.max_message_bytes, [this](const Error& note) { messages_.warning(note.what()); }};
}

/// Of the selected channels, the one of an OSI type.
void ConvertJob::choose_channel(const Sources& sources)
{
    const auto input = shown_file(outcome_.job.input(), "standard input");
    const auto output = shown_file(output_, "standard output");
    const std::string mcap = output_ == "-" ? "add --to mcap" : "name an .mcap file";
    std::vector<std::string> topics;
    for (const auto& source : sources)
        for (const auto& channel : source->info().channels)
            if (channel.root && (!request_.topic || request_.topic->matches(channel.topic)))
                topics.push_back(channel.topic);
    if (topics.size() == 1) {
        only_topic_ = topics.front();
    } else if (sources.size() > 1) {
        throw Error(Cause::mismatch,
                    output + " holds one channel, found " + std::to_string(sources.size()) + " inputs: " + mcap +
                        ", use `concat` to append one to the other, or --out-dir DIR to write a file for each");
    } else if (!topics.empty()) {
        throw Error(Cause::mismatch,
                    output + " holds one channel, and " + input + " has " + std::to_string(topics.size()) +
                        " channels: choose one (" + options_for(topics) + "), " + mcap +
                        " for all, or write a file for each with `split " + input + " --channels --out-dir DIR`");
    }
}

bool ConvertJob::wants(const Channel& channel)
{
    if (request_.topic && !request_.topic->matches(channel.topic)) return false;
    if (request_.profile != Profile::none) return is_of_profile(channel);
    if (!only_topic_ || (channel.root && channel.topic == *only_topic_)) return true;
    outcome_.loss.left_out_topics.push_back(channel.topic);
    return false;
}

/// The channel of GroundTruth. A map channel is written anew.
bool ConvertJob::is_of_profile(const Channel& channel)
{
    if (channel.type == MessageType::ground_truth && channel.root != nullptr) {
        if (truth_topic_)
            throw Error(
                Cause::mismatch, {.file = shown_file(outcome_.job.input(), "standard input")},
                "there are several channels of GroundTruth, and the profile has one: " +
                    (outcome_.job.inputs.size() > 1
                         ? std::string("use --out-dir DIR to write a file for each input")
                         : "choose one (" + option_for(*truth_topic_) + " or " + option_for(channel.topic) + ')'));
        truth_topic_ = channel.topic;
        return true;
    }
    has_sensor_view_ = has_sensor_view_ || channel.type == MessageType::sensor_view;
    if (!is_map_channel(channel)) outcome_.loss.left_out_topics.push_back(channel.topic);
    return false;
}

void ConvertJob::check_has_truth() const
{
    if (truth_topic_) return;
    const std::string advice =
        has_sensor_view_ ? ". Extract that of each SensorView first: osiconvert wrap sv2gt IN -o OUT" : "";
    throw Error(Cause::mismatch, {.file = shown_file(outcome_.job.input(), "standard input")},
                "contains no channel of GroundTruth, which the omega-prime profile requires" + advice);
}

void ConvertJob::check_encoding(const TraceInfo& info) const
{
    for (const auto& channel : info.channels) {
        if (!request_.from || !channel.root || channel.format.encoding == *request_.from) continue;
        const std::string found(row_of(channel.format.encoding).name);
        throw Error(Cause::mismatch, {.file = shown_file(outcome_.job.input(), "standard input")},
                    "holds " + found + ", expected " + std::string(row_of(*request_.from).name) + ": use " +
                        std::string(request_.opposite));
    }
}

/// At least one channel was converted.
void ConvertJob::check_osi(const TraceInfo& info)
{
    if (!info.channels.empty() &&
        std::ranges::none_of(info.channels, [](const Channel& channel) { return channel.root != nullptr; }))
        throw Error(Cause::mismatch, {.file = info.file},
                    "contains no channel of OSI messages to convert. The channel '" + info.channels.front().topic +
                        "': " + why_not_osi(info.channels.front()));
}

/// Empty: every channel keeps its own.
std::optional<Format> ConvertJob::output_format(const TraceInfo& info) const
{
    const auto extension = output_extension(output_, request_.files.write);
    const auto encoding = request_.to ? request_.to : extension ? extension->encoding : std::nullopt;
    if (!encoding) return std::nullopt;
    const auto fits = [&](const Channel& channel) { return channel.format.encoding == *encoding; };
    if (!info.may_grow && std::ranges::all_of(info.channels, fits)) return std::nullopt;
    const auto kept = std::ranges::find_if(info.channels, fits);  // its frames are copied unchanged
    return Format{*encoding, request_.layout               ? *request_.layout
                             : kept != info.channels.end() ? kept->format.layout
                                                           : Layout::numbered};
}

/// Entries of --meta replace those of the inputs.
void ConvertJob::erase_own_entries(MetadataRecord& record) const
{
    if (record.name != trace_record) return;
    for (const auto& [key, value] : request_.meta) record.entries.erase(key);
}

void ConvertJob::add_own_records(TraceInfo& info) const
{
    if (!request_.meta.empty()) info.metadata.insert(info.metadata.begin(), {std::string(trace_record), request_.meta});
    for (const auto& file : request_.attach) info.attachments.push_back(attachment_of(file));
}

ConvertOptions ConvertJob::convert_options(std::optional<Format> to)
{
    ConvertOptions options;
    options.to = to;
    options.threads = request_.files.write.threads;
    options.strict = request_.strict;
    options.verify = request_.verify;
    options.skip_bad_frames = options.read_copied = request_.skip_bad_frames;
    options.keep_empty = request_.keep_empty;
    options.live = request_.follow;
    // A flat frame may be several times as large as its Protobuf form, but not the other way round.
    options.max_message_bytes =
        to && to->encoding == Encoding::protobuf ? request_.files.input.max_message_bytes : max_encodable_bytes;
    options.on_skip = [this](const SkippedBytes& skipped) { add(skipped); };
    options.on_progress = [this](const ConvertProgress& progress) {
        messages_.progress(progress_of(shown_file(output_, "standard output"), progress, started_));
    };
    return options;
}

void ConvertJob::add(const SkippedBytes& skipped)
{
    const std::lock_guard lock(mutex_);  // both the reading and the converting thread call this
    outcome_.loss.add(skipped, messages_);
}

void ConvertJob::print_details(const TraceInfo& info) const
{
    for (const auto& channel : info.channels) {
        if (!channel.root) continue;
        const auto version = channel.schema->osi_version();
        messages_.detail(info.file.string() + ": " + channel.type_name + ", " +
                         std::string(row_of(channel.format.encoding).name) + ", compression " + info.compression +
                         ", read with the schema of OSI " + (version ? version->to_string() : "(no version stated)"));
    }
}

void ConvertJob::warn_of_zero_times(const Sources& sources) const
{
    if (request_.meta.contains(std::string(osi_metadata::zero_time_key))) return;
    std::set<std::string> times;
    for (const auto& source : sources) times.merge(zero_times_of(source->info().metadata));
    report_zero_times(times, " Use --meta zero_time=... to set it.", messages_);
}

/// merge() keeps the first.
void ConvertJob::warn_of_profiles(const Sources& sources) const
{
    const std::string* kept = nullptr;
    for (const auto& source : sources) {
        const auto& profile = source->info().profile;
        if (profile.empty() || !container().metadata) continue;
        if (kept == nullptr) kept = &profile;
        if (profile != *kept)
            messages_.warning(source->info().file.string() + ": its profile '" + profile +
                              "' is dropped: the output has '" + *kept + "', the profile of an earlier input");
    }
}

using Entries = std::map<std::string, std::string>;

/// Adds `key=value` or `OLD=NEW`; a key is given once.
Entries::iterator add_pair(Entries& to, const std::string& text, std::string_view form)
{
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw invalid_usage("found '" + text + "', expected " + std::string(form));
    const auto [pair, is_new] = to.emplace(text.substr(0, equals), text.substr(equals + 1));
    if (!is_new)
        throw invalid_usage("found '" + text + "', but " + pair->first + '=' + pair->second + " is already given");
    return pair;
}

/// Of what becomes a topic or a name in an MCAP file.
void check_utf8(const std::string& name)
{
    if (!is_utf8(name)) throw invalid_usage("'" + name + "' is not UTF-8, which MCAP requires");
}

class ConvertCommand final : public Command {
public:
    explicit ConvertCommand(ConvertVerb verb) : verb_(std::move(verb))
    {
        request_.from = verb_.from;
        request_.to = verb_.to;
        request_.opposite = verb_.opposite;
        if (verb_.to) request_.files.added_extension = row_of(*verb_.to).file_extension;
        request_.files.joins = !verb_.from;
    }

    CommandText text() const override { return verb_.text; }
    void declare(Options& options) override { verb_.from ? declare_fixed(options) : declare_any(options); }
    ExitCode run(Messages& messages) override;

private:
    void declare_any(Options& options);
    void declare_fixed(Options& options);
    void declare_skip(Options& options);
    void check(const std::vector<FileJob>& jobs) const;

    ConvertVerb verb_;
    ConvertRequest request_;
};

void ConvertCommand::declare_skip(Options& options)
{
    options.flag("--skip-bad-frames", request_.skip_bad_frames,
                 "skip damaged frames and continue with the next intact one");
    options.flag("--keep-empty", request_.keep_empty,
                 "keep empty messages that otherwise count as damage: at the end, many in a row, or FlatBuffers");
}

void ConvertCommand::declare_any(Options& options)
{
    request_.files.declare(options, SIZE_MAX, true);
    options.option(
        "--encoding", "NAME",
        "encoding to write, if the extension of the output does not determine it: protobuf|flatbuffers",
        [this](const std::string& name) { request_.to = parse_encoding(name); }, encoding_choices());
    options.flag("--unpack-series", request_.unpack_series,
                 "the frames of IN are SensorDataSeries: write each SensorData in them as a frame");
    options.option("--topic", "REGEX", "only channels whose topic matches",
                   [this](const std::string& text) { request_.topic = TopicPattern(text); });
    options.options(
        "--rename", "OLD=NEW", "rename the topic of a channel; repeatable",
        [this](const std::string& text) { check_utf8(add_pair(request_.rename, text, "OLD=NEW")->second); });
    options.options(
        "--meta", "KEY=VALUE",
        "add an entry to the metadata record net.asam.osi.trace (MCAP), instead of that of the inputs; repeatable",
        [this](const std::string& text) {
            const auto entry = add_pair(request_.meta, text, "KEY=VALUE");
            check_trace_entry(entry->first, entry->second);
        });
    options.options(
        "--attach", "FILE", "add a file, such as a map, as an attachment (MCAP); repeatable",
        [this](const std::string& file) { check_utf8(request_.attach.emplace_back(file).filename().string()); });
    options.option("--attach-map", "FILE",
                   "add an OpenDRIVE map (.xodr) as the channel /ground_truth_map of the omega-prime profile (MCAP)",
                   [this](const std::string& file) { request_.attach_map = file; });
    declare_profile(
        options, request_.profile,
        "write GroundTruth and its map as a profile requires, and list what is missing (MCAP): omega-prime");
    options.option("--map", "FILE",
                   "the OpenDRIVE map (.xodr) for --profile, instead of the one in or beside the trace",
                   [this](const std::string& file) { request_.map = file; });
    request_.files.input.declare_map_deviation(options);
    declare_skip(options);
}

/// Fixed encodings: the formats follow from the verb and the name of the output.
void ConvertCommand::declare_fixed(Options& options)
{
    auto& files = request_.files;
    options.words("IN", files.words, 1, SIZE_MAX);
    files.outputs.declare(options);
    declare_overwrite(options, files.write.overwrite);
    options.flag("--verify", request_.verify, "convert every frame back and compare: bytes, else field by field");
    options.flag("--strict", request_.strict, "fail on a frame with fields that cannot be kept, instead of counting");
    declare_skip(options);
    options.flag("--follow", request_.follow, "read a file that another process appends to, until Ctrl-C");
    const bool to_flat = verb_.to == Encoding::flatbuffers;
    if (to_flat) declare_layout(options, request_.layout, "FlatBuffers layout to write: numbered (default) | declared");
    files.input.declare(options, false, !to_flat);
    declare_threads(options, files.write.threads);
    declare_json(options, files.json, "print the result as JSON");
}

void ConvertCommand::check(const std::vector<FileJob>& jobs) const
{
    if (request_.follow && jobs.size() > 1) throw invalid_usage("--follow takes one file");
    for (const auto& [from, to] : request_.rename)
        if (to.empty()) throw invalid_usage("--rename " + from + "=: the new topic is empty");
    const bool has_profile = request_.profile != Profile::none;
    if (!request_.map.empty() && !has_profile)
        throw invalid_usage("--map belongs to --profile: --attach-map adds a map alone");
    if (!request_.attach_map.empty() && has_profile) throw invalid_usage("--profile takes its map with --map");
    if (has_profile && request_.to == Encoding::flatbuffers)
        throw invalid_usage("--profile omega-prime is written in Protobuf");
    for (const auto& job : jobs)
        for (const auto& [name, given] :
             {std::pair{"--meta", !request_.meta.empty()}, std::pair{"--attach", !request_.attach.empty()},
              std::pair{"--attach-map", !request_.attach_map.empty()}, std::pair{"--profile", has_profile},
              std::pair{"--rename", !request_.rename.empty()}}) {
            if (!given || output_container(job.output, request_.files.write).metadata) continue;
            throw invalid_usage(std::string(name) + " requires an MCAP output, found " +
                                shown_file(job.output, "standard output"));
        }
}

ExitCode ConvertCommand::run(Messages& messages)
{
    const auto jobs = request_.files.plan();
    check(jobs);
    if (request_.unpack_series) messages.recover = {};  // it finds messages of traces, not series
    request_.files.write.flush_frames = request_.follow;
    if (request_.profile != Profile::none) request_.to = Encoding::protobuf;
    const auto open = request_.files.input.open_options(messages);
    return run_jobs(jobs, request_.files.job_options("converted"), messages,
                    [&](const FileJob& job, std::stop_token stop) {
                        return ConvertJob(request_, open, job, messages, std::move(stop)).run();
                    });
}

}  // namespace

std::unique_ptr<Command> convert_command() { return std::make_unique<ConvertCommand>(convert_verb()); }
std::unique_ptr<Command> proto2flat_command() { return std::make_unique<ConvertCommand>(proto2flat_verb()); }
std::unique_ptr<Command> flat2proto_command() { return std::make_unique<ConvertCommand>(flat2proto_verb()); }

}  // namespace ositrace::app
