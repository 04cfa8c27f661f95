// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/message_view.hpp>
#include <ositrace/trace_difference.hpp>

namespace ositrace {

/// Allowed differences, as a tree of field names.
struct DiffRule {
    std::map<std::string, std::unique_ptr<DiffRule>, std::less<>> fields;
    bool ignored = false;
    std::optional<double> tolerance;  ///< of all numbers in this field
};

/// Throws Error (usage) for a path with [...].
[[nodiscard]] DiffRule compile_rules(const DiffOptions& options);

/// Finds all differences between two messages of one type. One thread at a time.
class MessageDifference {
public:
    /// `field`: with the elements, `moving_object[id=3].id`; `path`: without; `distance`: between two numbers.
    using Report = std::function<void(const std::string& field, const std::string& path, std::optional<double> distance,
                                      std::string text)>;
    MessageDifference(const DiffRule& rules, Report report, bool pair_by_name = false)
        : rules_(rules), report_(std::move(report)), pair_by_name_(pair_by_name)
    {
    }

    /// Throws what MessageView throws.
    void compare(const MessageView& a, const MessageView& b);
    /// While a difference is reported: its path in the first (0) or second (1) message, `moving_object[3].id`; empty if
    /// that message lacks the element.
    [[nodiscard]] std::string place_in(std::size_t side) const;

private:
    struct Step {
        std::string_view name;
        std::optional<std::uint64_t> id = {};
        std::string element_name = {};                         ///< by which it is paired, instead of its id
        std::array<std::optional<std::size_t>, 2> index = {};  ///< of an element, in each message that has it
        [[nodiscard]] bool is_element() const noexcept { return index[0] || index[1]; }
    };
    struct Allowed {
        const DiffRule* rule = nullptr;
        std::optional<double> tolerance;
    };

    void compare_messages(const MessageView& a, const MessageView& b, const Allowed& allowed);
    void compare_fields(const MessageView& a, const FieldRow* in_a, const MessageView& b, const FieldRow* in_b,
                        const Allowed& allowed);
    void compare_elements(const RepeatedView& a, const RepeatedView& b, const Allowed& allowed);
    void compare_by_order(const RepeatedView& a, const RepeatedView& b, const Allowed& allowed);
    void compare_by_id(const RepeatedView& a, const RepeatedView& b, const Allowed& allowed);
    void compare_values(const Value& a, const Value& b, const Allowed& allowed);
    std::string set_key(const Value& element);
    void report(std::string text, std::optional<double> distance = {});

    const DiffRule& rules_;
    Report report_;
    bool pair_by_name_;
    std::vector<Step> place_;
};

}  // namespace ositrace
