// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/ports.hpp"

#include <algorithm>
#include <utility>

#include "app/fmu/fmu.hpp"

namespace ositrace::fmu {

Ports::Ports(const Variables& variables, Warn warn)
    : variables_(variables), warn_(std::move(warn)), messages_(variables.size())
{
    for (const auto& variable : variables.all()) values_.push_back(variable.start);
}

void Ports::put(std::size_t place, Bytes message, std::shared_ptr<const void> owner)
{
    auto& output = messages_[place];
    output.bytes = message;
    output.owner_before = std::exchange(output.owner, std::move(owner));
}

void Ports::say_valid()
{
    bool valid = false;
    for (std::size_t place = 0; place < variables_.size(); ++place)
        valid = valid || (variables_[place].causality == Causality::output && !messages_[place].bytes.empty());
    set(variables_.place_of(valid_name), valid);
}

void Ports::set_copy_of_message(std::size_t place, Bytes message)
{
    const auto copy = std::make_shared<std::vector<std::byte>>(message.begin(), message.end());
    messages_[place] = {.bytes = *copy, .owner = copy};
}

void Ports::forget_borrowed() noexcept
{
    for (auto& message : messages_)
        if (!message.owner) message.bytes = {};
}

}  // namespace ositrace::fmu
