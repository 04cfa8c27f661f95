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
#include "lib/fmu/host/shared_library.hpp"

namespace ositrace::fmu {

/// Memory that a model says holds its message. Nothing of it is to be believed.
struct Claim {
    const void* data = nullptr;
    std::int64_t size = 0;
};

/// The life of one instance in the words of either FMI. Every call throws Error with what the model answered.
class FmiModel {
public:
    FmiModel(unsigned known_states, const Log& log) : answers(known_states, log) {}
    virtual ~FmiModel() = default;  ///< frees the instance, unless it was abandoned
    /// The model said that nothing of it may be called any more.
    void abandon() noexcept { abandoned_ = true; }
    /// Instantiates, sets the parameters and enters initialisation mode.
    virtual void begin(const HostSetup& setup) = 0;
    virtual void end_initialization() = 0;
    /// The bytes must live as OSMP says: an FMI 2 model gets their address.
    virtual void set(const HostBinary& binary, Bytes bytes) = 0;
    [[nodiscard]] virtual Claim get(const HostBinary& binary) = 0;
    /// Of a scalar output: a number, 0 or 1.
    [[nodiscard]] virtual double value(const HostParameter& variable) = 0;
    virtual void step(double from, double duration) = 0;
    virtual void terminate() = 0;

    Answers answers;

protected:
    bool abandoned_ = false;
};

/// `library` and `log` must outlive the model.
[[nodiscard]] std::unique_ptr<FmiModel> make_fmi2_model(const SharedLibrary& library, const Log& log);
[[nodiscard]] std::unique_ptr<FmiModel> make_fmi3_model(const SharedLibrary& library, const Log& log);

/// `warning (category): message`, without the line break at its end.
[[nodiscard]] std::string log_line(std::string_view status, const char* category, std::string_view message);

/// Throws Error (usage) for a parameter of a type that cannot be set.
[[noreturn]] void fail_parameter_type(const HostParameter& parameter);

}  // namespace ositrace::fmu
