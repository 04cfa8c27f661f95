// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <ositrace/bytes.hpp>

#include "lib/fmu/host/fmi_model.hpp"
#include "lib/fmu/host/host_setup.hpp"
#include "lib/system/model_library.hpp"

namespace ositrace::fmu {

enum class Command : std::uint32_t { load, initialize, step, finish };

/// The step of Command::step, seconds.
struct StepTime {
    double from = 0;
    double duration = 0;
};

/// The source and the destination of messages, by their index in HostSetup::binaries.
class MessageExchange {
public:
    virtual ~MessageExchange() = default;
    /// Empty: no message. Valid until the end of the next step.
    [[nodiscard]] virtual Bytes input(std::size_t binary) = 0;
    /// Has the model already received it by ModelHost::set_inputs()?
    [[nodiscard]] virtual bool is_set(std::size_t binary) const noexcept { return static_cast<void>(binary), false; }
    virtual void was_set(std::size_t binary) noexcept { static_cast<void>(binary); }
    virtual void no_output(std::size_t binary) = 0;
    /// Copies the readable part of `size` bytes at an untrusted address; returns the number of bytes copied.
    virtual std::size_t take_output(std::size_t binary, const void* data, std::size_t size) = 0;
    /// Called when the step of the model begins.
    virtual void step_entered() = 0;
};

/// A model in this process. One call at a time; not thread-safe.
class ModelHost {
public:
    /// `guard`: for a model in a link namespace of its own.
    ModelHost(HostSetup setup, ModelLibrary::Where where, Log log, const ProgramGuard& guard = {});
    /// Throws Error with what the model did; its text continues a sentence that begins with the name of the model.
    void execute(Command command, StepTime time, MessageExchange& exchange);
    /// Passes the inputs of the next step to the model, so that the step begins sooner. Throws as execute() does.
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
    ModelLibrary::Where where_;
    ProgramGuard guard_;
    Log log_;
    std::vector<double> values_;
    std::optional<ModelLibrary> library_;
    std::unique_ptr<FmiModel> model_;  // destroyed before its library
};

}  // namespace ositrace::fmu
