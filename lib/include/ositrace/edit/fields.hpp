// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// One change of the fields of messages. `path` is a FieldPath in which a repeated field without brackets means each of
/// its elements, and `[id=N]` and `[name=NAME]` all elements with this id or name.
struct FieldEdit {
    enum class Kind : std::uint8_t {
        drop,   ///< the field or elements go
        keep,   ///< of messages with a kept field, all others go; then drop, set and round apply
        set,    ///< a scalar or text gets `value`; messages on the way that are not there are created, elements are not
        round,  ///< real numbers, and those in a message, become multiples of grid_of(step)
    };
    Kind kind = Kind::drop;
    std::string path;
    std::string value = {};  ///< set: a number, `true`, the name or number of an enumerator, or a text
    double step = 0;         ///< round
};

/// The largest power of two that is not above the step. Its multiples have the fewest bits in their mantissa, which is
/// why a compressor shrinks them, and none is farther from a number than half the step.
[[nodiscard]] OSITRACE_API double grid_of(double step) noexcept;

/// What an edit has done so far.
struct FieldEditCount {
    FieldEdit edit;
    std::uint64_t count = 0;   ///< fields dropped or set, numbers rounded; of a kept path: fields kept
    std::uint64_t bytes = 0;   ///< dropped
    double largest_error = 0;  ///< of rounded numbers
};

struct FieldEditCounts {
    std::vector<FieldEditCount> edits;
    std::uint64_t left_out = 0;        ///< fields that go because others are kept
    std::uint64_t left_out_bytes = 0;  ///< of them
    std::uint64_t frames = 0;
    std::uint64_t changed = 0;  ///< frames
    /// Channels that have no kept path, or none of the paths: their messages are unchanged.
    std::vector<std::string> unchanged_topics;
};

struct FieldEditOptions {
    std::vector<FieldEdit> edits;
    /// Every point in time is moved by this, in messages and log times; see `concat --retime`.
    Nanoseconds shift{};
};

/// Changes the messages of every channel that has the paths; all else keeps its bytes, unknown fields included. A
/// FlatBuffers message is converted to Protobuf and back, so that unknown fields are Error (lossy). Throws Error
/// (usage) for a path that no channel has, a value that the field cannot have, and edits that contradict each other.
/// `counts` must outlive the source. Cost: one copy of the bytes of a message.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> edit_fields(std::unique_ptr<FrameSource> from,
                                                                    FieldEditOptions options, FieldEditCounts& counts);

}  // namespace ositrace
