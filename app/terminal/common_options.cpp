// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/common_options.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <ositrace/catalog.hpp>
#include <ositrace/error.hpp>
#ifdef OSITRACE_TEXT_INPUT
#include <ositrace/libprotobuf_text_parser.hpp>
#endif
#include <ositrace/schema_file.hpp>
#include <ositrace/text_parser.hpp>
#include <ositrace/trace_name.hpp>

#include "app/terminal/near_word.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/system/file.hpp"
#include "lib/system/terminal.hpp"
#include "lib/system/whole_name.hpp"

namespace ositrace::app {
namespace {

/// The names of the rows of a table: `sv`, `svc`, `gt`.
template <class Rows, class Name>
std::vector<std::string> names_of(const Rows& rows, Name name)
{
    std::vector<std::string> names;
    for (const auto& row : rows) names.emplace_back(row.*name);
    return names;
}

std::vector<std::string> type_codes() { return names_of(message_types(), &MessageTypeRow::code); }
std::vector<std::string> encoding_names() { return names_of(encodings(), &EncodingRow::name); }

/// `.mcap` for `mcap`
std::string parse_container(const std::string& name)
{
    const auto text = '.' + name;
    const auto found = trace_extension(text);
    if (found && found->text.size() == text.size() && found->is_written) return text;
    throw Error(Cause::usage, "unknown container '" + name +
                                  "' (known: mcap, osi, osifb, txth, jsonl; the latter four also with .zst or .lz4)" +
                                  did_you_mean(name, {"mcap", "osi", "osifb", "txth", "jsonl"}));
}

bool same_files(const TraceExtension& a, const TraceExtension& b)
{
    return a.container == b.container && a.encoding == b.encoding && a.compression == b.compression;
}

#ifdef OSITRACE_TEXT_INPUT
std::shared_ptr<const TextParser> text_parser() { return libprotobuf_text_parser(); }
#else
class NoTextParser final : public TextParser {
    void parse(std::string_view, TextForm, const MessageTable&, const Schema&, ByteBuffer&) const override
    {
        throw Error(Cause::unsupported, "reading text needs libprotobuf, which this program was built without");
    }
};
std::shared_ptr<const TextParser> text_parser() { return std::make_shared<NoTextParser>(); }
#endif

/// The traces in a folder and below. Names that begin with `_` or `.` are passed over: programs hide so what is not
/// complete. Links are followed: each file is found once, by as few links as
/// there is a way with.
class FolderWalk {
public:
    explicit FolderWalk(const std::filesystem::path& but_not) : but_not_(but_not) {}

    std::vector<std::filesystem::path> files_below(const std::filesystem::path& top)
    {
        std::set<std::pair<std::uint64_t, std::uint64_t>> seen;  // the identities of folders
        waiting_.push_back({top, real_name(top), 0});
        while (!waiting_.empty()) {
            const auto folder = std::move(waiting_.front());
            waiting_.pop_front();
            const auto status = status_of(folder.path);
            if (!status || seen.emplace(status->identity.volume, status->identity.number).second) read(folder);
        }
        std::vector<std::filesystem::path> files;
        for (const auto& [real, found] : files_) files.push_back(found.second);
        std::ranges::sort(files);
        return files;
    }

private:
    struct Folder {
        std::filesystem::path path, real;
        int links;  ///< that lead to it
    };

    void read(const Folder& folder)
    {
        std::error_code failed;
        std::vector<std::filesystem::directory_entry> entries;
        for (std::filesystem::directory_iterator at(folder.path, failed), end; !failed && at != end;
             at.increment(failed))
            entries.push_back(*at);
        if (failed) return add(folder.real, folder.links, folder.path);  // who opens it says why
        std::ranges::sort(entries);
        for (const auto& entry : entries) add(entry, folder);
    }

    void add(const std::filesystem::directory_entry& entry, const Folder& folder)
    {
        std::error_code none;
        const auto& path = entry.path();
        const auto name = path.filename().string();
        if (name.starts_with('_') || name.starts_with('.')) return;
        const bool linked = is_link(entry);
        const int links = folder.links + (linked ? 1 : 0);
        const bool leads_nowhere = linked && !entry.exists(none);
        auto real = linked && !leads_nowhere ? real_name(path) : folder.real / name;
        if (entry.is_directory(none)) {
            if (!std::filesystem::equivalent(path, but_not_, none))
                waiting_.insert(linked ? waiting_.end() : waiting_.begin(), {path, std::move(real), links});
        } else if (leads_nowhere || (entry.is_regular_file(none) && is_trace(path))) {
            add(real, links, path);
        }
    }

    static bool is_trace(const std::filesystem::path& path)
    {
        const auto extension = trace_extension(path.string());
        // A map beside traces belongs to them.
        return extension && !extension->container.map &&
               !(extension->container.text && !extension->is_compressed() && is_catalog_table(path));
    }

    void add(const std::filesystem::path& real, int links, const std::filesystem::path& path)
    {
        const auto [known, is_new] = files_.emplace(real, std::pair(links, path));
        if (!is_new) known->second = std::min(known->second, std::pair(links, path));
    }

