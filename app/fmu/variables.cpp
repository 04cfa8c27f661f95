// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/variables.hpp"

#include <array>
#include <stdexcept>
#include <utility>

namespace ositrace::fmu {

Variables& Variables::message(Causality causality, std::string name, MessageType type)
{
    static constexpr std::array ways{" before the first step", " input", " output", " request before the first step"};
    return add({.name = std::move(name),
                .causality = causality,
                .start = Binary{},
                .description = std::string(row_of(type).name) + ways.at(static_cast<std::size_t>(causality)),
                .type = type},
               3);
}

Variables& Variables::parameter(std::string name, Value start, std::string description)
{
    return add({.name = std::move(name), .start = std::move(start), .description = std::move(description)}, 1);
}

Variables& Variables::output(std::string name, Value start, std::string description)
{
    return add({.name = std::move(name),
                .causality = Causality::output,
                .start = std::move(start),
                .description = std::move(description)},
               1);
}

Variables& Variables::add(Variable variable, std::uint32_t references)
{
    next_ += references;
    variable.reference = next_ - 1;
    by_reference_.resize(next_, all_.size());
    all_.push_back(std::move(variable));
    return *this;
}

std::size_t Variables::place_of(std::string_view name) const
{
    for (std::size_t place = 0; place < all_.size(); ++place)
        if (all_[place].name == name) return place;
    throw std::out_of_range("no variable " + std::string(name));
}

std::optional<std::size_t> Variables::place_of(std::uint32_t reference) const noexcept
{
    if (reference >= by_reference_.size()) return std::nullopt;
    return by_reference_[reference];
}

}  // namespace ositrace::fmu
