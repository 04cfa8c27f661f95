// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/fmu_model.hpp>

#include "lib/fmu/host/host_setup.hpp"
#include "lib/fmu/host/model_host.hpp"

namespace ositrace::fmu {

/// Where a model runs. Binaries are named by their place in HostSetup::binaries.
class ModelRunner {
public:
    virtual ~ModelRunner() = default;
    /// What steps get until it is set again; empty: nothing. The bytes are copied: what a model does to its input is
    /// its own business.
    virtual void set_input(std::size_t binary, Bytes bytes) = 0;
    /// Between the last set_input() and a step: what can be done for the step before it is due. Throws as run() does.
    virtual void prepare() {}
    /// Throws Error whose reason is the rest of a sentence that begins with the model's name; a ModelGone when it
    /// cannot be gone on with.
    virtual void run(Command command, StepTime time, std::chrono::milliseconds timeout) = 0;
    /// What the last command returned; empty: nothing. Until the next command.
    [[nodiscard]] virtual Bytes output(std::size_t binary) const = 0;
    /// CLOCK_MONOTONIC, of the last Command::step.
    [[nodiscard]] virtual std::chrono::nanoseconds step_entered() const noexcept = 0;
    /// Of another process than this one, until now.
    [[nodiscard]] virtual std::chrono::nanoseconds other_processor_time() const noexcept = 0;
    /// The same: the most memory that it has held.
    [[nodiscard]] virtual std::uint64_t peak_process_bytes() const noexcept = 0;
};

/// The model's process ended, or was ended.
class ModelGone : public Error {
public:
    using Error::Error;
};

using OnLine = std::function<void(std::string_view line)>;

/// `stop`: see FmuOptions.
[[nodiscard]] std::unique_ptr<ModelRunner> run_in_child(const HostSetup& setup,
                                                        const std::filesystem::path& host_program, OnLine on_line,
                                                        std::stop_token stop);
/// Throws Error (unsupported) in a program that cannot do it: statically linked, or with a sanitizer. `on_program_end`:
/// see FmuOptions.
[[nodiscard]] std::unique_ptr<ModelRunner> run_in_process(const HostSetup& setup, OnLine on_line,
                                                          OnLine on_program_end);

}  // namespace ositrace::fmu
