// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <QString>

#include <ositrace/sensor_model.hpp>

namespace ositrace::gui {

/// A sensor model to be run beside a trace, and its parameters.
struct ModelChoice {
    std::filesystem::path fmu;                      ///< empty: the dummy sensor
    std::map<std::string, std::string> parameters;  ///< by name, as text; those that are not set are as in the model
    std::optional<std::filesystem::path> record;    ///< a file for what the model returns
    std::chrono::milliseconds step_timeout = std::chrono::seconds(10);
};

/// `DummySensor`, or the name of the FMU.
[[nodiscard]] std::string name_of(const ModelChoice& choice);

/// Creates an instance; an FMU runs in a process of its own. Throws Error.
[[nodiscard]] std::unique_ptr<SensorModel> make_model(const ModelChoice& choice, const std::stop_token& stop);

/// Can the program run FMUs?
[[nodiscard]] bool runs_fmus() noexcept;

struct ModelParameter {
    QString name;
    QString type;   ///< `Real`, `Boolean`
    QString start;  ///< the value without a setting
};

/// The parameters of the dummy sensor, or of an FMU, from its description. Reads the file: not in the GUI thread.
/// Throws Error.
[[nodiscard]] std::vector<ModelParameter> parameters_of(const std::filesystem::path& fmu);

}  // namespace ositrace::gui
