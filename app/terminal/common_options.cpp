// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/common_options.hpp"

#include <algorithm>

#include <ositrace/error.hpp>
#ifdef OSITRACE_TEXT_INPUT
#include <ositrace/libprotobuf_text_parser.hpp>
#endif
#include <ositrace/schema_file.hpp>

#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// `sv, svc, gt`, or `sv|svc|gt`: the names of a table's rows.
template <class Rows, class Name>
std::string joined(const Rows& rows, Name name, std::string_view between)
{
    std::string text;
    for (const auto& row : rows) text.append(text.empty() ? "" : between).append(name(row));
    return text;
}

std::string type_codes(std::string_view between)
{
    return joined(
        message_types(), [](const MessageTypeRow& row) { return row.code; }, between);
}

std::string encoding_names(std::string_view between)
{
    return joined(
        encodings(), [](const EncodingRow& row) { return row.name; }, between);
}

Error unknown(std::string_view what, const std::string& name, const std::string& known)
{
    return {Cause::usage, "unknown " + std::string(what) + " '" + name + "' (known: " + known + ")"};
}

/// Null in a program that was built without libprotobuf.
std::shared_ptr<const TextParser> text_parser()
{
#ifdef OSITRACE_TEXT_INPUT
    return libprotobuf_text_parser();
#else
    return nullptr;
#endif
}

}  // namespace

MessageType parse_type(const std::string& code)
{
    if (const auto type = message_type_by_code(code)) return *type;
    throw unknown("message type", code, type_codes(", "));
}

Encoding parse_encoding(const std::string& name)
{
    if (const auto encoding = encoding_named(name)) return *encoding;
    throw unknown("encoding", name, encoding_names(", "));
}

Layout parse_layout(const std::string& name)
{
    if (const auto layout = layout_named(name)) return *layout;
    throw unknown("layout", name, "numbered, declared");
}

void InputOptions::declare(Options& options, bool encoding_too, bool layout_too)
{
    declare_type(options, type, "message type of the input, where it cannot be told from the content: " + type_codes("|"));
    if (encoding_too) {
        options.option("--input-encoding", "NAME", "encoding of the input instead of recognising it: " + encoding_names("|"),
                       [this](const std::string& name) { encoding = parse_encoding(name); });
    }
    if (layout_too) {
        declare_layout(options, layout, "FlatBuffers layout of the input instead of recognising it: numbered|declared");
    }
    options.option("--schema", "FILE", "descriptor set of the OSI release to read with, instead of the built-in one",
                   [this](const std::string& file) { schema_file = file; });
    options.option("--max-message", "BYTES", "longest message accepted (default 512M; K, M, G: powers of 1024)",
                   [this](const std::string& text) { max_message_bytes = parse_bytes(text, max_encodable_bytes); });
}

OpenOptions InputOptions::open_options() const
{
    OpenOptions options;
    options.type = type;
    options.encoding = encoding;
    options.layout = layout;
    options.max_message_bytes = max_message_bytes;
    options.text_parser = text_parser();
    if (schema_file) options.schema = load_schema(*schema_file);
    return options;
}

OpenOptions InputOptions::open_options(Messages& messages) const
{
    auto options = open_options();
    options.on_warning = [&messages](const Error& problem) { messages.warning(problem.what()); };
    return options;
}

void TimeOptions::declare(Options& options, const std::string& what)
{
    options.option("--time", "A:B",
                   what + " from time A until before B, both exact: 3.5 (seconds), 90s, 1m, with A..B also 1:02:03.5; +T from the "
                          "start, -T from the end, or RFC 3339",
                   [this](const std::string& text) { range_ = TimeRange::parse(text); });
    options.option("--time-tolerance", "S",
                   "a frame up to S seconds before A or B counts as at A or B; half-step: half the median step of the trace",
                   [this](const std::string& text) { tolerance_ = TimeTolerance::parse(text); });
}

std::optional<TimeRange> TimeOptions::range() const
{
    if (tolerance_ && !range_) throw Error(Cause::usage, "--time-tolerance belongs to --time, which is missing");
    auto range = range_;
    if (tolerance_) range->set_tolerance(*tolerance_);
    return range;
}

Error needs_a_file(const TimeRange& range, std::string_view input)
{
    const std::string option = range.needs_end() ? "--time from the end (-S)" : "--time-tolerance half-step";
    return {Cause::usage, option + " needs a file: " + std::string(input) + " has no end yet"};
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
    options.option("--out-dir", "DIR", "put the outputs there; every argument is then an input",
                   [this](const std::string& name) { directory = name; });
    options.flag("--resume", resume, "with --out-dir: skip inputs whose output is there and not older");
}

void check_one_standard_input(const std::vector<std::string>& words)
{
    if (std::ranges::count(words, "-") > 1) throw Error(Cause::usage, "standard input can be one of the inputs only");
}

void check_trace_output(const std::filesystem::path& file, bool json)
{
    if (json && is_standard_output(file)) throw Error(Cause::usage, "--json and a trace on standard output exclude each other");
    if (file == "-" && output_is_terminal())
        throw Error(Cause::usage, "standard output is a terminal: name a file, or send it on by >FILE or |");
}

void declare_type(Options& options, std::optional<MessageType>& to, std::string help)
{
    options.option("--type", "TYPE", std::move(help), [&to](const std::string& code) { to = parse_type(code); });
}

void declare_layout(Options& options, std::optional<Layout>& to, std::string help)
{
    options.option("--layout", "NAME", std::move(help), [&to](const std::string& name) { to = parse_layout(name); });
}

void declare_threads(Options& options, unsigned& to)
{
    constexpr unsigned most = 1024;
    options.option("--threads", "N", "threads that convert frames; 0, the default: one per core",
                   [&to](const std::string& text) { to = static_cast<unsigned>(parse_count(text, 0, most)); });
}

void declare_overwrite(Options& options, bool& to) { options.flag("--overwrite", to, "replace outputs that exist"); }

void declare_json(Options& options, bool& to, std::string help) { options.flag("--json", to, std::move(help)); }

}  // namespace ositrace::app
