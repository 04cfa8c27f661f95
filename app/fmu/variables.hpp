// SPDX-License-Identifier: MPL-2.0
// The variables of an FMU as data: the description and the code use the same rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <ositrace/message_type.hpp>

namespace ositrace::fmu {

/// A message; its bytes are in Ports.
struct Binary {
    friend bool operator==(Binary, Binary) = default;
};

using Value = std::variant<Binary, bool, std::int32_t, double, std::string>;

enum class Causality : std::uint8_t { parameter, input, output, calculated_parameter };

struct Variable {
    std::string name;
    Causality causality = Causality::parameter;
    Value start;  ///< its type is that of the variable
    std::string description;
    std::optional<MessageType> type;  ///< of the message
    /// The FMI value reference. In FMI 2.0 a message is three Integers: this is that of `.size`, `.base.lo` and
    /// `.base.hi` are the two before it. So a message has one number in the performance log, in both FMI versions.
    std::uint32_t reference = 0;
};

/// In the order of their value references, which are counted from 0.
class Variables {
public:
    Variables& message(Causality causality, std::string name, MessageType type);
    Variables& parameter(std::string name, Value start, std::string description);
    Variables& output(std::string name, Value start, std::string description);

    [[nodiscard]] std::span<const Variable> all() const noexcept { return all_; }
    [[nodiscard]] const Variable& operator[](std::size_t place) const noexcept { return all_[place]; }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    /// The first value reference that no variable has.
    [[nodiscard]] std::uint32_t end_of_references() const noexcept { return next_; }
    /// The place of a variable. Throws std::out_of_range: a name in the code must exist.
    [[nodiscard]] std::size_t place_of(std::string_view name) const;
    /// The place of the variable that a value reference belongs to, one of the three of a message; nullopt when there
    /// is none.
    [[nodiscard]] std::optional<std::size_t> place_of(std::uint32_t reference) const noexcept;

private:
    Variables& add(Variable variable, std::uint32_t references);

    std::vector<Variable> all_;
    std::vector<std::size_t> by_reference_;
    std::uint32_t next_ = 0;
};

}  // namespace ositrace::fmu
