// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/container.hpp>
#include <ositrace/error.hpp>
#include <ositrace/field_census.hpp>
#include <ositrace/frame_error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/inputs.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {

namespace {

struct ChannelStats {
    Channel channel;
    FieldCensus census;
};

struct StatsReport {
    std::string path;  ///< as given
    ContainerTraits container;
    std::vector<ChannelStats> channels;  ///< channels that can be decoded
    std::optional<std::string> error;    ///< why the counts are missing or incomplete
};

struct StatsRow {
    std::string field, count, bytes, share, per_frame;
};

std::string share_text(std::uint64_t part, std::uint64_t whole)
{
    if (whole == 0) return "-";
    const auto percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return percent < 0.05 && part != 0 ? "<0.1 %" : decimal_text(percent, 1) + " %";
}

/// `6`, or least, mean and most: `0 / 5.2 / 9`.
std::string per_frame_text(const FieldCount& count, std::uint64_t frames)
{
    if (count.least == count.most) return std::to_string(count.most);
    const auto mean = static_cast<double>(count.count) / static_cast<double>(frames);
    return std::to_string(count.least) + " / " + decimal_text(mean, 2) + " / " + std::to_string(count.most);
}

std::vector<StatsRow> rows_of(const FieldCensus& census)
{
    std::vector<StatsRow> rows{{"field", "count", "bytes", "share", "per frame"}};
    for (const auto& count : census.counts()) {
        rows.push_back({std::string(static_cast<std::size_t>(count.depth) * 2, ' ') + std::string(count.field->name),
                        std::to_string(count.count), bytes_text(count.bytes), share_text(count.bytes, census.bytes()),
                        per_frame_text(count, census.messages())});
    }
    const auto unknown = census.unknown();
    if (unknown.count != 0)
        rows.push_back({"(unknown to the schema)", std::to_string(unknown.count), bytes_text(unknown.bytes),
                        share_text(unknown.bytes, census.bytes()), ""});
    return rows;
}

std::string aligned(const std::vector<StatsRow>& rows)
{
    StatsRow widest;
    const auto fit = [](std::string& width, const std::string& cell) {
        width.resize(std::max(width.size(), cell.size()), ' ');
    };
    for (const auto& row : rows) {
        fit(widest.field, row.field);
        fit(widest.count, row.count);
        fit(widest.bytes, row.bytes);
        fit(widest.share, row.share);
    }
    const auto right = [](const std::string& cell, const std::string& width) {
        return "  " + std::string(width.size() - cell.size(), ' ') + cell;
    };
    std::string text;
    for (const auto& row : rows) {
        text += "  " + row.field + std::string(widest.field.size() - row.field.size(), ' ') +
                right(row.count, widest.count) + right(row.bytes, widest.bytes) + right(row.share, widest.share);
        if (!row.per_frame.empty()) text += "  " + row.per_frame;
        text += '\n';
    }
    return text;
}

std::string text_of(const StatsReport& report)
{
    std::string text = report.path + '\n';
    for (const auto& [channel, census] : report.channels) {
        if (report.container.several_channels) text += "  topic " + printable(channel.topic) + '\n';
        text += "  " + channel.type_name + ", " + std::string(row_of(channel.format.encoding).name) + ", " +
                count_text(census.messages(), "frame") + ", " + bytes_text(census.bytes()) + '\n';
        if (census.messages() != 0) text += '\n' + aligned(rows_of(census));
        if (&channel != &report.channels.back().channel) text += '\n';
    }
    return text;
}

void add_field(JsonWriter& json, const FieldCount& count, std::uint64_t frames)
{
    json.begin_object()
        .member("path", std::string_view(count.path))
        .member("repeated", count.field->repeated)
        .member("count", count.count)
        .member("bytes", count.bytes)
        .member("frames", count.messages)
        .key("per_frame")
        .begin_object()
        .member("min", count.least)
        .member("mean", static_cast<double>(count.count) / static_cast<double>(frames))
        .member("max", count.most)
        .end_object()
        .end_object();
}

void add_channel(JsonWriter& json, const ChannelStats& stats)
{
    const auto& [channel, census] = stats;
    json.begin_object()
        .member("topic", std::string_view(channel.topic))
        .member("type", std::string_view(channel.type_name))
        .member("encoding", row_of(channel.format.encoding).name)
        .member("frames", census.messages())
        .member("bytes", census.bytes())
        .member("unknown_fields", census.unknown().count)
        .key("fields")
        .begin_array();
    for (const auto& count : census.counts()) add_field(json, count, census.messages());
    json.end_array().end_object();
}

/// On standard output.
void print_json(const std::vector<StatsReport>& reports)
{
    JsonWriter json(print);
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    for (const auto& report : reports) {
        json.begin_object().member("path", std::string_view(report.path));
        if (report.error)
            json.member("error", std::string_view(*report.error));
        else
            json.member("container", report.container.name);
        json.key("channels").begin_array();
        for (const auto& channel : report.channels) add_channel(json, channel);
        json.end_array().end_object();
    }
    json.end_array().end_object().print_end();
}

/// Counts every frame of a source.
class Counting {
public:
    Counting(FrameSource& frames, StatsReport& report) : frames_(frames), report_(report) {}

