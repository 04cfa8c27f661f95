// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <ositrace/bytes.hpp>

#include "lib/fmu/host/fmi_answer.hpp"
#include "lib/fmu/host/host_setup.hpp"
#include "lib/system/model_library.hpp"

namespace ositrace::fmu {

/// The address and size that a model returns for its message. Untrusted.
struct Claim {
    const void* data = nullptr;
    std::int64_t size = 0;
};

/// One instance, behind the interface of FMI 2 or FMI 3. Every call throws Error with the state that the model
/// returned.
class FmiModel {
public:
    FmiModel(unsigned known_states, const Log& log) : answers(known_states, log) {}
    virtual ~FmiModel() = default;  ///< frees the instance, unless it was abandoned
    /// The model returned `fatal`: none of its functions may be called any more.
    void abandon() noexcept { abandoned_ = true; }
    /// Instantiates, sets the parameters and enters initialisation mode.
    virtual void begin(const HostSetup& setup) = 0;
    virtual void end_initialization() = 0;
    /// The bytes must live as long as OSMP requires: an FMI 2 model gets their address.
    virtual void set(const HostBinary& binary, Bytes bytes) = 0;
    [[nodiscard]] virtual Claim get(const HostBinary& binary) = 0;
    /// The value of a scalar output: a number; 0 or 1 for booleans.
    [[nodiscard]] virtual double value(const HostParameter& variable) = 0;
    virtual void step(double from, double duration) = 0;
    virtual void terminate() = 0;

    Answers answers;

protected:
    bool abandoned_ = false;
};

/// `library` and `log` must outlive the model.
[[nodiscard]] std::unique_ptr<FmiModel> make_fmi2_model(const ModelLibrary& library, const Log& log);
[[nodiscard]] std::unique_ptr<FmiModel> make_fmi3_model(const ModelLibrary& library, const Log& log);

/// `warning (category): message`, without the line break at its end.
[[nodiscard]] std::string log_line(std::string_view status, const char* category, std::string_view message);

/// Throws Error (usage) for a parameter of a type that cannot be set.
[[noreturn]] void fail_parameter_type(const HostParameter& parameter);

}  // namespace ositrace::fmu
