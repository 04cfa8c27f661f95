// SPDX-License-Identifier: MPL-2.0
// Frames as text: what the formats of `cat` have in common.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_text.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace::app {

struct CatRequest {
    std::vector<std::string> fields;  ///< paths; empty: whole messages
    bool several_channels = false;    ///< print the channel of each frame
};

/// A frame with its message, channel and time.
struct CatFrame {
    const Frame& frame;
    const Channel& channel;
    MessageView message;
    std::optional<Nanoseconds> time;  ///< OSI time, else the log time
};

/// Is the column a fact of the frame, `@frame`, `@time`, `@time_ns` or `@log_time_ns`, as in Python's table()? Throws
/// Error (usage) for another one that begins with `@`.
[[nodiscard]] bool is_fact(std::string_view column);
/// Its value; empty if the frame has none.
[[nodiscard]] std::string fact_text(std::string_view column, const CatFrame& frame);

/// Prints the frames of one channel. The channel's schema must outlive it.
class FramePrinter {
public:
    virtual ~FramePrinter() = default;
    /// Appends what precedes all frames of all channels; called once.
    virtual void begin(ByteBuffer&) {}
    virtual LeftOut print(const CatFrame& frame, ByteBuffer& out) = 0;
    /// Requested fields that no printed frame had, if the output does not show that.
    [[nodiscard]] virtual std::vector<std::string> never_found() const { return {}; }
};

/// An output format.
struct CatFormatRow {
    std::string_view name;
    /// Throws Error (usage) if the root lacks the requested fields.
    std::unique_ptr<FramePrinter> (*create)(const CatRequest& request, const MessageTable& root);
};

[[nodiscard]] std::unique_ptr<FramePrinter> jsonl_printer(const CatRequest& request, const MessageTable& root);
[[nodiscard]] std::unique_ptr<FramePrinter> text_printer(const CatRequest& request, const MessageTable& root);
[[nodiscard]] std::unique_ptr<FramePrinter> csv_printer(const CatRequest& request, const MessageTable& root);

inline void append(ByteBuffer& out, std::string_view text) { out.append(bytes_of(text)); }
inline LeftOut& operator+=(LeftOut& all, const LeftOut& more)
{
    all.unknown_fields += more.unknown_fields;
    return all;
}

}  // namespace ositrace::app
