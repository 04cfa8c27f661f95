// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// A compiled path to a value: `global_ground_truth.moving_object[3].base.position.x`, `moving_object[id=42].base.velocity.x`
/// (`[id=N]`: the element whose `id.value`, or `id` itself where it is a number, is N), `a.b[*].c` (every element).
/// Compile once, use on every frame. The schema must outlive it.
class OSITRACE_API FieldPath {
public:
    /// Throws Error (usage) naming the part that does not exist and the fields that do.
    [[nodiscard]] static FieldPath compile(const MessageTable& root, std::string_view path);

    /// The value, monostate when anything on the way is unset or out of range. A path with `[*]` is refused (usage): see collect().
    [[nodiscard]] Value get(const MessageView& root) const;
    /// Every value the path names, in order; unset ones are left out.
    void collect(const MessageView& root, std::vector<Value>& out) const;
    /// The row of the last field.
    [[nodiscard]] const FieldRow& leaf() const noexcept;
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    struct Step {
        const FieldRow* field = nullptr;
        enum class Pick : std::uint8_t { singular, index, id, every, whole } pick = Pick::singular;
        std::uint64_t argument = 0;
    };
    std::string text_;
    std::vector<Step> steps_;
};

}  // namespace ositrace
