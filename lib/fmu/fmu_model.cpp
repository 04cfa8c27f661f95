// SPDX-License-Identifier: MPL-2.0
#include <ositrace/fmu_model.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/transcoder.hpp>
#include <ositrace/value_log.hpp>

#include "lib/fmu/model_runner.hpp"
#include "lib/fmu/output_check.hpp"
#include "lib/fmu/parameters.hpp"
#include "lib/fmu/start_messages.hpp"
#include "lib/fmu/unpacked_model.hpp"
#include "lib/fmu/wiring.hpp"
#include "lib/model/message_pool.hpp"
#include "lib/trace/nanoseconds.hpp"
#include "lib/trace/payload_header.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

namespace {

using namespace fmu;

double seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

/// A step without the jitter of timestamps: 100.003 ms is 100 ms, 33.3333 ms is 33.333 ms.
Nanoseconds without_jitter(Nanoseconds step)
{
    for (const Nanoseconds unit :
         {Nanoseconds(std::chrono::milliseconds(1)), Nanoseconds(std::chrono::microseconds(1))}) {
        const auto over = step % unit;
        const auto off = std::min(over, unit - over);
        if (step < std::chrono::hours(1) && off <= step / 1000) return over == off ? step - off : step + off;
    }
    return step;
}

BinaryUse use_of(const FmuBinaryVariable& variable)
{
    switch (variable.causality) {
    case FmuCausality::input: return BinaryUse::input;
    case FmuCausality::output: return BinaryUse::output;
    case FmuCausality::parameter: return BinaryUse::initial_input;
    default: return BinaryUse::initial_output;
    }
}

Channel output_channel(const std::string& model, const FmuBinaryVariable& variable)
{
    auto channel = recognized_channel({variable.type, variable.format}, Schema::built_in());
    channel.topic = model + "." + variable.name;
    return channel;
}

/// `'a', 'b', 'c' and 4 more`
std::string listed(const std::vector<std::string>& names)
{
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "'" : ", '") + names[i] + "'";
    return names.size() <= most ? text : text + " and " + std::to_string(names.size() - most) + " more";
}

/// A replay into a model without input and output would succeed without any effect.
void check_exchanges(const FmuDescription& model)
{
    const auto has = [](const auto& variables, FmuCausality causality) {
        return std::ranges::find(variables, causality, [](const auto& variable) { return variable.causality; }) !=
               variables.end();
    };
    const bool gives = has(model.binaries, FmuCausality::output);
    const bool gives_unknown = !gives && has(model.unknown, FmuCausality::output);
    if (!gives_unknown && (gives || has(model.binaries, FmuCausality::input))) return;
    std::vector<std::string> found;
    for (const auto& variable : model.unknown)
        if (!gives_unknown || variable.causality == FmuCausality::output)
            found.push_back(variable.name + ": " + variable.mime_type);
    if (!found.empty())
        throw Error(Cause::unsupported, "has no " + std::string(gives_unknown ? "output" : "input or output") +
                                            " for an OSI message that is known here (found " + listed(found) + ")");
    for (const auto& variable : model.variables) found.push_back(variable.name);
    throw Error(Cause::unsupported,
                "has no input or output for OSI messages by OSMP (found " +
                    (found.empty() ? "no variables"
                                   : "the variables " + listed(found) + ", none with an OSMP annotation for one") +
                    ")");
}

/// Converts a message to the encoding of a model's variable. One thread at a time; keeps the channel's schema.
class InputEncoder {
public:
    InputEncoder(const Channel& channel, const Format& wanted) : schema_(channel.schema)
    {
        if (channel.format == wanted) return;
        if (channel.root == nullptr)
            throw Error(Cause::unsupported, "needs another encoding than that of the topic '" + channel.topic +
                                                "', whose messages have no known schema");
        transcoder_.emplace(*channel.root, channel.format, wanted);
    }

