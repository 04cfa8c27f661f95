// SPDX-License-Identifier: MPL-2.0
#include <charconv>

#include <ositrace/error.hpp>
#include <ositrace/trace_difference.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// Differences that JSON lists one by one; all are counted.
constexpr std::size_t listed_in_json = 1000;

/// `moving_object.base.position=0.001`
std::pair<std::string, double> parse_tolerance(const std::string& text)
{
    const auto equals = text.rfind('=');
    double value = -1;
    if (equals != std::string::npos) {
        const auto* const end = text.data() + text.size();
        const auto [behind, error] = std::from_chars(text.data() + equals + 1, end, value);
        if (error != std::errc{} || behind != end) value = -1;
    }
    if (!(value >= 0)) throw Error(Cause::usage, "'" + text + "' is not PATH=EPS, as in moving_object.base.position=0.001");
    return {text.substr(0, equals), value};
}

class DiffCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "diff",
                .summary = "compare two traces by content",
                .usage = {"diff A B [--tolerance PATH=EPS]... [--ignore PATH]... [--summary]"},
                .notes = {"Frames are paired by their times, elements by their ids; containers and encodings may differ. Exit code 3: different.",
                          "PATH names a field of every element, and all below it: moving_object.base.position."},
                .examples = {"diff drive.osi drive.osifb", "diff old.mcap new.mcap --summary --tolerance moving_object.base=1e-6",
                             "diff a.osi b.osi --ignore version --ignore environmental_conditions"}};
    }
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    void tell(const TraceDifference& difference);
    [[nodiscard]] std::string end_of(const DiffResult& result) const;
    [[nodiscard]] std::string json_of(const DiffResult& result) const;

    std::vector<std::string> files_;
    InputOptions input_;
    DiffOptions options_;
    bool summary_ = false;
    bool json_ = false;
    std::vector<TraceDifference> listed_;
};

void DiffCommand::declare(Options& options)
{
    options.words("A and B", files_, 2, 2);
    options.options("--tolerance", "PATH=EPS", "numbers at PATH and below may differ by EPS; may be given again",
                   [this](const std::string& text) { options_.tolerances.insert_or_assign(parse_tolerance(text).first, parse_tolerance(text).second); });
    options.options("--ignore", "PATH", "do not compare PATH; may be given again", [this](const std::string& path) { options_.ignored.push_back(path); });
    options.flag("--summary", summary_, "differences per field instead of one by one");
    input_.declare(options);
    declare_json(options, json_, "print the result as JSON");
}

std::string seconds_text(Nanoseconds time)
{
    constexpr int digits = 6;
    return decimal_text(static_cast<double>(time.count()) * 1e-9, digits) + " s";
}

/// `0.013`, `1.2e-16`
std::string three_digits(double value)
{
    constexpr int digits = 3;
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

/// `frame 12 against 13 at 0.396 s: moving_object[id=3].base.position.x: 1.5 against 1.25`
void DiffCommand::tell(const TraceDifference& difference)
{
    if (json_) {
        if (listed_.size() < listed_in_json) listed_.push_back(difference);
        return;
    }
    if (summary_) return;
    std::string line = "frame ";
    line += std::to_string(difference.frame_a ? *difference.frame_a : *difference.frame_b);
    if (difference.frame_a && difference.frame_b && *difference.frame_a != *difference.frame_b)
        line += " against " + std::to_string(*difference.frame_b);
    if (difference.time) line += " at " + seconds_text(*difference.time);
    if (!difference.topic.empty()) line += " of " + difference.topic;
    print(printable(line + ": " + difference.field + (difference.field.empty() ? "" : ": ") + difference.text) + '\n');
}

std::string DiffCommand::end_of(const DiffResult& result) const
{
    std::string text;
    if (summary_) {
        for (const auto& [path, field] : result.fields) {
            text += (path.empty() ? "(whole messages)" : path) + ": " + count_text(field.count, "difference");
            if (field.largest > 0) text += ", up to " + three_digits(field.largest);
            text += '\n';
        }
    }
    text += count_text(result.equal, "frame") + " equal, " + std::to_string(result.different) + " different";
    if (result.only_in_a != 0) text += ", " + std::to_string(result.only_in_a) + " only in " + printable(files_.front());
    if (result.only_in_b != 0) text += ", " + std::to_string(result.only_in_b) + " only in " + printable(files_.back());
    return text + '\n';
}

std::string DiffCommand::json_of(const DiffResult& result) const
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).member("a", files_.front()).member("b", files_.back());
    json.member("same", result.same()).member("equal", result.equal).member("different", result.different);
    json.member("only_in_a", result.only_in_a).member("only_in_b", result.only_in_b).key("fields").begin_array();
    for (const auto& [path, field] : result.fields)
        json.begin_object().member("field", path).member("differences", field.count).member("largest", field.largest).end_object();
    json.end_array().key("differences").begin_array();
    for (const auto& difference : listed_) {
        json.begin_object().member("topic", difference.topic).key("time");
        difference.time ? json.nanoseconds(difference.time->count()) : json.null();
        json.member("frame_a", difference.frame_a).member("frame_b", difference.frame_b);
        json.member("field", difference.field).member("text", difference.text).end_object();
    }
    return json.end_array().end_object().text();
}

ExitCode DiffCommand::run(Messages& messages)
{
    if (files_.front() == "-" && files_.back() == "-") throw Error(Cause::usage, "standard input can be one of the two only");
    const Interrupt interrupt;
    auto open = input_.open_options(messages);
    open.stop = interrupt.token();
    options_.on_difference = [this](const TraceDifference& difference) { tell(difference); };
    const auto started = std::chrono::steady_clock::now();
    options_.on_progress = [&](std::uint64_t frames) {
        messages.progress({files_.front(), frames, {}, {}, std::chrono::steady_clock::now() - started});
    };
    const auto result = diff(files_.front(), files_.back(), open, options_, interrupt.token());
    messages.clear_progress();
    if (json_) print(json_of(result));
    else if (!messages.quiet) print(end_of(result));
    return result.same() ? ExitCode::done : ExitCode::answer_is_no;
}

}  // namespace

std::unique_ptr<Command> diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace ositrace::app
