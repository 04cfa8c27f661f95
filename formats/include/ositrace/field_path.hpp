// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// A part of the text of a path: `moving_object[id=42]` has the pick `id=42`.
struct PathPart {
    std::string_view name;
    std::optional<std::string_view> pick;
};

/// The parts of a path, which dots separate. In the brackets of a name may be dots; of a name with `]` the text is
/// quoted: `[name="a]b"]`. Throws Error (usage) where a bracket does not end.
[[nodiscard]] OSITRACE_API std::vector<PathPart> path_parts(std::string_view path);
/// Where the bracket that begins at `at` ends: the place after its `]`; npos: it does not.
[[nodiscard]] OSITRACE_API std::size_t bracket_end(std::string_view text, std::size_t at) noexcept;

/// A compiled path to a value: `global_ground_truth.moving_object[3].base.position.x`,
/// `moving_object[id=42].base.velocity.x`
/// (`[id=N]`: the first element whose id is N, see id_path(); an id without a value is 0),
/// `moving_object[name=Ego].base` (the first element with this name, see name_of()), `a.b[*].c` (every element;
/// at the end of a path `[*]` may be left out). Compile once, use on every frame, from any thread. The schema must
/// outlive it.
class OSITRACE_API FieldPath {
public:
    /// Throws Error (usage) naming the part that does not exist and the fields that do.
    [[nodiscard]] static FieldPath compile(const MessageTable& root, std::string_view path);

    /// The same to a number, bool, enum, string or bytes: a path to a message whose only field is `value`, such as an
    /// Identifier, is one to that field. Throws Error (usage) for a path to another message.
    [[nodiscard]] static FieldPath compile_value(const MessageTable& root, std::string_view path);

    /// The value, monostate when anything on the way is unset or out of range. A path to many values is refused
    /// (usage): see collect(). `root` is a view of the table the path was compiled for. Throws what MessageView throws.
    [[nodiscard]] Value get(const MessageView& root) const;
    enum class Unset : std::uint8_t { left_out, kept };
    /// Every value the path names, in order. Kept, an unset one is a monostate: then there is a value per element of
    /// the last `[*]`.
    void collect(const MessageView& root, std::vector<Value>& out, Unset unset = Unset::left_out) const;
    /// Does the path name many values: a `[*]` in it, or a repeated field at its end.
    [[nodiscard]] bool has_many() const noexcept;
    /// The row of the last field.
    [[nodiscard]] const FieldRow& leaf() const noexcept;
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    enum class Pick : std::uint8_t { singular, index, id, name, every };
    /// A part of the path: a field, and which of its elements.
    struct Step {
        const FieldRow* field = nullptr;
        Pick pick = Pick::singular;
        std::uint64_t argument = 0;  ///< index or id
        std::string name = {};       ///< of an element
        friend bool operator==(const Step&, const Step&) = default;
    };
    /// For programs that read many paths in one pass.
    [[nodiscard]] const std::vector<Step>& steps() const noexcept { return steps_; }

private:
    static Step compile_step(const MessageTable& table, std::string_view path, const PathPart& part);
    static Value value_of(const Step& step, const MessageView& message);
    void collect_from(const MessageView& message, std::size_t place, std::vector<Value>& out, Unset unset) const;
    [[nodiscard]] bool has_many_from(std::size_t place) const noexcept;

    std::string text_;
    std::vector<Step> steps_;
};

/// `[3]`, `[id=42]`, `[name=Ego]`, as compile() reads it; empty for a field that is not repeated, and for every
/// element.
[[nodiscard]] OSITRACE_API std::string pick_text(const FieldPath::Step& step);

/// The path from an element of this type to its id, a number: `id.value`, or `id` itself where it is a number; for a
/// type without a field `id`, such as a detected object, `header.tracking_id.value`. Empty: its elements have no id.
[[nodiscard]] OSITRACE_API std::string_view id_path(const MessageTable& table) noexcept;

}  // namespace ositrace
