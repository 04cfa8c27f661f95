// SPDX-License-Identifier: MPL-2.0
// The values of the variables of one instance, between the model and the importer.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>

#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

class Ports {
public:
    using Warn = std::function<void(const std::string&)>;

    /// `variables` must outlive it.
    Ports(const Variables& variables, Warn warn);

    [[nodiscard]] const Variables& variables() const noexcept { return variables_; }

    // The model's side. A name that is not in the table is a mistake in the model: std::out_of_range.
    [[nodiscard]] const std::string& text(std::string_view name) const { return get<std::string>(name); }
    [[nodiscard]] double number(std::string_view name) const { return get<double>(name); }
    [[nodiscard]] std::int32_t count(std::string_view name) const { return get<std::int32_t>(name); }
    [[nodiscard]] bool flag(std::string_view name) const { return get<bool>(name); }
    /// The message of an input; empty: none.
    [[nodiscard]] Bytes message(std::size_t place) const noexcept { return messages_[place].bytes; }
    /// Sets an output from the end of this step on. The previous message stays valid until the next one replaces it:
    /// OSMP lets the importer read it until the second step after its own begins.
    void put(std::size_t place, Bytes message, std::shared_ptr<const void> owner);
    /// The output that states whether any other output contains a message.
    void say_valid();
    void warn(const std::string& text) const { warn_(text); }

    // The importer's side.
    [[nodiscard]] const Value& value(std::size_t place) const noexcept { return values_[place]; }
    void set(std::size_t place, Value value) { values_[place] = std::move(value); }
    /// Borrows.
    void set_message(std::size_t place, Bytes message) { messages_[place] = {.bytes = message}; }
    void set_copy_of_message(std::size_t place, Bytes message);
    /// Drops the messages that the importer owns.
    void forget_borrowed() noexcept;

private:
    struct Message {
        Bytes bytes;
        std::shared_ptr<const void> owner;
        std::shared_ptr<const void> owner_before;
    };
    template <class T>
    [[nodiscard]] const T& get(std::string_view name) const
    {
        return std::get<T>(values_[variables_.place_of(name)]);
    }

    const Variables& variables_;
    Warn warn_;
    std::vector<Value> values_;      ///< by place
    std::vector<Message> messages_;  ///< by place
};

}  // namespace ositrace::fmu