    const std::filesystem::path& but_not_;
    std::deque<Folder> waiting_;                                                    ///< linked ones last
    std::map<std::filesystem::path, std::pair<int, std::filesystem::path>> files_;  ///< by real path
};

}  // namespace

MessageType parse_type(const std::string& code)
{
    if (const auto type = message_type_by_code(code)) return *type;
    throw unknown_word("message type", code, type_codes());
}

Encoding parse_encoding(const std::string& name)
{
    if (const auto encoding = encoding_named(name)) return *encoding;
    throw unknown_word("encoding", name, encoding_names());
}

Layout parse_layout(const std::string& name)
{
    if (const auto layout = layout_named(name)) return *layout;
    throw unknown_word("layout", name, {"numbered", "declared"});
}

void InputOptions::declare(Options& options, bool encoding_too, bool layout_too)
{
    declare_input_type(options, type, "message type of the input, if the content is ambiguous");
    if (encoding_too) {
        options.option(
            "--input-encoding", "NAME",
            "encoding of the input instead of recognising it: " + joined(encoding_names(), "|"),
            [this](const std::string& name) { encoding = parse_encoding(name); }, encoding_names());
    }
    if (layout_too) {
        declare_layout(options, layout, "FlatBuffers layout of the input instead of recognising it: numbered|declared");
    }
    options.option("--schema", "FILE", "descriptor set of another OSI release, instead of the built-in schema",
                   [this](const std::string& file) { schema_file = file; });
    declare_max_message(options, max_message_bytes);
}

void InputOptions::declare_map_deviation(Options& options)
{
    options.option("--map-deviation", "M",
                   "how far lines of an OpenDRIVE map may be from its curves, in metres (default 0.05, as OSI allows); "
                   "more: fewer points",
                   [this](const std::string& text) { map_deviation = parse_metres(text, 0.001, 10); });
}

OpenOptions InputOptions::open_options() const
{
    OpenOptions options;
    options.type = type;
    options.encoding = encoding;
    options.layout = layout;
    options.max_message_bytes = max_message_bytes;
    options.map_deviation = map_deviation;
    options.text_parser = text_parser();
    if (schema_file) options.schema = load_schema(*schema_file);
    return options;
}

OpenOptions InputOptions::open_options(Messages& messages) const
{
    struct Told {
        std::mutex mutex;
        std::set<std::string> texts;  ///< a file may be opened more than once
    };
    auto options = open_options();
    options.on_warning = [&messages, told = std::make_shared<Told>()](const Error& problem) {
        {
            const std::scoped_lock lock(told->mutex);
            if (!told->texts.emplace(problem.what()).second) return;
        }
        messages.warning(problem.what());
    };
    return options;
}

std::vector<std::string> encoding_choices() { return encoding_names(); }

void TimeOptions::declare(Options& options, const std::string& what)
{
    options.option(
        "--time", "A:B",
        what +
            " from time A until before B: 3.5 (seconds), 90s, 1m, with A..B also 1:02:03.5; +T from the start, -T from "
            "the end, or RFC 3339",
        [this](const std::string& text) { range_ = TimeRange::parse(text); });
    options.option(
        "--time-tolerance", "S",
        "a frame up to S seconds before A or B counts as being at it; half-step: half the median step of the trace",
        [this](const std::string& text) { tolerance_ = TimeTolerance::parse(text); }, {"half-step"});
}

std::optional<TimeRange> TimeOptions::range() const
{
    if (tolerance_ && !range_) throw Error(Cause::usage, "--time-tolerance requires --time");
    auto range = range_;
    if (tolerance_) range->set_tolerance(*tolerance_);
    return range;
}

Error needs_a_file(const TimeRange& range, std::string_view input)
{
    const std::string option = range.needs_end() ? "--time from the end (-S)" : "--time-tolerance half-step";
    return {Cause::usage, option + " requires a file: the end of " + std::string(input) + " is not known"};
}

void SelectionOptions::declare(Options& options)
{
    time.declare(options, "frames");
    options.option("--frames", "A:B", "frames from number A until before B, counted from 0",
                   [this](const std::string& text) { frames = FrameRange::parse(text); });
    options.option("--topic", "REGEX", "channels whose topic has a match of this regular expression",
                   [this](const std::string& text) { topic.emplace(text); });
}

void OutputDirectoryOptions::declare(Options& options)
{
    options.option("--out-dir", "DIR", "write the outputs to this folder; every argument is then an input",
                   [this](const std::string& name) { directory = name; });
    options.flag("--resume", resume,
                 "with --out-dir: skip inputs whose output exists and is not older; an older output is replaced");
}

const std::vector<std::string>& chunk_compressions()
{
    static const std::vector<std::string> names{"none", "lz4", "zstd"};
    return names;
}

std::string parse_chunk_compression(const std::string& name)
{
    if (std::ranges::find(chunk_compressions(), name) == chunk_compressions().end())
        throw unknown_word("chunk compression", name, chunk_compressions());
    return name;
}

void declare_container(Options& options, WriteOptions& to)
{
    constexpr std::uint64_t max_chunk_bytes = std::uint64_t{1} << 30;
    options.option(
        "--to", "NAME",
        "container to write, if the name of the output does not state it: mcap|osi|osifb|txth|jsonl, the latter four "
        "also with .zst or .lz4",
        [&to](const std::string& name) { to.extension = parse_container(name); },
        {"mcap", "osi", "osi.zst", "osi.lz4", "osifb", "osifb.zst", "osifb.lz4", "txth", "jsonl"});
    options.option(
        "--compression", "NAME", "compression of MCAP chunks: none|lz4|zstd (default lz4; recover: that of the input)",
        [&to](const std::string& name) { to.chunk_compression = parse_chunk_compression(name); }, chunk_compressions());
    options.option("--level", "L", "compression level: lz4 1 to 12 (default 1), zstd 1 to 22 (default 3)",
                   [&to](const std::string& text) { to.level = static_cast<int>(parse_count(text, 0, 100)); });
    options.option("--chunk-size", "BYTES",
                   "size at which an MCAP chunk is closed (default 4M; K, M, G: powers of 1024)",
                   [&to](const std::string& text) { to.chunk_bytes = parse_bytes(text, max_chunk_bytes); });
}

void check_container(const std::filesystem::path& output, const WriteOptions& options)
{
    const auto shown = shown_file(output, "standard output");
    const auto named = trace_extension(output.string());
    const auto written = output_extension(output, options);
    if (named && !same_files(*named, *written))
        throw Error(Cause::usage, "--to " + options.extension.substr(1) + " contradicts the name of " + shown);
    if (written && written->container.chunks) return;
    if (options.level && (!written || !written->is_compressed()))
        throw Error(Cause::usage, "--level requires a compressed output, found " + shown);
    for (const auto& [name, given] : {std::pair{"--compression", options.chunk_compression.has_value()},
                                      std::pair{"--chunk-size", options.chunk_bytes.has_value()}})
        if (given) throw Error(Cause::usage, std::string(name) + " requires an MCAP output, found " + shown);
}

std::vector<std::filesystem::path> traces_in(const std::filesystem::path& word, const std::filesystem::path& but_not)
{
    std::error_code none;
    if (word == "-" || !std::filesystem::is_directory(word, none)) return {word};
    auto files = FolderWalk(but_not).files_below(word);
    if (files.empty()) throw Error(Cause::io, {.file = word}, "the folder contains no trace");
    return files;
}

std::vector<std::string> with_folders(const std::vector<std::string>& words, const std::filesystem::path& but_not)
{
    std::vector<std::string> files;
    for (const auto& word : words)
        for (const auto& file : traces_in(word, but_not)) files.push_back(file.string());
    return files;
}

void check_one_standard_input(const std::vector<std::string>& words)
{
    if (std::ranges::count(words, "-") > 1) throw Error(Cause::usage, "standard input can be only one of the inputs");
}

void check_trace_output(const std::filesystem::path& file, std::string_view printing_option)
{
    if (!printing_option.empty() && is_standard_output(file))
        throw Error(Cause::usage, std::string(printing_option) + " and a trace on standard output exclude each other");
    if (file == "-" && is_terminal(StandardStream::output))
        throw Error(Cause::usage, "standard output is a terminal: name a file, or redirect with >FILE or |");
}

void declare_type(Options& options, std::optional<MessageType>& to, std::string help)
{
    options.option(
        "--type", "TYPE", std::move(help), [&to](const std::string& code) { to = parse_type(code); }, type_codes());
}

void declare_input_type(Options& options, std::optional<MessageType>& to, const std::string& help)
{
    declare_type(options, to, help + ": " + joined(type_codes(), "|"));
}

void declare_max_message(Options& options, std::size_t& to)
{
    options.option("--max-message", "BYTES", "largest message accepted (default 512M; K, M, G: powers of 1024)",
                   [&to](const std::string& text) { to = parse_bytes(text, max_encodable_bytes); });
}

void declare_layout(Options& options, std::optional<Layout>& to, std::string help)
{
    options.option("--layout", "NAME", std::move(help), [&to](const std::string& name) { to = parse_layout(name); },
                   {"numbered", "declared"});
}

void declare_profile(Options& options, Profile& to, std::string help)
{
    static const std::vector<std::string> known{std::string(name_of(Profile::omega_prime))};
    options.option(
        "--profile", "NAME", std::move(help),
        [&to](const std::string& name) {
            if (name != known.front()) throw unknown_word("profile", name, known);
            to = Profile::omega_prime;
        },
        known);
}

void declare_threads(Options& options, unsigned& to)
{
    constexpr unsigned most = 1024;
    options.option("--threads", "N", "number of threads; 0 (default): one per core",
                   [&to](const std::string& text) { to = static_cast<unsigned>(parse_count(text, 0, most)); });
}

void declare_overwrite(Options& options, bool& to) { options.flag("--overwrite", to, "replace existing outputs"); }

void declare_json(Options& options, bool& to, std::string help) { options.flag("--json", to, std::move(help)); }

}  // namespace ositrace::app
