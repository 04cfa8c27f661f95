// SPDX-License-Identifier: MPL-2.0
// Edits of fields, compiled for one type of message: a tree of what is done with the fields of a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ositrace/edit/fields.hpp>
#include <ositrace/element_name.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

struct EditNode;

/// What is done with a field, or with some of its elements.
struct EditAction {
    FieldPath::Step step;
    std::optional<NameFields> names = {};  ///< of a step that picks by name
    /// Empty: the edit goes on below, with `child`.
    std::optional<FieldEdit::Kind> kind = {};
    std::size_t edit = 0;                     ///< place in FieldEditCounts::edits
    std::unique_ptr<EditNode> child = {};     ///< null: there is nothing below
    std::vector<std::byte> field_bytes = {};  ///< set: the field, tag included
    double grid = 0;                          ///< round
};

/// A field that is written where it is not there.
struct EditInsertion {
    std::uint32_t number = 0;
    std::size_t action = 0;  ///< one that sets a value, or one with a child that has insertions
};

struct EditNode {
    explicit EditNode(const MessageTable& message) : table(&message) {}

    const MessageTable* table;
    std::vector<EditAction> actions;        ///< ascending by field number
    std::vector<EditInsertion> insertions;  ///< likewise
    std::vector<std::uint16_t> set_oneofs;  ///< whose other fields go
    bool only_rounds = true;                ///< no message below changes its size, and no index is counted
    bool picks_by_index = false;

    /// The actions for a field.
    [[nodiscard]] std::span<const EditAction> of(std::uint32_t number) const noexcept
    {
        if (number >= by_number_.size()) return number < first_large_ ? std::span<const EditAction>() : large(number);
        const auto& [first, count] = by_number_[number];
        return {actions.data() + first, count};
    }
    /// To be called when all actions are there.
    void finish();

private:
    [[nodiscard]] std::span<const EditAction> large(std::uint32_t number) const noexcept;

    struct Range {
        std::uint32_t first = 0, count = 0;
    };
    std::vector<Range> by_number_;
    std::uint32_t first_large_ = UINT32_MAX;
};

/// The edits of a channel.
struct EditPlan {
    std::unique_ptr<EditNode> keep;     ///< null: everything is kept
    std::unique_ptr<EditNode> changes;  ///< null: nothing is dropped, set or rounded
    [[nodiscard]] bool empty() const noexcept { return !keep && !changes; }
    /// May it change the timestamp?
    [[nodiscard]] bool touches(std::string_view field) const;
};

/// Those of the edits whose path the message has. Throws Error (usage).
[[nodiscard]] EditPlan plan_of(const MessageTable& root, std::span<const FieldEdit> edits);

/// `moving_object.base` as a FieldPath: `moving_object[*].base`. Throws Error (usage).
[[nodiscard]] FieldPath path_to_every_element(const MessageTable& root, std::string_view path);
/// Has a message type of OSI such a path? Then another trace may have it.
[[nodiscard]] bool is_path_of_osi(std::string_view path);

}  // namespace ositrace
