// SPDX-License-Identifier: MPL-2.0
#include <charconv>
#include <cmath>

#include <ositrace/edit/wrap.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// `1.5,0,0.5,0,0,0`
Mounting parse_mounting(std::string_view text)
{
    Mounting mounting;
    const Error invalid(Cause::usage, "'" + std::string(text) + "' is not x,y,z,roll,pitch,yaw (metres and radians)");
    const auto* at = text.data();
    const auto* const end = at + text.size();
    for (auto* value : {&mounting.x, &mounting.y, &mounting.z, &mounting.roll, &mounting.pitch, &mounting.yaw}) {
        if (value != &mounting.x && (at == end || *at++ != ',')) throw invalid;
        const auto [after, error] = std::from_chars(at, end, *value);
        if (error != std::errc{} || !std::isfinite(*value)) throw invalid;
        at = after;
    }
    if (at != end) throw invalid;
    return mounting;
}

class WrapCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "wrap",
            .summary = "convert ground truths to sensor views and back",
            .usage = {"wrap gt2sv|sv2gt IN -o OUT [--host ID] [--sensor-id N] [--mounting x,y,z,roll,pitch,yaw]",
                      "wrap gt2sv|sv2gt IN... --out-dir DIR [--resume]"},
            .notes =
                {"gt2sv stores each GroundTruth as the global_ground_truth of a SensorView with its version, timestamp "
                 "and host.",
                 "The exit code is 3 if neither --host nor the ground truth names a host, or if the host is not among "
                 "the",
                 "moving objects: OSI requires a host_vehicle_id that refers to one.",
                 "sv2gt extracts the ground truth of each SensorView, byte for byte; other fields are dropped."},
            .examples = {"wrap gt2sv truth.osi -o view.osi --host 1 --sensor-id 7 --mounting 3.8,0,0.5,0,0,0",
                         "wrap sv2gt view.osi -o truth.osi"}};
    }
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    std::unique_ptr<FrameSource> source(const std::filesystem::path& file, const OpenOptions& open, Messages& messages)
    {
        auto options = options_;
        options.on_unknown_host = [&messages, file, this](const UnknownHost& unknown) {
            report(file, unknown, messages);
            host_is_missing_ = true;
        };
        return wrap_ ? wrap_ground_truth(open_source(file, open), options)
                     : unwrap_ground_truth(open_source(file, open));
    }

    static void report(const std::filesystem::path& file, const UnknownHost& unknown, Messages& messages);

    EditRequest request_;
    WrapOptions options_;
    bool wrap_ = true;
    bool host_is_missing_ = false;  ///< in an output
};

void WrapCommand::declare(Options& options)
{
    options.option("--host", "ID", "gt2sv: host_vehicle_id (default: that of each ground truth)",
                   [this](const std::string& text) { options_.host = parse_count(text); });
    options.option("--sensor-id", "N", "gt2sv: sensor_id",
                   [this](const std::string& text) { options_.sensor_id = parse_count(text); });
    options.option("--mounting", "POSE", "gt2sv: mounting_position: x,y,z,roll,pitch,yaw in metres and radians",
                   [this](const std::string& text) { options_.mounting = parse_mounting(text); });
    request_.declare(options, SIZE_MAX, true);
}

void WrapCommand::report(const std::filesystem::path& file, const UnknownHost& unknown, Messages& messages)
{
    std::string ids;
    for (const auto id : unknown.first_ids) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
    if (unknown.moving_objects != unknown.first_ids.size()) ids += ", ...";
    const auto what = unknown.host
                          ? "the host vehicle " + std::to_string(*unknown.host) + " is not among the moving objects"
                          : std::string("the ground truth names no host vehicle, but OSI requires one in a SensorView");
    messages.error(shown_file(file, "standard input") + ": " + what + " (moving objects: " + ids +
                   "). Use --host ID to name it.");
}

ExitCode WrapCommand::run(Messages& messages)
{
    const auto mode = request_.remove_mode({"gt2sv", "sv2gt"});
    wrap_ = mode == "gt2sv";
    if (!wrap_ && (options_.host || options_.sensor_id || options_.mounting))
        throw Error(Cause::usage, "--host, --sensor-id and --mounting require gt2sv");
    const auto run_one = [&](const OpenOptions& open, const FileJob& job) {
        const auto edit = source(job.input(), open, messages);
        return write_edit(*edit, job, request_, messages, open.stop);
    };
    const auto code = run_edits(request_, wrap_ ? "wrapped" : "unwrapped", messages, run_one);
    return code == ExitCode::success && host_is_missing_ ? ExitCode::findings : code;
}

}  // namespace

std::unique_ptr<Command> wrap_command() { return std::make_unique<WrapCommand>(); }

}  // namespace ositrace::app
