// SPDX-License-Identifier: MPL-2.0
// Queries: in which messages of a channel an expression holds, and for which objects.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

/// An expression over the fields of a message, compiled for one type:
///
///     moving_object[*].base.velocity.x < -4 and moving_object[*].type == VEHICLE
///     traffic_light[id=7].classification.color == COLOR_RED or not has(host_vehicle_id)
///     all(norm(moving_object.base.velocity) < 0.1)
///
/// Paths are FieldPaths; `[*]` may be left out, and so may the first parts of a path as long as the rest is unique. It
/// holds for a message if it holds for one of its elements: every `[*]` of the same field means the same element.
/// `any(...)` and `all(...)` are conditions on the message instead. Comparisons: `== = != < <= > >=`, and `~` (a text
/// or the name of an enumerator contains a text); texts are compared without regard to case. `== nan` means any number
/// that is not finite. A field that is not set has no value, and a comparison with it is false; only the `value` of an
/// Identifier is then 0. Arithmetic is in double precision: `+ - * /`, `abs()`, `norm()` of a vector, `along(v, w)`:
/// the component of v in the direction of w, `count()` of a repeated field. What is not set of a vector is 0 if
/// something is set.
///
/// Immutable, cheap to copy; any thread. The schema must outlive it.
class Query {
public:
    static constexpr std::size_t max_bytes = 4096;  ///< of an expression
    static constexpr int max_depth = 64;            ///< of its parentheses

    /// Throws Error (usage) that says what was expected, with the byte in `where().offset`.
    [[nodiscard]] static Query compile(std::string_view expression, const MessageTable& root);

    [[nodiscard]] const std::string& text() const noexcept;
    [[nodiscard]] const MessageTable& root() const noexcept;

    /// What is compared: a field, or a number that is computed of fields.
    struct Field {
        std::string path;  ///< below the element: `base.acceleration.x`; else from the root. Computed: as it is written
        const FieldRow* row = nullptr;  ///< its last part. Computed: a double without a name
        [[nodiscard]] bool is_computed() const noexcept { return row->name.empty(); }
    };
    [[nodiscard]] std::span<const Field> fields() const noexcept;
    /// FieldPaths from the root to what is compared: values, and vectors of norm() and along(). Each once.
    [[nodiscard]] std::span<const std::string> paths() const noexcept;

    struct Program;
    [[nodiscard]] const Program& program() const noexcept { return *program_; }

private:
    explicit Query(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
    std::shared_ptr<const Program> program_;
};

/// A path as a query may write it, as a FieldPath from the root of a message, with `[*]` wherever it was left out: for
/// others who take paths from people. Throws Error (usage).
[[nodiscard]] std::string full_path(const MessageTable& root, std::string_view path);

/// A value of a message that outlives it; monostate: not set.
using QueryValue = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, float, double, std::string>;

/// What an expression holds for.
struct QueryMatch {
    std::string path;                 ///< of the element: `global_ground_truth.moving_object[3]`; empty: the message
    std::string list;                 ///< the repeated field: `moving_object`
    std::optional<std::uint64_t> id;  ///< of the element
    struct FieldValue {
        std::uint32_t field = 0;  ///< in Query::fields()
        QueryValue value;
        friend bool operator==(const FieldValue&, const FieldValue&) = default;
    };
    std::vector<FieldValue> values;  ///< that were compared
};

/// Evaluates a query. Keeps its memory: use one per thread and reuse it.
class QueryEvaluator {
public:
    /// Matches of one message that are listed.
    static constexpr std::size_t max_matches = 1000;

    explicit QueryEvaluator(Query query);
    QueryEvaluator(QueryEvaluator&&) noexcept;
    QueryEvaluator& operator=(QueryEvaluator&&) noexcept;
    ~QueryEvaluator();

    /// `message` is a view of the type of the query. Throws what MessageView throws, and Error (limit) if several `[*]`
    /// have more combinations than max_combinations.
    [[nodiscard]] bool holds(const MessageView& message);
    /// The same; appends what it holds for, up to max_matches.
    [[nodiscard]] bool find(const MessageView& message, std::vector<QueryMatch>& matches);
    /// Did the last find() leave out what else it holds for?
    [[nodiscard]] bool has_more() const noexcept;

    static constexpr std::uint64_t max_combinations = 4'000'000;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// A message for which a query holds.
struct QueryHit {
    std::uint64_t number = 0;         ///< in its channel
    std::optional<Nanoseconds> time;  ///< its OSI timestamp, else its log time
    std::vector<QueryMatch> matches;  ///< at most QueryEvaluator::max_matches
    bool has_more = false;            ///< it holds for more
};

/// The hits of consecutive messages.
struct QueryBatch {
    std::vector<QueryHit> hits;  ///< in the order of messages
    std::uint64_t next = 0;      ///< number of the first message after these
};

struct QueryOptions {
    std::uint64_t first = 0;        ///< number of the first message
    std::uint64_t to = UINT64_MAX;  ///< number after the last one
    TimeSpan time = {};             ///< messages without a time are left out if it has a bound
    /// Called where the channel ends, with the number of the next message, after all batches before it. True: there is
    /// such a message now. Empty: false.
    std::function<bool(std::uint64_t next)> wait_for_more = {};
    unsigned threads = 0;  ///< 0: two, where the process may use several processors
    std::chrono::milliseconds batch_time{50};
};

struct QueryEnd {
    std::uint64_t messages = 0;         ///< evaluated
    std::uint64_t broken = 0;           ///< of them: could not be evaluated
    std::optional<Error> first_broken;  ///< why
    std::optional<Error> problem;       ///< why reading ended before the channel did
    bool stopped = false;               ///< by the token
};

/// Evaluates a query for the messages of the channel `in_trace`, and passes on the hits in the order of messages, in
/// the caller's thread. `viewed`: how the messages are read; the query was compiled for its root. Memory: bounded by
/// the messages of a few batches.
QueryEnd search(const Trace& trace, std::uint32_t in_trace, const Channel& viewed, const Query& query,
                const QueryOptions& options, const std::function<void(QueryBatch)>& on_batch,
                const std::stop_token& stop = {});

}  // namespace ositrace
