// SPDX-License-Identifier: MPL-2.0
// Series: the values of fields over the messages of a channel, by object id.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// The fields of a series, compiled for one type of message: FieldPaths to a number, bool, enum or string
/// (FieldPath::compile_value()). Each `[*]` gives a curve per element, by its id, where the element has none by its
/// index. The schema must outlive it. Cheap to make; any thread.
class SeriesPlan {
public:
    /// Throws Error (usage): what FieldPath refuses, and paths to bytes.
    SeriesPlan(const MessageTable& root, std::span<const std::string> paths);

    [[nodiscard]] const MessageTable& root() const noexcept { return *root_; }
    [[nodiscard]] std::span<const FieldPath> paths() const noexcept { return paths_; }

private:
    const MessageTable* root_;
    std::vector<FieldPath> paths_;
};

/// Values of a path in message after message.
struct SeriesCurve {
    std::uint32_t path = 0;  ///< place in SeriesPlan::paths()
    /// Names this curve alone: `moving_object[id=42].base.velocity.x`.
    std::string text;
    /// The elements that the `[*]` of the path stand for: `[id=42]`, `[id=42][0]`; empty: it has none.
    std::string keys;
    /// Of the element of the first `[*]` or `[id=N]`; empty: there is none, or it has no id.
    std::optional<std::uint64_t> id;
};

/// A value that is set. A message without a sample of a curve is a gap of the curve.
struct SeriesSample {
    std::uint32_t curve = 0;    ///< in the order in which they were found, over all batches
    std::uint32_t message = 0;  ///< place in SeriesBatch::times
    /// A real number as a double; an integer, enum or bool as 64 bits, signed ones sign-extended; a text by its number
    /// in the order in which texts were found, over all batches.
    std::uint64_t bits = 0;
};

/// The samples of consecutive messages. Batches follow each other without a gap, except where a trace has dropped
/// messages before they were read.
struct SeriesBatch {
    std::uint64_t first = 0;  ///< number of the first message in its channel
    /// Of each message: its OSI timestamp, else its log time (see SeriesOptions::by_log_time); empty: it has neither.
    std::vector<std::optional<Nanoseconds>> times;
    /// In the order of messages; of one message at most one per curve: of several elements with an id the first.
    std::vector<SeriesSample> samples;
    std::vector<SeriesCurve> new_curves;  ///< numbered on from those of earlier batches
    std::vector<std::string> new_texts;   ///< likewise
};

struct SeriesOptions {
    std::uint64_t first = 0;  ///< number of the first message
    /// Half-open [from, to): messages with a time before `from` are left out, and reading ends at the first one at or
    /// after `to`. Reads the index of the channel where `from` is given.
    std::optional<Nanoseconds> from = {};
    std::optional<Nanoseconds> to = {};
    /// The times of messages are their log times where they have one, instead of their OSI timestamps.
    bool by_log_time = false;
    /// Called where the channel ends, with the number of the next message, after all batches before it. True: there is
    /// such a message now. Empty: false.
    std::function<bool(std::uint64_t next)> wait_for_more = {};
    std::size_t most_curves = 10'000;                     ///< values of further ones are left out and counted
    std::size_t most_text_bytes = std::size_t{16} << 20;  ///< likewise, of different texts together
    std::chrono::milliseconds batch_time{100};            ///< a batch ends after this time,
    std::size_t batch_samples = std::size_t{1} << 18;     ///< or after so many samples or messages
};

struct SeriesEnd {
    std::uint64_t messages = 0;         ///< read
    std::uint64_t broken = 0;           ///< of them: some of their values cannot be read and are gaps
    std::optional<Error> first_broken;  ///< why
    std::uint64_t left_out = 0;         ///< values, because of the limits
    std::optional<Error> problem;       ///< why reading ended before the channel did
    bool stopped = false;               ///< by the token
};

/// Reads a series in the caller's thread and passes it on batch by batch, which may be kept or moved to another thread.
/// `viewed`: how the messages of the channel `in_trace` are read; the plan was made for its root. Memory: one message,
/// one batch, and the names of the curves and texts. Cost: one walk over the messages, a few 10 ns for each element of
/// a path with `[*]` or `[id=N]`.
SeriesEnd read_series(const Trace& trace, std::uint32_t in_trace, const Channel& viewed, const SeriesPlan& plan,
                      const SeriesOptions& options, const std::function<void(SeriesBatch)>& on_batch,
                      const std::stop_token& stop = {});

/// `path` with `[id=N]` in the place of each index of an element with the id N, where N names this element and no
/// earlier one in the message. Throws Error (usage) for what FieldPath refuses, and what MessageView throws.
[[nodiscard]] std::string path_by_id(const MessageView& root, std::string_view path);

/// The value of a sample as a number; NaN for a text.
[[nodiscard]] double series_number(const FieldRow& leaf, std::uint64_t bits) noexcept;
/// The value of a sample; monostate for a text that is not in `texts`, whose strings it borrows.
[[nodiscard]] Value series_value(const FieldRow& leaf, std::uint64_t bits, std::span<const std::string> texts);

}  // namespace ositrace
