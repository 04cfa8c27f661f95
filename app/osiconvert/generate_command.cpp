// SPDX-License-Identifier: MPL-2.0
#include <chrono>
#include <filesystem>

#include <ositrace/convert.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/trace_name.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/system/terminal.hpp"

namespace ositrace::app {
namespace {

using Clock = std::chrono::steady_clock;

class GenerateCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "generate",
            .summary = "write a trace of the sample scene",
            .usage = {"generate OUT"},
            .notes = {"Traffic on a ring road with lanes, signs and lights, and a lidar whose reflections lie on the "
                      "objects and the",
                      "road. Equal options give equal bytes. The extension of OUT selects encoding and compression."},
            .examples = {"generate sample.osi",
                         "generate lidar.osifb.zst --reflections 829440 --reflection-fields 5 --frames 10",
                         "generate detections.osi --type sd --objects 200",
                         "generate - --encoding flatbuffers | receiver"}};
    }

    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    Encoding output_encoding() const
    {
        if (encoding_) return *encoding_;
        const std::string name = output().filename().string();
        const auto extension = trace_extension(name);
        return extension && extension->encoding ? *extension->encoding : Encoding::protobuf;
    }
    std::filesystem::path output() const { return words_.front(); }
    void print_result(const TraceInfo& info, const ConvertResult& result, std::uint64_t bytes, double seconds,
                      Messages& messages) const;

    std::vector<std::string> words_;
    SceneOptions scene_;
    std::optional<MessageType> type_;
    std::optional<Encoding> encoding_;
    unsigned threads_ = 0;
    bool overwrite_ = false;
    bool json_ = false;
};

void GenerateCommand::declare(Options& options)
{
    const SceneOptions defaults;
    const auto by_default = [](auto value) { return " (default " + std::to_string(value) + ")"; };
    const auto count = [&options](const char* name, std::string help, auto& to) {
        using Count = std::remove_reference_t<decltype(to)>;
        options.option(name, "N", std::move(help), [&to](const std::string& text) {
            to = static_cast<Count>(parse_count(text, 0, std::numeric_limits<Count>::max()));
        });
    };
    options.words("OUT", words_, 1, 1);
    count("--frames", "number of frames" + by_default(defaults.frames), scene_.frames);
    options.option("--period", "SECONDS", "time between two frames (default 0.1)",
                   [this](const std::string& text) { scene_.period = Nanoseconds(parse_seconds(text)); });
    count("--objects", "moving objects besides the host vehicle" + by_default(defaults.moving_objects),
          scene_.moving_objects);
    count("--reflections", "lidar reflections in every frame; 0: no lidar" + by_default(defaults.reflections),
          scene_.reflections);
    count("--reflection-fields", "fields set in a reflection: 2 (default) | 3 | 5", scene_.reflection_fields);
    options.flag("--equal-reflections", scene_.equal_reflections,
                 "all reflections are equal dummies instead of results of a ray model");
    count("--seed", "random seed of the scene" + by_default(defaults.seed), scene_.seed);
    options.option(
        "--encoding", "NAME", "protobuf | flatbuffers (default: by the extension of OUT, else protobuf)",
        [this](const std::string& name) { encoding_ = parse_encoding(name); }, encoding_choices());
    declare_type(options, type_, "message type: sv (default) | gt | sd");
    declare_overwrite(options, overwrite_);
    declare_threads(options, threads_);
    declare_json(options, json_, "print the result as JSON");
}

ExitCode GenerateCommand::run(Messages& messages)
{
    check_trace_output(output(), json_ ? "--json" : "");
    if (type_) scene_.type = *type_;
    const auto started = Clock::now();
    const auto seconds = [started] { return std::chrono::duration<double>(Clock::now() - started); };

    const Interrupt interrupt;
    SceneSource scene(scene_, threads_);
    ConvertOptions options;
    options.to = {output_encoding(), Layout::numbered};
    options.threads = threads_;
    options.max_message_bytes = max_encodable_bytes;
    options.on_progress = [&](const ConvertProgress& progress) {
        const double done = static_cast<double>(progress.frames) / static_cast<double>(scene_.frames);
        messages.progress(
            {shown_file(output(), "standard output"), progress.frames, progress.bytes_out, done, seconds()});
    };
    WriteOptions write_options;
    write_options.overwrite = overwrite_;
    write_options.threads = threads_;
    const auto writer = create_trace(output(), converted_info(scene.info(), options.to), write_options);
    const auto result = convert(scene, *writer, options, interrupt.token());
    const auto bytes = writer->close();
    messages.clear_progress();
    if (json_ || !(messages.quiet || is_standard_output(output())))
        print_result(scene.info(), result, bytes, seconds().count(), messages);
    return ExitCode::success;
}

void GenerateCommand::print_result(const TraceInfo& info, const ConvertResult& result, std::uint64_t bytes,
                                   double seconds, Messages& messages) const
{
    const auto& type = info.channels.front().type_name;
    if (!json_) {
        print_summary(shown_file(output(), "standard output") + ": " + count_text(result.frames, "frame") + " of " +
                          type + ", " + bytes_text(bytes) + '\n',
                      messages);
        return;
    }
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array().begin_object();
    json.member("output", output().string())
        .member("type", type)
        .member("encoding", row_of(output_encoding()).name)
        .member("frames", result.frames)
        .member("bytes_out", bytes)
        .member("seconds", seconds);
    print(json.end_object().end_array().end_object().text());
}

}  // namespace

std::unique_ptr<Command> generate_command() { return std::make_unique<GenerateCommand>(); }

}  // namespace ositrace::app
