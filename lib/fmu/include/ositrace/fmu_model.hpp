// SPDX-License-Identifier: MPL-2.0
// Sensor models as FMUs (FMI 2.0 and 3.0 co-simulation) that speak OSMP. Target ositrace::ositrace_fmu.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/encoding.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/sensor_model.hpp>

namespace ositrace {

enum class FmuCausality : std::uint8_t {
    parameter,
    calculated_parameter,
    input,
    output,
    local,
    independent,
    structural_parameter
};

/// A variable of a model as its description lists it.
struct FmuVariable {
    std::string name;
    std::string type;  ///< as in the description: `Real`, `UInt16`
    FmuCausality causality = FmuCausality::local;
    std::uint32_t reference = 0;
    std::string start;  ///< as written; may be empty
};

/// A variable for an OSI message: one Binary in FMI 3, three Integers (address halves and size) in FMI 2.
struct FmuBinaryVariable {
    std::string name;  ///< `OSMPSensorViewIn[1]`
    FmuCausality causality = FmuCausality::input;
    std::string mime_type;  ///< as written
    MessageType type = MessageType::sensor_view;
    std::optional<OsiVersion> version;
    /// OSMP registers no MIME type for FlatBuffers; ositrace uses `application/x-open-simulation-interface;
    /// type=SensorView; version=3.8.0; encoding=flatbuffers` (and `layout=declared` for the declared layout). A model
    /// can declare the encoding in a String parameter `encoding` instead.
    Format format;
    std::array<std::uint32_t, 3> references{};  ///< FMI 2: base.lo, base.hi, size; FMI 3: the first
};

/// A variable for an OSI message of an unknown type.
struct FmuUnknownVariable {
    std::string name;
    FmuCausality causality = FmuCausality::input;
    std::string mime_type;  ///< as written
};

/// The part of modelDescription.xml that a replay needs.
struct FmuDescription {
    std::filesystem::path file;
    int fmi_version = 2;  ///< 2 or 3
    std::string model_name;
    std::string model_identifier;  ///< of the co-simulation interface: the name of the library
    std::string token;             ///< guid in FMI 2, instantiationToken in FMI 3
    std::string description;
    std::string osmp_version;     ///< empty: the model declares none
    bool variable_steps = false;  ///< canHandleVariableCommunicationStepSize: steps may differ in length
    bool needs_execution_tool = false;
    std::optional<Nanoseconds> default_step;  ///< of DefaultExperiment
    std::vector<FmuVariable> variables;
    std::vector<FmuBinaryVariable> binaries;  ///< in the order of the description, without those of another MIME type
    std::vector<FmuUnknownVariable> unknown;
};

/// Reads the description of an .fmu. Nothing is unpacked or run. Throws Error (missing, io, malformed, unsupported,
/// limit).
[[nodiscard]] FmuDescription read_fmu_description(const std::filesystem::path& fmu);

struct FmuOptions {
    std::string name;  ///< of the instance: prefix of its topics and of messages; empty: the name of the file
    std::map<std::string, std::string> parameters;  ///< by name; values as text, read by the parameter's type
    std::filesystem::path
        outputs;  ///< a CSV file for the scalar outputs (`count`, `valid`): a line per step; empty: none
    bool overwrite_outputs = false;
    std::map<std::string, std::string>
        connections;  ///< topic -> variable; other channels are connected by message type, in order
    /// Loads the model into this process, in a link namespace of its own: at most 11 models per process; a crash ends
    /// the program; a model that hangs is not detected. It receives copies of its inputs, and what it prints goes to
    /// on_message, as in a child process.
    bool in_process = false;
    std::chrono::milliseconds timeout = std::chrono::seconds(10);  ///< for one step
    std::chrono::milliseconds initialization_timeout =
        std::chrono::seconds(60);  ///< for loading and for each part of the initialisation
    /// The process of a call that has not returned 1 s after the stop (10 s for the last call) is killed: Error
    /// (cancelled).
    std::stop_token stop;
    std::size_t max_message_bytes = default_max_message_bytes;  ///< of an output; larger ones are refused
    /// The program that runs the model. Empty: the path in OSITRACE_FMU_HOST, else `ositrace-fmu-host` beside the
    /// running program or in the libexec folder of its installation.
    std::filesystem::path host_program;
    /// The model logs (loggingOn), and every warning that it returns is shown, not only the first one and their number.
    bool verbose = false;
    /// Receives what the model prints and logs, and notes of the host, line by line; called on a thread of its own.
    std::function<void(std::string_view line)> on_message;
    /// Receives a final message when a model in this process has called exit(). The program then ends with exit code 1
    /// and no destructor runs. (_exit() and a crash end the program at once.)
    std::function<void(std::string_view line)> on_program_end;
};

/// Removes the temporary folders of all models in this process: for a program that ends without their destructors. Any
/// thread.
void remove_fmu_folders() noexcept;

/// An FMU as a sensor model. Channels go to its OSMP inputs; its OSMP outputs are channels named `NAME.VARIABLE`.
///
/// What the model receives: before each step, for every input whose channel has a frame, the serialized message in the
/// encoding that the input's MIME type names (converted where the trace has the other one). FMI 2.0 passes it as OSMP
/// defines, in three Integers: the two halves of its address and its size, valid until the end of the following step.
/// FMI 3.0 passes a Binary. Then doStep() from the end of the previous step to the time of the frame. An input without
/// a frame in this step receives an empty message.
///
/// initialize() unpacks, loads and initialises the model: OSMPGroundTruthInit receives the static part of the first
/// frames, and a request for a SensorViewConfiguration is answered from their contents. step() throws Error
/// (unsupported) for a step of another length if the model only takes steps of one length. A model that crashes, ends
/// its process, hangs or returns invalid data is an Error that names the model and the frame; this process continues.
class FmuModel : public SensorModel {
public:
    [[nodiscard]] virtual const FmuDescription& description() const noexcept = 0;
    /// From the last call of step() to the entry of the model's own step, by CLOCK_MONOTONIC: for benchmarks.
    [[nodiscard]] virtual Nanoseconds last_step_entry() const noexcept = 0;
    /// The largest memory of the model's process so far, including libraries and messages that it shares with this
    /// process; 0 if it has no process of its own or if that has ended. For benchmarks.
    [[nodiscard]] virtual std::uint64_t peak_process_bytes() const noexcept = 0;
};

/// Reads the description. Throws as read_fmu_description() does, Error (usage) for a parameter that the model does not
/// have, and (unsupported) for a model that needs another program to run in, that has neither an input nor an output
/// for OSI messages, or whose outputs are all of unknown types.
[[nodiscard]] std::unique_ptr<FmuModel> open_fmu(const std::filesystem::path& fmu, FmuOptions options = {});

}  // namespace ositrace
