// SPDX-License-Identifier: MPL-2.0
// What our FMUs have in common, for both versions of FMI.
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

/// Every FMU has this output, as is common for OSMP.
inline constexpr std::string_view valid_name = "valid";
/// FMUs that send messages have this parameter.
inline constexpr std::string_view encoding_name = "encoding";
/// Every FMU has this parameter.
inline constexpr std::string_view performance_log_name = "performance_log";

/// One running instance, from the end of its initialization. Its parameters are those of the ports at its creation.
/// Every function may throw; the first error ends the simulation. Destroyed without finish() it keeps its files.
class Model {
public:
    virtual ~Model() = default;
    /// A step that ends at `now` and lasts `step`.
    virtual void step(Nanoseconds now, Nanoseconds step) = 0;
    virtual void finish() {}
};

/// A row: one FMU.
struct FmuKind {
    std::string_view name;  ///< the model identifier: of the file, and of the binary in it
    std::string_view description;
    Encoding encoding = Encoding::protobuf;  ///< of its messages, by their MIME types
    double step_size = 0;                    ///< of the default experiment, seconds
    Variables variables;
    /// `ports` must outlive the model. Outputs that it sets are available at `start`, before the first step.
    std::function<std::unique_ptr<Model>(Ports& ports, Nanoseconds start)> make;
    /// Sets the calculated parameters, at the start of the initialization and after every parameter that is set in it;
    /// may be empty.
    std::function<void(Ports& ports)> calculate = {};
};

/// All FMUs, each in its own file.
[[nodiscard]] const FmuKind& dummy_sensor();
[[nodiscard]] const FmuKind& dummy_sensor_flatbuffers();
[[nodiscard]] const FmuKind& dummy_source();
[[nodiscard]] const FmuKind& dummy_source_flatbuffers();
[[nodiscard]] const FmuKind& trace_player();
[[nodiscard]] const FmuKind& trace_player_flatbuffers();
[[nodiscard]] const FmuKind& trace_writer();

/// The FMU of this binary.
[[nodiscard]] const FmuKind& this_kind();

}  // namespace ositrace::fmu
