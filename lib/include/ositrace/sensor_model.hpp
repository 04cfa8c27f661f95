// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>

#include <ositrace/export.hpp>
#include <ositrace/frame_sink.hpp>

namespace ositrace {

/// A model that is stepped through time: a sensor model, an FMU, or a source without inputs. It reads frames of the
/// input channels and returns frames of its own channels. One thread at a time.
class OSITRACE_API SensorModel {
public:
    virtual ~SensorModel() = default;
    /// Once, before the first step: `inputs` are the channels that the frames of step() belong to. Throws Error when
    /// the model cannot work with them, naming what it lacks.
    virtual void initialize(const TraceInfo& inputs, const PlayStart& start) = 0;
    /// The channels that step() returns frames of. Known after initialize(), may grow with a step.
    [[nodiscard]] virtual const TraceInfo& outputs() const noexcept = 0;
    /// The frames of the next step, where they are known before it is due: for work that needs no punctuality. May be
    /// called several times; step() may still receive other frames.
    virtual void prepare(std::span<const Frame> inputs) { static_cast<void>(inputs); }
    /// One step, which ends at `now` and lasts `step`: 1 ns or more; 0 only for the first step, if the duration is
    /// unknown. `inputs`: the frames of this moment, at most one of a channel. The frames returned belong to the
    /// channels of outputs(), have the time `now` unless the message states another one, and own their bytes; the
    /// span lives until the next call. Throws Error.
    [[nodiscard]] virtual std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds now,
                                                      Nanoseconds step) = 0;
    /// Called after the last step.
    virtual void finish() {}
    /// Processor time of another process that works for it, until now.
    [[nodiscard]] virtual Nanoseconds other_processor_time() const noexcept { return {}; }
};

}  // namespace ositrace