    [[nodiscard]] bool converts() const noexcept { return transcoder_.has_value(); }
    /// The message itself, or a copy in the other encoding, valid until the next call. Throws Error.
    [[nodiscard]] Bytes encode(Bytes message)
    {
        if (!transcoder_ || message.empty()) return message;
        transcoder_->transcode(message, converted_);
        return converted_.bytes();
    }

private:
    std::shared_ptr<const Schema> schema_;
    std::optional<Transcoder> transcoder_;
    ByteBuffer converted_;
};

class LoadedFmu final : public FmuModel {
public:
    LoadedFmu(const std::filesystem::path& file, FmuOptions options)
        : options_(std::move(options)),
          model_(read_fmu_description(file)),
          name_(options_.name.empty() ? file.stem().string() : options_.name)
    {
        named([&] {
            check_exchanges(model_);
            if (model_.needs_execution_tool)
                throw Error(Cause::unsupported,
                            "needs another program to run in (needsExecutionTool): only stand-alone models are "
                            "supported");
            parameters_ = read_parameters(model_, options_.parameters);
        });
        follow_encoding_parameter(model_, options_.parameters);
        for (std::size_t i = 0; i < model_.binaries.size(); ++i) {
            if (model_.binaries[i].causality != FmuCausality::output) continue;
            outputs_.push_back(i);
            info_.channels.push_back(output_channel(name_, model_.binaries[i]));
        }
    }

    const FmuDescription& description() const noexcept override { return model_; }
    const TraceInfo& outputs() const noexcept override { return info_; }
    Nanoseconds last_step_entry() const noexcept override { return step_entry_; }

    void initialize(const TraceInfo& trace, const PlayStart& play_start) override
    {
        auto start = play_start;
        named([&] {
            first_step_ = start.step = first_step(start);
            usual_step_ = start.usual;
            wires_ = connect(trace, model_, options_.connections);
            prepare_inputs(trace);
            load(start);
            set_start_messages({model_, trace, start, wires_}, *runner_, options_.on_message);
        });
        named([&] { run_while(Command::initialize, " while it was initialised"); });
        if (options_.outputs.empty()) return;
        if (scalars_.empty()) say("has no scalar outputs: " + options_.outputs.string() + " contains times only");
        std::vector<std::string> columns;
        for (const auto& variable : scalars_) columns.push_back(variable.text);
        values_.emplace(options_.outputs, columns, options_.overwrite_outputs);
    }

    /// An error here occurs again in step(), which reports it with the frame.
    void prepare(std::span<const Frame> frames) override
    {
        if (!runner_) return;
        try {
            for (auto& input : inputs_) prepare(input, frames);
            runner_->prepare();
        } catch (const Error&) {
            return;
        }
    }

    std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds now, Nanoseconds duration) override
    {
        const auto called = std::chrono::steady_clock::now().time_since_epoch();
        if (!runner_) throw Error(Cause::usage, name_ + " is no longer running");
        if (duration == Nanoseconds(0)) duration = first_step_;
        check_length(duration, inputs);
        try {
            set_inputs(inputs);
            run(Command::step, {seconds(distance(duration, now)), seconds(duration)});
            for (auto& input : inputs_) input.prepared = {};
            take_outputs(now);
        } catch (const Error& e) {
            const auto frame = inputs.empty() ? steps_ : inputs.front().index;
            throw Error(e.cause(), name_ + " " + e.reason() + " at frame " + std::to_string(frame));
        }
        if (values_) log_scalars(now);
        ++steps_;
        step_entry_ = runner_->step_entered() - called;
        return frames_;
    }

    void finish() override
    {
        if (values_) std::exchange(values_, std::nullopt)->close();
        if (!runner_) return;
        named([&] { run_while(Command::finish, " while it was terminated"); });
        runner_.reset();
        files_.reset();
    }

    Nanoseconds other_processor_time() const noexcept override
    {
        return runner_ ? runner_->other_processor_time() : Nanoseconds(0);
    }
    std::uint64_t peak_process_bytes() const noexcept override { return runner_ ? runner_->peak_process_bytes() : 0; }

