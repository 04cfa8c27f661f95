// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

/// The states that a call returns, of which FMI 2 knows six and FMI 3 the first five: `discard`.
[[nodiscard]] std::string_view state_name(unsigned state, unsigned known_states) noexcept;

/// `fatal`: nothing of the model may be called any more, not even what frees it.
class FatalAnswer : public Error {
public:
    using Error::Error;
};

using Log = std::function<void(std::string_view line)>;

/// What a model answers to calls. One that is worth a note is logged when it comes for the first time, and how often it
/// came at the end.
class Answers {
public:
    /// `every`: log each of them. `log` must outlive it.
    Answers(unsigned known_states, const Log& log) : known_states_(known_states), log_(log) {}
    void log_every(bool every) noexcept { every_ = every; }
    /// Throws Error where the answer is neither `ok` nor `warning`, which is noted; a FatalAnswer for `fatal`.
    void check(unsigned state, std::string_view function);
    void note(const std::string& what);
    /// What was noted more than once.
    void sum_up() const;

private:
    unsigned known_states_;
    const Log& log_;
    bool every_ = false;
    std::map<std::string, std::uint64_t> noted_;  ///< how often
};

}  // namespace ositrace::fmu
