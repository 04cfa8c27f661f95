// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host/model_host.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/core/message_limit.hpp"
#include "lib/fmu/host/fmi_answer.hpp"

namespace ositrace::fmu {

std::string log_line(std::string_view status, const char* category, std::string_view message)
{
    std::string line(status);
    if (category != nullptr && *category != '\0') line.append(" (").append(category).append(")");
    line.append(": ").append(message);
    while (line.ends_with('\n')) line.pop_back();
    return line;
}

void fail_parameter_type(const HostParameter& parameter)
{
    throw Error(Cause::usage, "has a parameter of type " + parameter.type + ", which cannot be set");
}

ModelHost::ModelHost(HostSetup setup, ModelLibrary::Where where, Log log, const ProgramGuard& guard)
    : setup_(std::move(setup)), where_(where), guard_(guard), log_(std::move(log))
{
}

void ModelHost::execute(Command command, StepTime time, MessageExchange& exchange)
try {
    execute_while_sane(command, time, exchange);
} catch (const FatalAnswer&) {
    abandon();
    throw;
}

void ModelHost::abandon() noexcept
{
    model_->abandon();
    library_->abandon();
    model_.reset();
}

void ModelHost::execute_while_sane(Command command, StepTime time, MessageExchange& exchange)
{
    if (library_ && model_) library_->enter();
    if (!model_ && (command == Command::initialize || command == Command::step))
        throw Error(Cause::usage, "is no longer running");
    switch (command) {
    case Command::load: return load(exchange);
    case Command::initialize: return initialize(exchange);
    case Command::step: return step(time, exchange);
    case Command::finish: return finish();
    }
}

void ModelHost::set_inputs(MessageExchange& exchange)
try {
    if (!model_) return;
    library_->enter();
    set_all(BinaryUse::input, exchange);
} catch (const FatalAnswer&) {
    abandon();
    throw;
}

void ModelHost::load(MessageExchange& exchange)
{
    library_.emplace(setup_.library, where_, guard_);
    model_ = setup_.fmi_version == 2 ? make_fmi2_model(*library_, log_) : make_fmi3_model(*library_, log_);
    model_->answers.log_every(setup_.verbose != 0);
    model_->begin(setup_);
    get_all(BinaryUse::initial_output, exchange);
}

void ModelHost::initialize(MessageExchange& exchange)
{
    set_all(BinaryUse::initial_input, exchange);
    model_->end_initialization();
}

void ModelHost::step(StepTime time, MessageExchange& exchange)
{
    set_all(BinaryUse::input, exchange);
    exchange.step_entered();
    model_->step(time.from, time.duration);
    get_all(BinaryUse::output, exchange);
    get_values(exchange);
}

void ModelHost::get_values(MessageExchange& exchange)
{
    const auto place = std::ranges::find(setup_.binaries, BinaryUse::values, &HostBinary::use);
    if (place == setup_.binaries.end()) return;
    values_.clear();
    for (const auto& variable : setup_.values) values_.push_back(model_->value(variable));
    static_cast<void>(exchange.take_output(static_cast<std::size_t>(place - setup_.binaries.begin()), values_.data(),
                                           values_.size() * sizeof(double)));
}

void ModelHost::finish()
{
    if (model_) {
        model_->terminate();
        model_->answers.sum_up();
    }
    model_.reset();
    library_.reset();
}

void ModelHost::set_all(BinaryUse use, MessageExchange& exchange)
{
    for (std::size_t i = 0; i < setup_.binaries.size(); ++i) {
        if (setup_.binaries[i].use != use || exchange.is_set(i)) continue;
        model_->set(setup_.binaries[i], exchange.input(i));
        exchange.was_set(i);
    }
}

void ModelHost::get_all(BinaryUse use, MessageExchange& exchange)
{
    for (std::size_t i = 0; i < setup_.binaries.size(); ++i)
        if (setup_.binaries[i].use == use) get(i, exchange);
}

void ModelHost::get(std::size_t binary, MessageExchange& exchange)
{
    const auto& name = setup_.binaries[binary].name;
    const auto claim = model_->get(setup_.binaries[binary]);
    const auto message = "returned " + std::to_string(claim.size) + " bytes in " + name;
    if (claim.size == 0) return exchange.no_output(binary);
    if (claim.size < 0) throw Error(Cause::malformed, message);
    if (static_cast<std::uint64_t>(claim.size) > setup_.max_message_bytes)
        throw Error(Cause::limit, message + ", which" + exceeds(setup_.max_message_bytes, "bytes"));
    if (claim.data == nullptr) throw Error(Cause::malformed, message + " at no address");
    const auto size = static_cast<std::size_t>(claim.size);
    const auto readable = exchange.take_output(binary, claim.data, size);
    if (readable < size)
        throw Error(Cause::malformed, message + ", of which " + std::to_string(readable) +
                                          " can be read: its pointer or its size is wrong");
}

}  // namespace ositrace::fmu
