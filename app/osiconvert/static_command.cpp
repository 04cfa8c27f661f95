// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/static.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_map.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/near_word.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

class StaticCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "static",
            .summary = "write the map into every frame, or only where it changes; add a map",
            .usage = {"static expand|compact IN -o OUT", "static add IN -o OUT [--map FILE.xodr] [--into first|every]",
                      "static expand|compact|add IN... --out-dir DIR [--resume]"},
            .notes = {"expand copies the map, with its projection and reference, into every frame that lacks "
                      "it, so that a reader can",
                      "start at any frame. compact keeps it only in the first frame and where it changes. compact "
                      "undoes expand if no frame",
                      "repeats the map; expand undoes compact if every map field of a frame is in all later frames.",
                      "add writes an OpenDRIVE map into a trace without lanes. Without --map it is the one in the "
                      "trace (a map channel, an",
                      "attachment) or beside it (the file that map_reference names, or the one with the trace's "
                      "name)."},
            .examples = {"static expand drive.osi -o whole.osi", "static compact whole.osi -o small.osi.zst",
                         "static add drive.osi -o with_map.osi --map town.xodr",
                         "static expand *.mcap --out-dir whole"}};
    }
    void declare(Options& options) override
    {
        request_.declare(options, SIZE_MAX, true);
        options.option("--map", "FILE", "add: the OpenDRIVE map, instead of the one in or beside the trace",
                       [this](const std::string& file) { map_ = file; });
        request_.input.declare_map_deviation(options);
        options.option("--into", "NAME", "add: the frames that get the map: first (default) | every",
                       [this](const std::string& name) { set_frames(name); }, {"first", "every"});
    }
    ExitCode run(Messages& messages) override;

private:
    enum class Mode : std::uint8_t { expand, compact, add };

    void set_frames(const std::string& name)
    {
        if (name != "first" && name != "every") throw unknown_word("choice", name, {"first", "every"});
        frames_ = name == "every" ? MapFrames::every : MapFrames::first;
    }
    FileOutcome run_one(const OpenOptions& open, const FileJob& job, Messages& messages) const;
    [[nodiscard]] std::shared_ptr<const TraceMap> find_map(const OpenOptions& open, const FileJob& job,
                                                           Messages& messages) const;

    EditRequest request_;
    Mode mode_ = Mode::expand;
    std::filesystem::path map_;
    std::optional<MapFrames> frames_;
};

ExitCode StaticCommand::run(Messages& messages)
{
    const auto mode = request_.remove_mode({"expand", "compact", "add"});
    mode_ = mode == "expand" ? Mode::expand : mode == "compact" ? Mode::compact : Mode::add;
    if (mode_ != Mode::add && (!map_.empty() || frames_ || request_.input.map_deviation != default_map_deviation))
        throw invalid_usage("--map, --map-deviation and --into belong to add");
    const auto* const done = mode_ == Mode::expand ? "expanded" : mode_ == Mode::compact ? "compacted" : "written";
    return run_edits(request_, done, messages,
                     [&](const OpenOptions& open, const FileJob& job) { return run_one(open, job, messages); });
}

std::shared_ptr<const TraceMap> StaticCommand::find_map(const OpenOptions& open, const FileJob& job,
                                                        Messages& messages) const
{
    auto map = map_of(*open_trace(job.input(), open),
                      {.file = map_, .max_bytes = open.max_message_bytes, .max_deviation = open.map_deviation});
    if (!map)
        throw Error(Cause::missing, {.file = job.input()},
                    "there is no map in or beside the trace. Use --map FILE.xodr.");
    for (const auto& note : map->notes) messages.warning(note.what());
    return map;
}

FileOutcome StaticCommand::run_one(const OpenOptions& open, const FileJob& job, Messages& messages) const
{
    StaticCounts counts;
    const auto map = mode_ == Mode::add ? find_map(open, job, messages) : nullptr;
    auto in = open_source(job.input(), open);
    const auto edit = map                     ? add_map(std::move(in), map, frames_.value_or(MapFrames::first), counts)
                      : mode_ == Mode::expand ? expand_static(std::move(in), counts)
                                              : compact_static(std::move(in), counts);
    auto outcome = write_edit(*edit, job, request_, messages, open.stop);
    const auto what = map ? map->document.name + " written into "
                          : std::string("static data ") + (mode_ == Mode::expand ? "copied into " : "removed from ");
    messages.warning(shown_file(job.input(), "standard input") + ": " + what + std::to_string(counts.changed) + " of " +
                     count_text(counts.frames, "frame") + ", payloads " + bytes_text(counts.bytes_before) + " -> " +
                     bytes_text(counts.bytes_after));
    return outcome;
}

}  // namespace

std::unique_ptr<Command> static_command() { return std::make_unique<StaticCommand>(); }

}  // namespace ositrace::app
