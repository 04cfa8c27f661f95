// SPDX-License-Identifier: MPL-2.0
// Variants of one task, timed side by side in one process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace::bench {

/// What a piece of work asked of the heap, of all threads and libraries of this process.
struct HeapUse {
    std::size_t allocations = 0;
    std::size_t peak_bytes = 0;  ///< most bytes at a time beyond those there were before
};

/// Empty where the system's malloc cannot be watched (another libc than glibc, a sanitizer). What is timed is not
/// counted and the other way round.
[[nodiscard]] std::optional<HeapUse> heap_use_of(const std::function<void()>& work);

/// A digest of what a variant made, in the form that all variants of a round have in common. Two variants that were
/// given the same task must give the same answer, or the run fails.
class Answer {
public:
    void add(Bytes bytes) { add(bytes, bytes); }
    /// The same message as it is, and what variants that keep less make of it.
    void add(Bytes exact, Bytes coarse);
    void add_coarse(Bytes coarse);
    /// Numbers count twice: as they are, and rounded to float for variants that keep no more.
    void add(std::span<const double> numbers);
    void add_coarse(std::span<const float> numbers);
    /// Changes what is added next by one bit: how the comparison itself is tested.
    void spoil() noexcept { spoiled_ = true; }

    [[nodiscard]] bool same_as(const Answer& other) const noexcept
    {
        return exact_ == other.exact_ && same_coarse(other);
    }
    /// Up to what a variant that keeps less can know: the precision of a float, the presence of zeros.
    [[nodiscard]] bool same_coarse(const Answer& other) const noexcept
    {
        return coarse_ == other.coarse_ && size_ == other.size_;
    }

private:
    void mix(std::uint64_t& digest, std::uint64_t word) noexcept;
    void mix(std::uint64_t& digest, Bytes bytes) noexcept;

    std::uint64_t exact_ = 1469598103934665603;
    std::uint64_t coarse_ = 1469598103934665603;
    std::uint64_t size_ = 0;  ///< coarse bytes and numbers added
    bool spoiled_ = false;
};

enum class Role : std::uint8_t {
    yardstick,  ///< what the machine can do at best: memcpy, cp; solves no task and has no answer
    naive,      ///< what one would write with the generated code
    ours,
    other,
};
[[nodiscard]] std::string_view name_of(Role role) noexcept;

/// A part of a task, timed by the variant itself.
struct Stage {
    std::string name;
    double nanoseconds = 0;  ///< in the last run
};

/// A part of a task, with all its times.
struct StageTiming {
    std::string name;
    std::vector<double> samples;
};

/// One way to do the task.
struct Variant {
    std::string name;
    std::string what;  ///< a line for the reader: which code does what
    Role role = Role::other;
    std::function<std::size_t()> run;          ///< all of the task once: what is timed; returns the bytes it produced
    std::function<void(Answer&)> answer = {};  ///< what the last run made; only yardsticks have none
    bool keeps_less = false;   ///< floats for doubles, no presence of zeros: compared by what it does keep
    std::size_t bytes_in = 0;  ///< read by one run, where a rate is of interest
    std::function<std::vector<Stage>()> stages = {};  ///< of the last run, always the same ones; by the wall clock
    std::vector<StageTiming> logged =
        {};  ///< stages before those, from a log of the variant's own: a sample per step of it
    std::function<void()> before = {};              ///< untimed, before every run; a sample is one run then
    std::optional<HeapUse> heap = {};               ///< of one run, counted while nobody timed it
    std::optional<std::size_t> process_bytes = {};  ///< the most that processes of its own held
    std::optional<std::size_t> lines = {};          ///< of code that one has to write for it
};

enum class Clock : std::uint8_t {
    thread,  ///< processor time of the one thread: on a machine shared with others the wall clock mostly shows what
             ///< those are doing
    wall,    ///< where several threads, other processes or files are at work
};

/// One task with all its variants.
struct Round {
    std::string name;        ///< `Protobuf to FlatBuffers`
    std::size_t things = 1;  ///< in one run, for times per thing
    std::string thing = "frame";
    Clock clock = Clock::thread;
    std::vector<Variant> variants;
};

/// The times of one variant: of one run of its task each, in nanoseconds.
struct Timing {
    std::string name, what;
    Role role = Role::other;
    std::size_t bytes = 0;        ///< produced by one run
    std::vector<double> samples;  ///< in the order measured
    std::size_t bytes_in = 0;     ///< read by one run; 0 where nobody asks

    std::vector<StageTiming> stages;
    std::optional<HeapUse> heap;
    std::optional<std::size_t> process_bytes;
    std::optional<std::size_t> lines;
    [[nodiscard]] double quantile(double share) const;  ///< 0.5 is the median
    [[nodiscard]] double median() const { return quantile(0.5); }
};

/// 0.5 is the median.
[[nodiscard]] double quantile_of(std::vector<double> samples, double share);

struct RoundResult {
    std::string name;
    std::size_t things = 1;
    std::string thing;
    Clock clock = Clock::thread;
    std::vector<Timing> timings;

    /// The first variant with a role.
    [[nodiscard]] const Timing* first(Role role) const noexcept;
    /// How many times as long as the first variant with a role; empty where there is none.
    [[nodiscard]] std::optional<double> ratio_to(Role role, const Timing& timing) const;
    /// Some variant says how much it reads.
    [[nodiscard]] bool has_rates() const noexcept;
    /// Over the column of ratios to the first variant with a role: `x memcpy`, the first word of its name; empty where
    /// there is none.
    [[nodiscard]] std::string ratio_title(Role role) const;
};

struct ContestOptions {
    int repetitions = 21;
    std::string spoiled;  ///< the variant whose answer is falsified: the run must fail
    std::stop_token stop;
    std::function<void(double done)> on_progress;  ///< 0 to 1; may be empty
};

/// Runs every variant `repetitions` times, in turn and each time from another one on, so that a busy moment of the
/// machine meets all of them. Tasks shorter than a millisecond are repeated within a sample. Before and after that all
/// answers are compared. Throws Error: mismatch where two variants do not agree, cancelled.
[[nodiscard]] RoundResult contest(const Round& round, const ContestOptions& options);

/// What two readings of a clock cost, in nanoseconds; median.
[[nodiscard]] double clock_overhead(Clock clock);

}  // namespace ositrace::bench
