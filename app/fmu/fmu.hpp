// SPDX-License-Identifier: MPL-2.0
// What an FMU of ours is, whatever version of FMI it is packed for.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <ositrace/encoding.hpp>
#include <ositrace/frame.hpp>

#include "app/fmu/ports.hpp"
#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

/// Every FMU has this output, as those of the field have.
inline constexpr std::string_view valid_name = "valid";
/// FMUs that send messages have this parameter.
inline constexpr std::string_view encoding_name = "encoding";
/// Every FMU has this parameter.
inline constexpr std::string_view performance_log_name = "performance_log";

/// One instance at work, from the end of its initialization to its end. Its parameters are those of the ports it was
/// made with. Every function may throw; the first error ends the simulation. Destroyed without finish() it keeps what
/// is worth keeping.
class Model {
public:
    virtual ~Model() = default;
    /// A step that ends at `now` and lasts `step`.
    virtual void step(Nanoseconds now, Nanoseconds step) = 0;
    virtual void finish() {}
};

/// A row: an FMU that we build.
struct Kind {
    std::string_view name;  ///< the model identifier: of the file, and of the binary in it
    std::string_view description;
    Encoding encoding = Encoding::protobuf;  ///< of its messages, by their MIME types
    double step_size = 0;                    ///< of the default experiment, seconds
    Variables variables;
    /// `ports` must outlive the model. Outputs put here are there at `start`, before the first step.
    std::function<std::unique_ptr<Model>(Ports& ports, Nanoseconds start)> make;
    /// Puts the calculated parameters, when the initialization begins and again behind every parameter that is set in
    /// it; may be empty.
    std::function<void(Ports& ports)> calculate = {};
};

/// All of them, in files of their own.
[[nodiscard]] const Kind& dummy_sensor();
[[nodiscard]] const Kind& dummy_sensor_flatbuffers();
[[nodiscard]] const Kind& dummy_source();
[[nodiscard]] const Kind& dummy_source_flatbuffers();
[[nodiscard]] const Kind& trace_player();
[[nodiscard]] const Kind& trace_player_flatbuffers();
[[nodiscard]] const Kind& trace_writer();

/// The one that this binary is.
[[nodiscard]] const Kind& this_kind();

}  // namespace ositrace::fmu
