// SPDX-License-Identifier: MPL-2.0
// What our FMUs have in common, for both versions of FMI.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_type.hpp>

#include "app/fmu/ports.hpp"
#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

/// Every FMU has this output, as is common for OSMP.
inline constexpr std::string_view valid_name = "valid";
/// FMUs that send messages have this parameter.
inline constexpr std::string_view encoding_name = "encoding";
/// Every FMU has this parameter.
inline constexpr std::string_view performance_log_name = "performance_log";

// The names of message variables.

/// OSMP's name where it has one, else one by the same rule: `OSMPGroundTruthOut`. Empty for SensorViewConfiguration,
/// which OSMP negotiates before the first step.
[[nodiscard]] inline std::string output_name(MessageType type)
{
    if (type == MessageType::sensor_view_configuration) return {};
    return "OSMP" + std::string(row_of(type).name) + "Out";
}

/// `OSMPSensorViewIn`. OSMP has no other input for GroundTruth than that of the initialization, but one may wish to
/// record it.
[[nodiscard]] inline std::string input_name(MessageType type)
{
    if (type == MessageType::sensor_view_configuration) return {};
    return "OSMP" + std::string(row_of(type).name) + "In";
}

/// What a sensor model requests and receives before the first step (OSMP).
inline constexpr std::string_view configuration_request_name = "OSMPSensorViewInConfigRequest";
inline constexpr std::string_view configuration_name = "OSMPSensorViewInConfig";
inline constexpr std::string_view ground_truth_init_name = "OSMPGroundTruthInit";

/// FMI's seconds as nanoseconds, rounded: the error of a million added steps does not change the frame. `what`: for the
/// message. Throws Error (usage) beyond what int64 counts.
[[nodiscard]] inline Nanoseconds nanoseconds(double seconds, const char* what)
{
    const double result = std::round(seconds * 1e9);
    if (!(std::abs(result) < 9.2e18))
        throw Error(Cause::usage, std::string(what) + ": " + std::to_string(seconds) + " s is beyond 292 years");
    return Nanoseconds(static_cast<Nanoseconds::rep>(result));
}

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
