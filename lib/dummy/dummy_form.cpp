// SPDX-License-Identifier: MPL-2.0
#include "lib/dummy/dummy_form.hpp"

#include <string>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "lib/model/message_pool.hpp"

namespace ositrace::dummy {

namespace {

TraceInfo info_of(MessageType type, Format format)
{
    const auto& row = row_of(type);
    TraceInfo info;
    auto& channel = info.channels.emplace_back();
    channel.topic = row.name;
    channel.type = type;
    channel.type_name = row.full_name;
    channel.format = format;
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(type);
    return info;
}

/// What a model returns: one frame of one channel.
class Output {
public:
    explicit Output(ModelObserver observer) : observer_(std::move(observer)) {}

    void open(MessageType type, Format format) { info_ = info_of(type, format); }
    [[nodiscard]] const TraceInfo& info() const noexcept { return info_; }
    void tell(PerformanceEvent event, MessageType message, std::uint64_t bytes) const
    {
        if (observer_) observer_(event, message, bytes);
    }
    template <class Form>
    std::span<const Frame> serialize(Form& form, MessageType type, Nanoseconds now)
    {
        frame_ = {};  // its buffer is free for the next one
        const auto buffer = shelf_.take();
        tell(PerformanceEvent::start_serialize, type, 0);
        form.serialize(*buffer);
        tell(PerformanceEvent::stop_serialize, type, buffer->size());
        frame_.bytes = buffer->bytes();
        frame_.owner = buffer;
        frame_.index = index_++;
        frame_.time = now;
        return {&frame_, 1};
    }

private:
    ModelObserver observer_;
    TraceInfo info_;
    MessagePool shelf_;
    Frame frame_;
    std::uint64_t index_ = 0;
};

class SensorOfForm final : public SensorModel {
public:
    SensorOfForm(std::unique_ptr<SensorForm> form, ModelObserver observer)
        : form_(std::move(form)), output_(std::move(observer))
    {
    }

    void initialize(const TraceInfo& inputs, const PlayStart&) override
    {
        file_ = inputs.file;
        input_ = channel_of(inputs);
        output_.open(MessageType::sensor_data, form_->open(inputs.channels[input_]));
    }
    const TraceInfo& outputs() const noexcept override { return output_.info(); }
    std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds now, Nanoseconds) override
    {
        for (const auto& frame : inputs)
            if (frame.channel == input_) return sense(frame, now);
        return {};
    }

private:
    static std::uint32_t channel_of(const TraceInfo& inputs)
    {
        std::string found;
        for (std::uint32_t i = 0; i < inputs.channels.size(); ++i) {
            const auto& channel = inputs.channels[i];
            if (channel.type == MessageType::sensor_view && channel.root != nullptr) return i;
            found.append(found.empty() ? "" : ", ").append(channel.type_name);
        }
        throw Error(Cause::mismatch, "the dummy sensor takes osi3.SensorView, and the trace holds " +
                                         (found.empty() ? "no channel" : found) +
                                         ". `osiconvert wrap gt2sv` makes a SensorView of GroundTruth.");
    }
    std::span<const Frame> sense(const Frame& frame, Nanoseconds now)
    try {
        output_.tell(PerformanceEvent::start_deserialize, MessageType::sensor_view, frame.bytes.size());
        form_->deserialize(frame.bytes);
        output_.tell(PerformanceEvent::stop_deserialize, MessageType::sensor_view, frame.bytes.size());
        form_->calculate(now);
        return output_.serialize(*form_, MessageType::sensor_data, now);
    } catch (const Error& error) {
        throw within_frame(error, frame, file_);
    }

    std::unique_ptr<SensorForm> form_;
    Output output_;
    std::filesystem::path file_;
    std::uint32_t input_ = 0;
};

class SourceOfForm final : public SensorModel {
public:
    SourceOfForm(std::unique_ptr<SourceForm> form, ModelObserver observer)
        : form_(std::move(form)), output_(std::move(observer))
    {
    }

    void initialize(const TraceInfo&, const PlayStart&) override
    {
        output_.open(MessageType::sensor_view, form_->format());
    }
    const TraceInfo& outputs() const noexcept override { return output_.info(); }
    std::span<const Frame> step(std::span<const Frame>, Nanoseconds now, Nanoseconds) override
    {
        output_.tell(PerformanceEvent::start_source_calculation, MessageType::sensor_view, 0);
        form_->generate(now);
        return output_.serialize(*form_, MessageType::sensor_view, now);
    }

private:
    std::unique_ptr<SourceForm> form_;
    Output output_;
};

}  // namespace

std::unique_ptr<SensorModel> model_of(std::unique_ptr<SensorForm> form, ModelObserver observer)
{
    return std::make_unique<SensorOfForm>(std::move(form), std::move(observer));
}

std::unique_ptr<SensorModel> model_of(std::unique_ptr<SourceForm> form, ModelObserver observer)
{
    return std::make_unique<SourceOfForm>(std::move(form), std::move(observer));
}

}  // namespace ositrace::dummy
