// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/start_messages.hpp"

#include <algorithm>

#include <ositrace/error.hpp>
#include <ositrace/model_start.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/fmu/output_check.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace::fmu {

namespace {

/// `[2]` of `OSMPSensorViewInConfig[2]`; empty without an index.
std::string_view place_of(std::string_view name)
{
    const auto bracket = name.rfind('[');
    return bracket == std::string_view::npos ? std::string_view() : name.substr(bracket);
}

Channel channel_for(const FmuBinaryVariable& variable)
{
    auto channel = recognized_channel({variable.type, variable.format}, Schema::built_in());
    channel.topic = variable.name;
    return channel;
}

class StartMessages {
public:
    StartMessages(const StartMaterial& material, ModelRunner& runner, const OnLine& say)
        : material_(material), runner_(runner), say_(say)
    {
    }

    void set_all()
    {
        for (std::size_t i = 0; i < material_.model.binaries.size(); ++i) {
            const auto& variable = material_.model.binaries[i];
            if (variable.causality != FmuCausality::parameter) continue;
            if (variable.type == MessageType::ground_truth)
                set_ground_truth(i);
            else if (variable.type == MessageType::sensor_view_configuration)
                set_configuration(i);
        }
    }

private:
    void set_ground_truth(std::size_t binary)
    {
        ByteBuffer message;
        for (const auto& frame : material_.start.first)
            if (static_ground_truth(frame.bytes, channel_of(frame), message)) return set(binary, message);
        tell(material_.model.binaries[binary].name + " stays empty: the first frames have no ground truth");
    }

    void set_configuration(std::size_t binary)
    {
        const auto place = place_of(material_.model.binaries[binary].name);
        const auto asked = request(place);
        const auto* const frame = first_frame(place);
        if (asked.empty() || frame == nullptr) return;
        ByteBuffer answer;
        const auto left_out =
            answer_configuration(asked, frame->bytes, channel_of(*frame), material_.start.step, answer);
        for (const auto& name : left_out) tell("the trace has no data for the " + name + " that the model requests");
        set(binary, answer);
    }

    /// In Protobuf; empty when the model asks for nothing.
    Bytes request(std::string_view place)
    {
        const auto& binaries = material_.model.binaries;
        for (std::size_t i = 0; i < binaries.size(); ++i) {
            const auto& variable = binaries[i];
            if (variable.causality != FmuCausality::calculated_parameter ||
                variable.type != MessageType::sensor_view_configuration || place_of(variable.name) != place)
                continue;
            const auto message = runner_.output(i);
            if (message.empty()) return {};
            const auto channel = channel_for(variable);
            check_output(message, channel, variable.name);
            if (variable.format.encoding == Encoding::protobuf) return message;
            Transcoder(*channel.root, variable.format, {}).transcode(message, request_);
            return request_.bytes();
        }
        return {};
    }

    /// Of the channel that goes to the SensorView input of that place.
    const Frame* first_frame(std::string_view place) const
    {
        for (const auto& wire : material_.wires) {
            const auto& variable = material_.model.binaries[wire.binary];
            if (variable.type != MessageType::sensor_view || place_of(variable.name) != place) continue;
            const auto frame = std::ranges::find(material_.start.first, wire.channel, &Frame::channel);
            if (frame != material_.start.first.end()) return &*frame;
        }
        return nullptr;
    }

    /// `message`: in Protobuf; the variable may want it otherwise.
    void set(std::size_t binary, const ByteBuffer& message)
    {
        const auto& variable = material_.model.binaries[binary];
        if (variable.format.encoding == Encoding::protobuf) return runner_.set_input(binary, message.bytes());
        ByteBuffer converted;
        Transcoder(Schema::built_in()->root(variable.type), {}, variable.format).transcode(message.bytes(), converted);
        runner_.set_input(binary, converted.bytes());
    }

    [[nodiscard]] const Channel& channel_of(const Frame& frame) const
    {
        return material_.trace.channels.at(frame.channel);
    }
    void tell(const std::string& text) const
    {
        if (say_) say_(text);
    }

    const StartMaterial& material_;
    ModelRunner& runner_;
    const OnLine& say_;
    ByteBuffer request_;
};

}  // namespace

void set_start_messages(const StartMaterial& material, ModelRunner& runner, const OnLine& say)
{
    StartMessages(material, runner, say).set_all();
}

}  // namespace ositrace::fmu
