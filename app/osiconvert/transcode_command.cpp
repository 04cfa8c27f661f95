// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/transcode.hpp"

namespace ositrace::app {
namespace {

/// Both directions; they differ in their texts and in what --layout says.
class TranscodeCommand final : public Command {
public:
    explicit TranscodeCommand(Encoding from) : to_flat_(from == Encoding::protobuf)
    {
        request_.opposite = to_flat_ ? "flat2proto" : "proto2flat";
        request_.from = from;
        request_.to.encoding = to_flat_ ? Encoding::flatbuffers : Encoding::protobuf;
    }

    CommandText text() const override;
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    bool to_flat_;
    TranscodeRequest request_;
    std::optional<Layout> layout_;
};

CommandText TranscodeCommand::text() const
{
    if (to_flat_) {
        return {.name = "proto2flat",
                .summary = "convert Protobuf traces to FlatBuffers",
                .usage = {"proto2flat IN [OUT]", "proto2flat IN... --out-dir DIR [--resume]"},
                .notes = {"a.osi becomes a.osifb when OUT is omitted; `-` is standard input or output.",
                          "The extension of OUT may add a compression: .osifb.zst, .osifb.lz4."},
                .examples = {"proto2flat drive.osi", "proto2flat drive.osi.gz drive.osifb.zst --verify",
                             "proto2flat *.osi --out-dir flat --resume", "proto2flat - - <drive.osi >drive.osifb"}};
    }
    return {.name = "flat2proto",
            .summary = "convert FlatBuffers traces to Protobuf",
            .usage = {"flat2proto IN [OUT]", "flat2proto IN... --out-dir DIR [--resume]"},
            .notes = {"b.osifb becomes b.osi when OUT is omitted; `-` is standard input or output.",
                      "The extension of OUT may add a compression: .osi.zst, .osi.lz4."},
            .examples = {"flat2proto drive.osifb", "flat2proto drive.osifb again.osi --verify",
                         "flat2proto old.osifb --layout declared --schema osi-3.5.0.desc"}};
}

void TranscodeCommand::declare(Options& options)
{
    options.words("IN", request_.words, 1, SIZE_MAX);
    request_.outputs.declare(options);
    declare_overwrite(options, request_.overwrite);
    options.flag("--verify", request_.verify, "convert every frame back and compare: bytes, else field by field");
    options.flag("--strict", request_.strict,
                 "refuse a frame with fields that cannot be kept, instead of counting them");
    options.flag("--skip-bad-frames", request_.skip_bad_frames,
                 "go on behind damage, where the next frame can be found");
    options.flag("--follow", request_.follow, "a file that another process appends to: wait for more until Ctrl-C");
    if (to_flat_) declare_layout(options, layout_, "FlatBuffers layout to write: numbered (default) | declared");
    request_.input.declare(options, false, !to_flat_);
    declare_threads(options, request_.threads);
    declare_json(options, request_.json, "print the result as JSON");
}

ExitCode TranscodeCommand::run(Messages& messages)
{
    if (layout_) request_.to.layout = *layout_;
    const auto jobs = plan_transcoding(request_);
    const auto open = request_.input.open_options(messages);
    return run_batch(jobs, request_.batch_options(), messages, [&](const FileJob& job, std::stop_token stop) {
        return run_transcode_job(request_, open, job, messages, std::move(stop));
    });
}

}  // namespace

std::unique_ptr<Command> proto2flat_command() { return std::make_unique<TranscodeCommand>(Encoding::protobuf); }
std::unique_ptr<Command> flat2proto_command() { return std::make_unique<TranscodeCommand>(Encoding::flatbuffers); }

}  // namespace ositrace::app
