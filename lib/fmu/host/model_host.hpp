// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <ositrace/bytes.hpp>

#include "lib/fmu/host/fmi_model.hpp"
#include "lib/fmu/host/host_setup.hpp"
#include "lib/fmu/host/shared_library.hpp"

namespace ositrace::fmu {

enum class Command : std::uint32_t { load, initialize, step, finish };

/// The step of Command::step, seconds.
struct StepTime {
    double from = 0;
    double duration = 0;
};

/// Where messages come from and go to, by their place in HostSetup::binaries.
class MessageExchange {
public:
    virtual ~MessageExchange() = default;
    /// Empty: there is none. Lives until the end of the next step.
    [[nodiscard]] virtual Bytes input(std::size_t binary) = 0;
    /// The model has it already, by ModelHost::set_inputs().
    [[nodiscard]] virtual bool is_set(std::size_t binary) const noexcept { return static_cast<void>(binary), false; }
    virtual void was_set(std::size_t binary) noexcept { static_cast<void>(binary); }
    virtual void no_output(std::size_t binary) = 0;
    /// Copies what can be read of `size` bytes at an address of unknown worth; returns how many those were.
    virtual std::size_t take_output(std::size_t binary, const void* data, std::size_t size) = 0;
    /// Now the model's step begins.
    virtual void step_entered() = 0;
};

/// A model in this process. Call everything on one thread, or one after the other.
class ModelHost {
public:
    /// `guard`: of a model in a namespace of its own.
    ModelHost(HostSetup setup, SharedLibrary::Where where, Log log, const ProgramGuard& guard = {});
    /// Throws Error with what the model did, as the rest of a sentence that begins with its name.
    void execute(Command command, StepTime time, MessageExchange& exchange);
    /// Gives the model what it will get in the next step, so that the step begins sooner. Throws as execute() does.
    void set_inputs(MessageExchange& exchange);

private:
    void execute_while_sane(Command command, StepTime time, MessageExchange& exchange);
    void abandon() noexcept;
    void load(MessageExchange& exchange);
    void initialize(MessageExchange& exchange);
    void step(StepTime time, MessageExchange& exchange);
    void finish();
    void set_all(BinaryUse use, MessageExchange& exchange);
    void get_all(BinaryUse use, MessageExchange& exchange);
    void get(std::size_t binary, MessageExchange& exchange);
    void get_values(MessageExchange& exchange);

    HostSetup setup_;
    SharedLibrary::Where where_;
    ProgramGuard guard_;
    Log log_;
    std::vector<double> values_;
    std::optional<SharedLibrary> library_;
    std::unique_ptr<FmiModel> model_;  // gone before its library
};

}  // namespace ositrace::fmu
