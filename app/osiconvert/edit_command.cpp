// SPDX-License-Identifier: MPL-2.0
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <ositrace/edit/fields.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// `PATH=REST`; an equals sign in brackets belongs to the path.
std::pair<std::string, std::string> at_equals(const std::string& text, const char* form)
{
    std::size_t depth = 0;
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (text[i] == '[') ++depth;
        if (text[i] == ']' && depth != 0) --depth;
        if (text[i] == '=' && depth == 0) return {text.substr(0, i), text.substr(i + 1)};
    }
    throw Error(Cause::usage, "'" + text + "' is not " + form);
}

FieldEdit parse_round(const std::string& text)
{
    constexpr auto form = "PATH=STEP, as in moving_object.base.position=0.001";
    const auto [path, step] = at_equals(text, form);
    FieldEdit edit{FieldEdit::Kind::round, path};
    const auto* const end = step.data() + step.size();
    const auto parsed = std::from_chars(step.data(), end, edit.step);
    if (parsed.ec != std::errc{} || parsed.ptr != end || !std::isnormal(edit.step) || edit.step < 0)
        throw Error(Cause::usage, "'" + text + "' is not " + form);
    return edit;
}

std::string short_number(double value)
{
    char text[32];
    constexpr int digits = 3;
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

/// `dropped moving_object.base.acceleration: 866 fields (25.1 kB)`
std::string text_of(const FieldEditCount& done)
{
    const auto& edit = done.edit;
    switch (edit.kind) {
    case FieldEdit::Kind::drop:
        return "dropped " + edit.path + ": " + count_text(done.count, "field") + " (" + bytes_text(done.bytes) + ")";
    case FieldEdit::Kind::keep: return "kept " + edit.path + ": " + count_text(done.count, "field");
    case FieldEdit::Kind::set: return "set " + edit.path + " to " + edit.value + ": " + count_text(done.count, "field");
    case FieldEdit::Kind::round: break;
    }
    return "rounded " + edit.path + " to multiples of " + short_number(grid_of(edit.step)) + ": " +
           count_text(done.count, "number") + ", largest error " + short_number(done.largest_error);
}

class EditCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "edit",
                .summary = "drop, keep, set or round fields of every message",
                .usage = {"edit IN -o OUT [--drop PATH] [--keep PATH] [--set PATH=VALUE] [--round PATH=STEP] "
                          "[--shift-time S]",
                          "edit IN... --out-dir DIR [--resume]"},
                .notes = {"Each option may be repeated; all of them are done in one pass. PATH names a field of",
                          "every element: moving_object.base.velocity of a GroundTruth, moving_object[id=3],",
                          "[name=Ego] or [0] of some. With --keep everything else goes, timestamp and version",
                          "too. --round writes the nearest multiple of the largest power of two that is not above",
                          "STEP: no number moves by more than half a STEP, and what is left of it has few bits,",
                          "so that compression shrinks it. What is lost is reported; other bytes are kept."},
                .examples = {"edit drive.osi -o small.osi --drop global_ground_truth.environmental_conditions",
                             "edit drive.osi -o ids.osi --keep timestamp --keep global_ground_truth.moving_object.id",
                             "edit truth.osi -o host.osi --set host_vehicle_id=3 --shift-time -2.5",
                             "edit lidar.osi -o lidar.osi.zst "
                             "--round lidar_sensor_view.reflection.signal_strength=0.1"}};
    }
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    FileOutcome run_one(const OpenOptions& open, const FileJob& job, Messages& messages) const;

    static void report(const FieldEditCounts& counts, const std::string& file, Messages& messages);

    EditRequest request_;
    FieldEditOptions edits_;
};

void EditCommand::declare(Options& options)
{
    const auto add = [this](FieldEdit edit) { edits_.edits.push_back(std::move(edit)); };
    options.options("--drop", "PATH", "leave out this field, or these elements; repeatable",
                    [add](const std::string& path) { add({FieldEdit::Kind::drop, path}); });
    options.options("--keep", "PATH", "leave out all fields but this one; repeatable",
                    [add](const std::string& path) { add({FieldEdit::Kind::keep, path}); });
    options.options("--set", "PATH=VALUE",
                    "set a field, and create the messages on the way to it: a number, true, an enumerator or a text; "
                    "repeatable",
                    [add](const std::string& text) {
                        const auto [path, value] = at_equals(text, "PATH=VALUE, as in host_vehicle_id=3");
                        add({FieldEdit::Kind::set, path, value});
                    });
    options.options("--round", "PATH=STEP", "round the real numbers at PATH and below; repeatable",
                    [add](const std::string& text) { add(parse_round(text)); });
    options.option("--shift-time", "S", "move every point in time by S seconds, log times too: 2.5, -90s, 1m",
                   [this](const std::string& text) { edits_.shift = Nanoseconds(parse_seconds(text)); });
    request_.declare(options, SIZE_MAX, true);
}

ExitCode EditCommand::run(Messages& messages)
{
    if (edits_.edits.empty() && edits_.shift.count() == 0)
        throw invalid_usage("nothing to do: use --drop, --keep, --set, --round or --shift-time");
    return run_edits(request_, "edited", messages,
                     [&](const OpenOptions& open, const FileJob& job) { return run_one(open, job, messages); });
}

FileOutcome EditCommand::run_one(const OpenOptions& open, const FileJob& job, Messages& messages) const
{
    FieldEditCounts counts;
    const auto edit = edit_fields(open_source(job.input(), open), edits_, counts);
    auto outcome = write_edit(*edit, job, request_, messages, open.stop);
    if (!request_.json) report(counts, shown_file(job.input(), "standard input"), messages);
    outcome.edits = std::move(counts);
    return outcome;
}

void EditCommand::report(const FieldEditCounts& counts, const std::string& file, Messages& messages)
{
    for (const auto& topic : counts.unchanged_topics)
        messages.warning(file + ": the channel '" + printable(topic) + "' has none of the paths and is unchanged");
    for (const auto& done : counts.edits) messages.warning(file + ": " + printable(text_of(done)));
    if (counts.left_out != 0)
        messages.warning(file + ": not kept: " + count_text(counts.left_out, "field") + " (" +
                         bytes_text(counts.left_out_bytes) + ")");
}

}  // namespace

std::unique_ptr<Command> edit_command() { return std::make_unique<EditCommand>(); }

}  // namespace ositrace::app
