// SPDX-License-Identifier: MPL-2.0
// Where one message ends and the next begins in a text of many.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include <ositrace/schema.hpp>

namespace ositrace::text {

/// A comment line that says that a message begins. Written only where nothing else shows it: an empty message,
/// or one that begins with a field which the one before does not have. Other readers see a comment.
inline constexpr std::string_view message_begins = "# message begins";

/// A message in a text: half-open.
struct MessageRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool cut_off = false;  ///< what began here has no end: in its line, or in the text
    /// Inside: a line that begins as other messages begin. If this message cannot be read, a brace is missing, and
    /// the next message begins there.
    std::optional<std::size_t> restart = {};
    bool indented = false;  ///< before `restart`, lines inside of braces begin with space
    bool partial = false;   ///< after a restart: lacks fields that every message before has
};

/// Finds the messages of a text that arrives piece by piece. Every byte is looked at once.
class MessageSplitter {
public:
    virtual ~MessageSplitter() = default;
    /// The first message of `text`, once its end is seen. `text` is what was not consumed yet: from call to call it
    /// only grows at its end, until a range was returned; then the next call passes what follows that range. `at_end`:
    /// nothing will be added. Throws Error (malformed, truncated) with the offset in `text`.
    [[nodiscard]] virtual std::optional<MessageRange> next(std::string_view text, bool at_end) = 0;
    /// The last range was a message: others begin with the same field.
    virtual void was_read() {}
    /// The last range was none: the next call passes what follows its `restart`.
    virtual void restart() {}
    /// A restart in the text after the last range, if one was seen.
    [[nodiscard]] virtual std::optional<std::size_t> restart_seen() const { return std::nullopt; }
};

/// Protobuf text format with nothing but white space between messages: the next begins where a field that may occur in
/// a message only once is seen again outside of all braces, or after a line `# message begins`. Syntax errors are left
/// to the parser. `damaged`: a message whose braces are not closed ends, cut_off, before some messages that follow it,
/// not at the end of the text. `root` must outlive it.
[[nodiscard]] std::unique_ptr<MessageSplitter> text_format_splitter(const MessageTable& root, bool damaged = false);

/// JSON objects: one a line, or written over many lines, or in one array. An object that is not closed ends where its
/// line does, if a string is open there or the next line begins with another object: one object that is cut off does
/// not swallow those after it.
[[nodiscard]] std::unique_ptr<MessageSplitter> json_splitter();

/// Calls `take` with the names of the outermost object's members, escapes and all, as far as `text` goes.
void json_member_names(std::string_view text, const std::function<void(std::string_view)>& take);

}  // namespace ositrace::text
