// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

/// The name of a state that a call returns, such as `discard`. FMI 2 has six states, FMI 3 the first five of them.
[[nodiscard]] std::string_view state_name(unsigned state, unsigned known_states) noexcept;

/// `fatal`: no function of the model may be called any more, not even to free it.
class FatalAnswer : public Error {
public:
    using Error::Error;
};

using Log = std::function<void(std::string_view line)>;

/// The states that the calls of a model return. A remarkable one is logged when it first occurs; at the end the log
/// says how often it occurred.
class Answers {
public:
    /// `every`: log every occurrence. `log` must outlive it.
    Answers(unsigned known_states, const Log& log) : known_states_(known_states), log_(log) {}
    void log_every(bool every) noexcept { every_ = every; }
    /// Records a `warning`. Throws Error if the state is neither `ok` nor `warning`; a FatalAnswer for `fatal`.
    void check(unsigned state, std::string_view function);
    void note(const std::string& what);
    /// Logs the number of occurrences of everything that was recorded more than once.
    void sum_up() const;

private:
    unsigned known_states_;
    const Log& log_;
    bool every_ = false;
    std::map<std::string, std::uint64_t> noted_;  ///< how often
};

}  // namespace ositrace::fmu
