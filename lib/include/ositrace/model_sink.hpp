// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/frame_sink.hpp>
#include <ositrace/sensor_model.hpp>

namespace ositrace {

struct SteppedModel {
    SensorModel* model = nullptr;
    std::string name;  ///< `DummySensor`: stands in front of its topics where there are several models, or where a
                       ///< topic is taken
    /// Outputs of models in front of it that it is given, too, as channels of this topic: `left.OSMPSensorDataOut`.
    /// Others are passed over.
    std::vector<std::string> topics = {};
};

/// Where what the models return goes.
struct ModelOutput {
    FrameSink* sink = nullptr;
    bool with_inputs = false;  ///< the frames that the models were given, too
    bool held = false;         ///< also an output that is the same as in the step before: its bytes and its time
};

/// Steps sensor models with what is played, one behind the other, and hands on what they return; the outputs take one
/// moment with all of it. The first step lasts what PlayStart says, each other the time since the one before; 1 ns
/// where that is 0, as with two frames of one channel that have the same time, or with one whose time goes backward. A
/// message that a model holds over several steps is handed on once. Metadata of the trace that says when it was
/// (`zero_time`) goes along. When a model throws, the outputs get what was returned until then, in this step too. Where
/// the models have several outputs, each is a channel from its first frame on: one that never returns anything is none.
/// Outputs of which nothing is returned at all are not begun, unless a single one is declared or inputs go there, too.
class OSITRACE_API ModelSink final : public FrameSink {
public:
    /// Called once, with a frame of the first step that lasts 1 ns because it has no time of its own.
    using OnEqualTime = std::function<void(const Frame& frame)>;
    /// Models and outputs must outlive it.
    ModelSink(std::vector<SteppedModel> models, std::vector<ModelOutput> outputs, OnEqualTime on_equal_time = {});
    ~ModelSink() override;

    void begin(const TraceInfo& info, const PlayStart& start) override;
    void prepare(std::span<const Frame> frames, const TraceInfo& info) override;
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override;
    void source_ended(const TraceInfo& info) override;
    /// Finishes the models, then the outputs, each of them whatever the others throw; the first Error counts.
    void finish() override;
    void give_up() override;
    [[nodiscard]] Nanoseconds other_processor_time() const noexcept override;

    [[nodiscard]] std::uint64_t steps() const noexcept;
    /// Frames that the models returned.
    [[nodiscard]] std::uint64_t returned() const noexcept;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
