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
    /// `DummySensor`: prefix of its topics if there are several models or if the topic is already in use.
    std::string name;
    /// Outputs of models before it that it receives as well, as channels of this topic: `left.OSMPSensorDataOut`. Other
    /// topics are ignored.
    std::vector<std::string> topics = {};
};

/// A sink for what the models return.
struct ModelOutput {
    FrameSink* sink = nullptr;
    bool with_inputs = false;  ///< also the frames that the models received
    bool held = false;         ///< also an output with the same bytes and time as in the step before
};

/// Steps sensor models, one after the other, with the frames that are played, and passes what they return to the
/// outputs: one take() per step. The length of the first step is that of PlayStart, later ones take the time since the
/// step before; 1 ns if that is 0 or less, as with two frames of one channel at the same time. A message that a model
/// holds over several steps is passed on once. The metadata `zero_time` is copied
/// into the outputs. If a model throws, the outputs receive what was returned before, also in this step. If the models
/// have several outputs, a channel exists from its first frame on. An output that receives nothing is not begun, unless
/// the models declare a single channel or inputs go there, too.
class OSITRACE_API ModelSink : public FrameSink {
public:
    [[nodiscard]] virtual std::uint64_t steps() const noexcept = 0;
    /// Frames that the models returned.
    [[nodiscard]] virtual std::uint64_t returned() const noexcept = 0;
};

/// Called once, with a frame of the first step that lasts 1 ns because it has no time of its own.
using OnEqualTime = std::function<void(const Frame& frame)>;

/// Models and outputs must outlive the sink. Its finish() finishes the models, then the outputs, each of them whatever
/// the others throw, and throws the first Error.
[[nodiscard]] OSITRACE_API std::unique_ptr<ModelSink> step_models(std::vector<SteppedModel> models,
                                                                  const std::vector<ModelOutput>& outputs,
                                                                  OnEqualTime on_equal_time = {});

}  // namespace ositrace
