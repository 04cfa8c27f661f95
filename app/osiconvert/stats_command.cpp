// SPDX-License-Identifier: MPL-2.0
#include <chrono>
#include <map>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/inputs.hpp"
#include "app/osiconvert/stats.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"

namespace ositrace::app {

namespace {

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
