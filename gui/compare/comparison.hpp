// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_set>

#include <QObject>
#include <QString>

#include <ositrace/compare_boundaries.hpp>
#include <ositrace/compare_boundary_traces.hpp>
#include <ositrace/compare_objects.hpp>
#include <ositrace/compare_traces.hpp>

#include "gui/selection/selection.hpp"
#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// A side of a comparison: objects of a channel of the session.
struct CompareSide {
    std::uint32_t source = 0;
    ObjectSet set = ObjectSet::ground_truth;
    friend bool operator==(const CompareSide&, const CompareSide&) = default;
};

enum class CompareMode : std::uint8_t {
    objects,     ///< the errors of the objects
    exact,       ///< are the messages equal to the last bit?
    boundaries,  ///< the lateral errors of the lane boundaries
};

/// What the user has chosen to compare.
struct CompareChoice {
    std::array<CompareSide, 2> sides;
    CompareMode mode = CompareMode::objects;
    ObjectCompareOptions objects;
    friend bool operator==(const CompareChoice&, const CompareChoice&) = default;
};

/// What is compared at a time: the message of A that is shown and its partner, or the last one before it that has a
/// partner. Immutable; any thread.
struct ShownComparison {
    CompareChoice choice;
    std::optional<MessagePair> messages;  ///< empty: `problem` is the reason
    std::array<Nanoseconds, 2> times{};   ///< of the messages, on the session's time axis
    std::array<bool, 2> is_shown{};       ///< is it the message that the snapshot shows?
    std::optional<ObjectComparison> objects;
    std::optional<MessageComparison> exact;
    std::optional<BoundaryComparison> boundaries;
    /// Of `exact`: the paths of the fields that differ, and of all messages and lists around them.
    std::array<std::unordered_set<std::string>, 2> differing;
    std::string problem;
    bool is_final = true;  ///< false: more of a channel may become known, so that the messages get partners
    [[nodiscard]] std::size_t bytes() const noexcept;  ///< its memory
    /// Is it a field of a message that is shown and differs, or does it contain one?
    [[nodiscard]] bool is_different(std::uint32_t source, const std::string& path) const;
};

/// Of things; the host is a moving object of ground truth.
[[nodiscard]] Category category_of(ObjectSet set, ObjectKind kind) noexcept;
/// Of the things that can be compared; empty for others.
[[nodiscard]] std::optional<ObjectKind> kind_compared(Category category) noexcept;

/// The object of a side as the session's selection: its thing if the picture has it, and its path if its message is
/// shown. Empty if neither is.
[[nodiscard]] std::optional<Selected> selected_object(const ShownComparison& comparison, const Picture& picture,
                                                      std::size_t side, const ComparedObject& object);
/// Is it this object?
[[nodiscard]] bool is_selected(const Selected& selected, const ShownComparison& comparison, std::size_t side,
                               const ComparedObject& object);

/// Is it this lane boundary of B?
[[nodiscard]] bool is_boundary(const Thing& thing, const ShownComparison& comparison,
                               const ComparedBoundary& boundary) noexcept;
/// Of the boundaries of B as things.
[[nodiscard]] Category boundary_category(const CompareChoice& choice) noexcept;

/// The side as an input of the library.
[[nodiscard]] ComparedChannel compared_channel(const OpenChannel& channel, ObjectSet set);

/// Compares the messages of snapshots. Keeps what it has prepared for a choice. One thread.
class ComparisonMaker {
public:
    ComparisonMaker();
    ~ComparisonMaker();
    /// Null without a choice. What cannot be compared is reported as a problem.
    [[nodiscard]] std::shared_ptr<const ShownComparison> make(const Snapshot& snapshot, const OpenChannels& channels,
                                                              const std::shared_ptr<const CompareChoice>& choice);

private:
    struct Prepared;
    std::unique_ptr<Prepared> prepared_;
};

/// What is known of a comparison over time. Immutable.
struct ComparedTraces {
    std::shared_ptr<const TraceComparison> objects;  ///< null in exact mode, and before the first result
    std::shared_ptr<const EqualityOfTraces> exact;   ///< null in the mode of objects, and before the first result
    std::shared_ptr<const BoundaryTraceComparison>
        boundaries;  ///< null in the other modes, and before the first result
    /// Of objects, of which one side has none: both sides have lane boundaries.
    bool has_only_boundaries = false;
};

/// Is there no object of A, or none of B, so that all others are missed or ghosts?
[[nodiscard]] bool has_no_objects(const TraceComparison& comparison) noexcept;

/// Compares two channels completely in a separate thread and reports partial results. GUI thread; the destructor waits
/// for the thread, see retire().
class ComparisonRun : public QObject {
    Q_OBJECT
public:
    /// Pairs of messages that differ and are listed; all are counted.
    static constexpr std::size_t listed_differences = 10'000;

    ComparisonRun(const CompareChoice& choice, const std::array<OpenChannel, 2>& channels, QObject* parent = nullptr);
    ~ComparisonRun() override;
    /// Ends it without waiting: it emits nothing any more, and is deleted when its thread ends, or with its parent.
    static void retire(std::unique_ptr<ComparisonRun> run);

    [[nodiscard]] const CompareChoice& choice() const noexcept { return choice_; }
    [[nodiscard]] const ComparedTraces& result() const noexcept { return result_; }
    [[nodiscard]] bool is_running() const noexcept { return running_; }
    /// 0 to 1.
    [[nodiscard]] double progress() const noexcept { return progress_; }
    /// Why it failed; empty if it did not.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }

signals:
    void changed();  ///< another result, or the end

private:
    void run(const std::stop_token& stop);
    void post(std::function<void()> change);
    template <class Result>
    std::function<void(const Result&)> reporter(std::shared_ptr<const Result> ComparedTraces::* of);

    CompareChoice choice_;
    std::array<ComparedChannel, 2> sides_;
    ComparedTraces result_;
    double progress_ = 0;
    QString problem_;
    bool running_ = true;
    std::jthread thread_;
};

}  // namespace ositrace::gui
