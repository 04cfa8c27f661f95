// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host/fmi_answer.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace ositrace::fmu {

namespace {

constexpr std::array<std::string_view, 6> names{"ok", "warning", "discard", "error", "fatal", "pending"};
constexpr unsigned warning = 1;
constexpr unsigned fatal = 4;

}  // namespace

std::string_view state_name(unsigned state, unsigned known_states) noexcept
{
    return state < std::min<std::size_t>(known_states, names.size()) ? names[state] : "unknown status";
}

void Answers::check(unsigned state, std::string_view function)
{
    if (state < warning) return;
    const auto what =
        "answered " + std::string(function) + " with '" + std::string(state_name(state, known_states_)) + "'";
    if (state == warning) return note(what);
    if (state == fatal) throw FatalAnswer(Cause::malformed, what);
    throw Error(Cause::malformed, what);
}

void Answers::note(const std::string& what)
{
    const auto count = ++noted_[what];
    if (every_)
        log_(what);
    else if (count == 1)
        log_(what + "; more of them are counted (--verbose shows them)");
}

void Answers::sum_up() const
{
    for (const auto& [what, count] : noted_)
        if (count > 1) log_(what + ' ' + std::to_string(count) + " times");
}

}  // namespace ositrace::fmu
