// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/instance.hpp"

#include <utility>

#include <ositrace/error.hpp>

#include "lib/trace/nanoseconds.hpp"

namespace ositrace::fmu {

Instance::Instance(const FmuKind& kind, Log log) : kind_(kind), log_(std::move(log)) { reset(); }

Instance::~Instance() = default;

void Instance::reset()
{
    model_.reset();
    ports_ =
        std::make_unique<Ports>(kind_.variables, [this](const std::string& text) { log_(LogLevel::warning, text); });
    time_ = 0;
    state_ = State::made;
}

void Instance::require(State state, const char* what) const
{
    if (state_ != state) throw Error(Cause::usage, std::string(what) + " is not allowed now");
}

void Instance::set_start(double start)
{
    require(State::made, "setting the start time");
    time_ = start;
}

void Instance::enter_initialization()
{
    require(State::made, "entering the initialization mode");
    state_ = State::initializing;
    calculate();
}

void Instance::calculate()
{
    if (state_ == State::initializing && kind_.calculate) kind_.calculate(*ports_);
}

void Instance::exit_initialization()
{
    require(State::initializing, "leaving the initialization mode");
    model_ = kind_.make(*ports_, nanoseconds(time_, "start time"));
    ports_->forget_borrowed();
    ports_->say_valid();
    state_ = State::stepping;
}

void Instance::step(double from, double step)
{
    require(State::stepping, "a step");
    const auto now = nanoseconds(from + step, "communication point");
    const auto length = distance(nanoseconds(from, "communication point"), now);
    if (length <= Nanoseconds(0))
        throw Error(Cause::usage, "a step of " + std::to_string(step) + " s; the shortest is 1 ns");
    model_->step(now, length);
    time_ = from + step;
    ports_->say_valid();
}

void Instance::terminate()
{
    const auto model = std::move(model_);  // also if finish() throws
    state_ = State::ended;
    if (model) model->finish();
}

void Instance::require_settable(std::size_t place) const
{
    const auto& variable = kind_.variables[place];
    if (variable.causality == Causality::output || variable.causality == Causality::calculated_parameter)
        throw Error(Cause::usage, variable.name + " is an output and cannot be set");
    if (variable.causality == Causality::parameter && state_ > State::initializing)
        throw Error(Cause::usage, variable.name + " is fixed: set it before the initialization mode ends");
}

void Instance::set(std::size_t place, Value value)
{
    require_settable(place);
    ports_->set(place, std::move(value));
    calculate();
}

void Instance::set_message(std::size_t place, Bytes message)
{
    require_settable(place);
    ports_->set_message(place, message);
}

void Instance::set_copy_of_message(std::size_t place, Bytes message)
{
    require_settable(place);
    ports_->set_copy_of_message(place, message);
}

void Instance::refuse_reference(std::uint32_t reference)
{
    throw Error(Cause::usage, "value reference " + std::to_string(reference) + " is not a variable of this type");
}

}  // namespace ositrace::fmu