    void add(const Frame& frame)
    try {
        if (auto* const census = census_of(frame.channel)) census->add(frame.bytes);
    } catch (const Error& error) {
        throw within_frame(error, frame, frames_.info().file);
    }

private:
    /// Null for a channel whose messages cannot be decoded.
    FieldCensus* census_of(std::uint32_t number)
    {
        const auto& channel = frames_.info().channels[number];
        if (channel.root == nullptr) return nullptr;
        const auto [place, is_new] = places_.try_emplace(number, report_.channels.size());
        if (is_new) report_.channels.push_back({channel, FieldCensus(*channel.root, channel.format)});
        return &report_.channels[place->second].census;
    }

    FrameSource& frames_;
    StatsReport& report_;
    std::map<std::uint32_t, std::size_t> places_;
};

class StatsCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "stats",
                .summary = "count fields, bytes and objects per frame",
                .usage = {"stats PATH... [--time A:B] [--frames A:B] [--topic REGEX]"},
                .notes = {"PATH is a file, or a folder with all traces in it.",
                          "One row per field, with its bytes (including nested fields), its share, and values per "
                          "frame: least / mean / "
                          "most.",
                          "FlatBuffers: values, references and lengths are counted, but not vtables and padding."},
                .examples = {"stats drive.osi", "stats drive.osi --frames 50:100",
                             "stats drive.osi --json | jq '.files[0].channels[0].fields[] | select(.path == "
                             "\"global_ground_truth.moving_object\").per_frame'"}};
    }

    void declare(Options& options) override
    {
        options.words("PATH", words_, 1, SIZE_MAX);
        selection_.declare(options);
        input_.declare(options);
        declare_json(options, json_, "print JSON");
    }

    ExitCode run(Messages& messages) override
    {
        const auto open = input_.open_options(messages);
        const Interrupt interrupt;
        std::vector<StatsReport> reports;
        auto code = ExitCode::success;
        bool first = true;
        for (const auto& word : with_folders(words_)) {
            auto report = report_of(word, open, messages, interrupt.token());
            messages.clear_progress();
            if (report.error)
                code = ExitCode::failed;
            else if (!json_)
                print((std::exchange(first, false) ? "" : "\n") + text_of(report));
            if (json_) reports.push_back(std::move(report));
        }
        if (json_) print_json(reports);
        return code;
    }

private:
    /// One bad file does not stop the others.
    StatsReport report_of(const std::string& word, OpenOptions open, Messages& messages, std::stop_token stop) const
    {
        StatsReport report{word, {}, {}, {}};
        try {
            open.stop = stop;
            auto options = cut_options(selection_);
            options.carry_static = false;
            const auto frames = selected_frames(word, open, std::move(options), messages);
            report.container = frames->info().container;
            count(*frames, report, messages, stop);
        } catch (const Error& e) {
            if (e.cause() == Cause::cancelled || e.cause() == Cause::usage) throw;
            messages.failure(e);
            report.error = e.what();
        }
        return report;
    }

    static void count(FrameSource& frames, StatsReport& report, Messages& messages, const std::stop_token& stop)
    {
        const auto started = std::chrono::steady_clock::now();
        std::uint64_t counted = 0;
        Counting counting(frames, report);
        for (Frame frame; frames.read(frame, stop);) {
            counting.add(frame);
            const auto read = frames.bytes_consumed();
            std::optional<double> done;
            if (const auto total = frames.bytes_total(); total && *total != 0)
                done = static_cast<double>(read) / static_cast<double>(*total);
            messages.progress({report.path, ++counted, read, done, std::chrono::steady_clock::now() - started});
        }
        if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped");
    }

    std::vector<std::string> words_;
    InputOptions input_;
    SelectionOptions selection_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> stats_command() { return std::make_unique<StatsCommand>(); }

}  // namespace ositrace::app