private:
    struct Input {
        std::uint32_t channel = 0;
        std::size_t binary = 0;
        InputEncoder encoder;
        Frame prepared;  ///< already set; owns its bytes, so that no other frame has the same address

        [[nodiscard]] bool is_prepared(const Frame& frame) const
        {
            return prepared.owner && prepared.owner == frame.owner && prepared.bytes.data() == frame.bytes.data() &&
                   prepared.bytes.size() == frame.bytes.size();
        }
    };

    /// The text of an error is the rest of a sentence: prefixes it with the name of the model.
    template <class Action>
    void named(Action&& action)
    {
        try {
            action();
        } catch (const Error& e) {
            throw Error(e.cause(), name_ + " " + e.what());
        }
    }

    [[nodiscard]] Nanoseconds first_step(const PlayStart& start) const
    {
        if (start.step > Nanoseconds(0)) return start.step;
        if (model_.default_step) return *model_.default_step;
        throw Error(
            Cause::mismatch,
            "needs the length of its first step, which neither the frames nor its description (DefaultExperiment) "
            "contain. Set the start time (--start-time T) or the length of all steps (--step-size S)");
    }

    /// A model may only take steps of one length, that of the first step. Timestamps are rounded.
    void check_length(Nanoseconds duration, std::span<const Frame> inputs) const
    {
        constexpr Nanoseconds rounded = std::chrono::microseconds(1);
        if (model_.variable_steps || std::chrono::abs(duration - first_step_) <= rounded) return;
        const auto frame = inputs.empty() ? steps_ : inputs.front().index;
        const auto usual = usual_step_ > Nanoseconds(0) ? usual_step_
                           : duration > rounded         ? std::min(duration, first_step_)
                                                        : first_step_;
        const bool begins_otherwise =
            usual_step_ > Nanoseconds(0) && std::chrono::abs(usual_step_ - first_step_) > rounded;
        const auto pace = exact_seconds_text(without_jitter(usual));
        throw Error(Cause::unsupported,
                    name_ +
                        " takes steps of one length only (canHandleVariableCommunicationStepSize): the step to frame " +
                        std::to_string(frame) + " is " + exact_seconds_text(duration) + " long, the first one " +
                        exact_seconds_text(first_step_) + ". Step it at a fixed pace: --step-size " +
                        pace.substr(0, pace.find(' ')) + (begins_otherwise ? ", without --start-time" : ""));
    }

    void prepare_inputs(const TraceInfo& trace)
    {
        std::vector<std::string> left_out;
        inputs_.clear();
        for (const auto& wire : wires_) {
            const auto& channel = trace.channels[wire.channel];
            const auto& variable = model_.binaries[wire.binary];
            auto& input =
                inputs_.emplace_back(Input{wire.channel, wire.binary, InputEncoder(channel, variable.format), {}});
            if (input.encoder.converts())
                say("'" + channel.topic + "' is converted from " + std::string(row_of(channel.format.encoding).name) +
                    " to " + std::string(row_of(variable.format.encoding).name) + " for " + variable.name);
        }
        for (std::uint32_t i = 0; i < trace.channels.size(); ++i)
            if (std::ranges::find(wires_, i, &Wire::channel) == wires_.end() && !is_map_channel(trace.channels[i]))
                left_out.push_back(trace.channels[i].topic);
        if (!left_out.empty()) say("has no input for " + listed(left_out));
        for (const auto& variable : model_.unknown)
            say(variable.name + " carries a message of an unknown type and is ignored");
    }

    void load(const PlayStart& start)
    {
        files_.emplace(model_);
        HostSetup setup{.fmi_version = static_cast<std::uint32_t>(model_.fmi_version),
                        .library = files_->library().string(),
                        .resources = (files_->folder() / "resources").generic_string(),
                        .instance_name = name_,
                        .token = model_.token,
                        .start_time = seconds(distance(start.step, start.now)),
                        .verbose = options_.verbose ? 1U : 0U,
                        .max_message_bytes = std::min(options_.max_message_bytes, max_encodable_bytes),
                        .scratch = options_.in_process ? std::string() : files_->folder().string(),
                        .parameters = parameters_};
        for (const auto& variable : model_.binaries)
            setup.binaries.push_back({variable.name, use_of(variable), variable.references});
        if (!options_.outputs.empty()) {
            setup.values = scalars_ = scalar_outputs(model_);
            setup.binaries.push_back({"outputs", BinaryUse::values, {}});
        }
        runner_ = options_.in_process ? run_in_process(setup, options_.on_message, options_.on_program_end)
                                      : run_in_child(setup, options_.host_program, options_.on_message, options_.stop);
        run_while(Command::load, " while it was loaded");
    }

    void run(Command command, StepTime time)
    {
        try {
            runner_->run(command, time,
                         command == Command::step ? options_.timeout
                                                  : std::max(options_.initialization_timeout, options_.timeout));
        } catch (const ModelGone&) {
            runner_.reset();
            throw;
        }
    }

    void run_while(Command command, std::string_view doing)
    {
        try {
            run(command, {});
        } catch (const ModelGone& gone) {
            throw Error(gone.cause(), gone.reason() + std::string(doing));
        }
    }

    void set_inputs(std::span<const Frame> frames)
    {
        for (auto& input : inputs_) {
            const auto frame = std::ranges::find(frames, input.channel, &Frame::channel);
            if (frame == frames.end())
                runner_->set_input(input.binary, {});
            else if (!input.is_prepared(*frame))
                set_input(input, *frame);
        }
    }

    void prepare(Input& input, std::span<const Frame> frames)
    {
        const auto frame = std::ranges::find(frames, input.channel, &Frame::channel);
        if (frame != frames.end() && input.is_prepared(*frame)) return;
        input.prepared = {};
        if (frame == frames.end() || !frame->owner) return runner_->set_input(input.binary, {});
        set_input(input, *frame);
        input.prepared = *frame;
    }

    void set_input(Input& input, const Frame& frame)
    {
        runner_->set_input(input.binary, input.encoder.encode(frame.bytes));
    }

    void log_scalars(Nanoseconds now)
    {
        const auto bytes = runner_->output(model_.binaries.size());
        std::vector<double> values(std::min(scalars_.size(), bytes.size() / sizeof(double)));
        for (std::size_t i = 0; i != values.size(); ++i)
            values[i] = ositrace::load<double>(bytes.data() + sizeof(double) * i);
        values_->write(now, values);
    }

    void take_outputs(Nanoseconds now)
    {
        frames_.clear();
        for (std::uint32_t i = 0; i < outputs_.size(); ++i) {
            const auto message = runner_->output(outputs_[i]);
            if (message.empty()) continue;
            auto owner = pool_.take();
            owner->clear(message.size());
            owner->append(message);
            const auto& channel = info_.channels[i];
            check_output(owner->bytes(), channel, model_.binaries[outputs_[i]].name);
            Frame frame{.bytes = owner->bytes(), .owner = owner, .channel = i, .index = returned_++};
            frame.time = time_in_range_of(frame, channel).value_or(now);
            frames_.push_back(std::move(frame));
        }
    }

    void say(const std::string& text) const
    {
        if (options_.on_message) options_.on_message(text);
    }

    FmuOptions options_;
    FmuDescription model_;
    std::string name_;
    TraceInfo info_{.container = {.name = "fmu"}, .compression = "none"};
    std::vector<HostParameter> parameters_;
    std::vector<HostParameter> scalars_;  ///< scalar outputs that are logged
    std::optional<ValueLog> values_;
    std::vector<Wire> wires_;
    std::vector<Input> inputs_;
    std::vector<std::size_t> outputs_;  ///< places in model_.binaries, by channel
    std::optional<UnpackedModel> files_;
    std::unique_ptr<ModelRunner> runner_;  // destroyed before its files
    MessagePool pool_;
    std::vector<Frame> frames_;
    Nanoseconds step_entry_{};
    Nanoseconds first_step_{};
    Nanoseconds usual_step_{};  ///< PlayStart::usual
    std::uint64_t steps_ = 0;
    std::uint64_t returned_ = 0;
};

}  // namespace

std::unique_ptr<FmuModel> open_fmu(const std::filesystem::path& fmu, FmuOptions options)
{
    return std::make_unique<LoadedFmu>(fmu, std::move(options));
}

}  // namespace ositrace
