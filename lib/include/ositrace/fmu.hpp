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
#include <ositrace/export.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/sensor_model.hpp>
#include <ositrace/transcoder.hpp>

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
    std::string type;  ///< as the description spells it: `Real`, `UInt16`
    FmuCausality causality = FmuCausality::local;
    std::uint32_t reference = 0;
    std::string start;  ///< as written; may be empty
};

/// A variable that carries an OSI message: one Binary in FMI 3, three Integers (address halves and size) in FMI 2.
struct FmuBinaryVariable {
    std::string name;  ///< `OSMPSensorViewIn[1]`
    FmuCausality causality = FmuCausality::input;
    std::string mime_type;  ///< as written
    MessageType type = MessageType::sensor_view;
    std::optional<OsiVersion> version;
    /// OSMP registers no MIME type for FlatBuffers; we write and read `application/x-open-simulation-interface;
    /// type=SensorView; version=3.8.0; encoding=flatbuffers` (and `layout=declared` where it is not the numbered one).
    /// A model that has a String parameter `encoding` may say it there instead.
    Format format;
    std::array<std::uint32_t, 3> references{};  ///< FMI 2: base.lo, base.hi, size; FMI 3: the first
};

/// One that carries an OSI message which is not known here.
struct FmuUnknownVariable {
    std::string name;
    FmuCausality causality = FmuCausality::input;
    std::string mime_type;  ///< as written
};

/// What modelDescription.xml says, as far as a replay needs it.
struct FmuDescription {
    std::filesystem::path file;
    int fmi_version = 2;  ///< 2 or 3
    std::string model_name;
    std::string model_identifier;  ///< of the co-simulation interface: the name of the library
    std::string token;             ///< guid in FMI 2, instantiationToken in FMI 3
    std::string description;
    std::string osmp_version;     ///< empty: the model claims none
    bool variable_steps = false;  ///< canHandleVariableCommunicationStepSize: steps may differ in length
    bool needs_execution_tool = false;
    std::optional<Nanoseconds> default_step;  ///< of DefaultExperiment
    std::vector<FmuVariable> variables;
    std::vector<FmuBinaryVariable>
        binaries;  ///< in the order of the description; those whose MIME type is not OSI are left out
    std::vector<FmuUnknownVariable> unknown;
};

/// Reads the description of an .fmu; nothing is unpacked or run. Throws Error (io, malformed, unsupported, limit).
[[nodiscard]] OSITRACE_API FmuDescription read_fmu_description(const std::filesystem::path& fmu);

struct FmuOptions {
    std::string name;  ///< of the instance: stands before its topics and in messages; empty: that of the file
    std::map<std::string, std::string> parameters;  ///< by name; values as text, read by the parameter's type
    std::filesystem::path
        outputs;  ///< a CSV file for the scalar outputs (`count`, `valid`): a line per step; empty: none
    bool overwrite_outputs = false;
    std::map<std::string, std::string> connections;  ///< topic -> variable; the rest goes by message type, in order
    /// Load the model into this process, in a link namespace of its own: at most 11 in its life, a crash ends the
    /// program, and a model that hangs is not noticed. It gets copies of its inputs, and what it prints goes to
    /// on_message, as from a child.
    bool in_process = false;
    std::chrono::milliseconds timeout = std::chrono::seconds(10);  ///< that one step may take
    std::chrono::milliseconds initialization_timeout =
        std::chrono::seconds(60);  ///< that loading and each part of initialising may take
    /// A call that has not returned 1 s after the stop (the last one 10 s after it) is ended with its process: Error
    /// (cancelled).
    std::stop_token stop;
    std::size_t max_message_bytes = default_max_message_bytes;  ///< of an output; larger ones are refused
    /// The program that runs the model; empty: what OSITRACE_FMU_HOST names, else `ositrace-fmu-host` beside the
    /// running program or in the libexec folder it was installed with.
    std::filesystem::path host_program;
    /// The model logs what it does (loggingOn), and every warning that it answers is shown, not only the first one and
    /// their number.
    bool verbose = false;
    /// Takes what the model prints and logs, and what the host has to say, line by line; from a thread of its own.
    std::function<void(std::string_view line)> on_message;
    /// A model in this process has called exit(): takes what is to be said of it, as the program's last word. Then the
    /// program ends with exit code 1: nothing of it can go on, and no destructor runs. (_exit() and a crash end the
    /// program at once.)
    std::function<void(std::string_view line)> on_program_end;
};

/// Removes the temporary folders of all models in this process: for a program that is about to end without their
/// destructors. Any thread.
OSITRACE_API void remove_fmu_folders() noexcept;

/// An FMU as a sensor model. Channels go to its OSMP inputs; its OSMP outputs are channels named `NAME.VARIABLE`. A
/// model that crashes, ends its process, hangs or returns what cannot be believed is an Error that names it and the
/// frame; the process lives on.
class OSITRACE_API FmuModel final : public SensorModel {
public:
    /// Reads the description. Throws as read_fmu_description() does, Error (usage) for a parameter that the model does
    /// not have, and (unsupported) for a model that needs another program to run in, that has neither an input nor an
    /// output for OSI messages, or that has outputs for unknown ones only.
    explicit FmuModel(const std::filesystem::path& fmu, FmuOptions options = {});
    ~FmuModel() override;

    [[nodiscard]] const FmuDescription& description() const noexcept;

    /// Unpacks, loads and initialises the model. With the first frames: OSMPGroundTruthInit gets what is static in
    /// them, and a request for a SensorViewConfiguration is answered by what they hold. Throws Error.
    void initialize(const TraceInfo& inputs, const PlayStart& start) override;
    [[nodiscard]] const TraceInfo& outputs() const noexcept override;
    /// Converts the messages and copies them to where the model will find them.
    void prepare(std::span<const Frame> inputs) override;
    /// Throws Error (unsupported), too, for a step of another length where the model takes steps of one length only.
    [[nodiscard]] std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds now,
                                              Nanoseconds step) override;
    void finish() override;
    /// Of the process that the model runs in.
    [[nodiscard]] Nanoseconds other_processor_time() const noexcept override;

    /// From the last call of step() to the entry of the model's own, by CLOCK_MONOTONIC: for benchmarks.
    [[nodiscard]] Nanoseconds last_step_entry() const noexcept;
    /// The most memory that the process of the model has held until now, libraries and messages shared with this
    /// process included; 0 where it has none of its own or has ended. For benchmarks.
    [[nodiscard]] std::uint64_t peak_process_bytes() const noexcept;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
