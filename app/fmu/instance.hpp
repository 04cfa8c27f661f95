// SPDX-License-Identifier: MPL-2.0
// One instance of an FMU as both versions of FMI drive it: the states, the values, and no exceptions for the importer.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include <ositrace/frame.hpp>

#include "app/fmu/fmu.hpp"
#include "app/fmu/ports.hpp"

namespace ositrace::fmu {

enum class LogLevel : std::uint8_t { warning, error };

class Instance {
public:
    using Log = std::function<void(LogLevel, const std::string&)>;

    Instance(const FmuKind& kind, Log log);
    ~Instance();

    /// Calls `work`. Returns false if it throws; the reason is one line in the log.
    template <class Work>
    bool run(Work work) noexcept
    {
        try {
            work(*this);
            return true;
        } catch (const std::exception& e) {
            log_(LogLevel::error, e.what());
        } catch (...) {
            log_(LogLevel::error, "unknown exception");
        }
        return false;
    }

    // Throw Error: usage in another state, else the error of the model. Times are seconds.
    void set_start(double start);
    void enter_initialization();
    void exit_initialization();
    void step(double from, double step);
    void terminate();
    /// Restores the initial state, also of parameters.
    void reset();

    [[nodiscard]] const Ports& ports() const noexcept { return *ports_; }
    /// The current communication point, seconds.
    [[nodiscard]] double time() const noexcept { return time_; }
    /// Throws Error (usage): an output, or a parameter after the initialization.
    void require_settable(std::size_t place) const;
    /// Of an input or, before the end of the initialization, of a parameter.
    void set(std::size_t place, Value value);
    /// Borrows until the end of the next step; of a parameter, of the initialization.
    void set_message(std::size_t place, Bytes message);
    void set_copy_of_message(std::size_t place, Bytes message);
    /// The variable of a value reference, which must be of type T. Throws Error (usage).
    template <class T>
    [[nodiscard]] std::size_t place_of(std::uint32_t reference) const
    {
        const auto place = kind_.variables.place_of(reference);
        if (!place || !std::holds_alternative<T>(kind_.variables[*place].start)) refuse_reference(reference);
        return *place;
    }

private:
    enum class State : std::uint8_t { made, initializing, stepping, ended };
    [[noreturn]] static void refuse_reference(std::uint32_t reference);
    void require(State state, const char* what) const;
    void calculate();

    const FmuKind& kind_;
    Log log_;
    State state_ = State::made;
    double time_ = 0;
    std::unique_ptr<Ports> ports_;
    std::unique_ptr<Model> model_;  ///< from the end of the initialization on
};

}  // namespace ositrace::fmu
