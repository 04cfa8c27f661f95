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

/// The heap that a piece of work used, in all threads and libraries of this process.
struct HeapUse {
    std::size_t allocations = 0;
    std::size_t peak_bytes = 0;  ///< most bytes at a time, in addition to those used before
};

/// Empty if the system's malloc cannot be watched (another libc than glibc, a sanitizer). Runs that are timed are not
/// counted, and vice versa.
[[nodiscard]] std::optional<HeapUse> heap_use_of(const std::function<void()>& work);

/// A digest of the result of a variant, in the form that is common to all variants of a round. Two variants with the
/// same task must give the same answer, or the run fails.
class Answer {
public:
    void add(Bytes bytes) { add(bytes, bytes); }
    /// The same message unchanged, and reduced to what variants that keep less preserve.
    void add(Bytes exact, Bytes coarse);
    void add_coarse(Bytes coarse);
    /// Adds each number twice: unchanged, and rounded to float for variants that keep only floats.
    void add(std::span<const double> numbers);
    void add_coarse(std::span<const float> numbers);
    /// Changes the next added bytes by one bit: a test of the comparison itself.
    void spoil() noexcept { spoiled_ = true; }

    [[nodiscard]] bool same_as(const Answer& other) const noexcept
    {
        return exact_ == other.exact_ && same_coarse(other);
    }
    /// Compares only what a variant that keeps less preserves: numbers as floats, without the presence of zeros.
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
    yardstick,  ///< the limit of the machine: memcpy, cp; does not solve the task and has no answer
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
    std::string what;  ///< one line for the reader: which code does what
    Role role = Role::other;
    std::function<std::size_t()> run;          ///< does the whole task once: this is timed; returns the bytes produced
    std::function<void(Answer&)> answer = {};  ///< adds the result of the last run; only yardsticks have none
    bool keeps_less = false;   ///< floats for doubles, no presence of zeros: only what it keeps is compared
    std::size_t bytes_in = 0;  ///< read by one run; set if the rate is of interest
    std::function<std::vector<Stage>()> stages = {};  ///< of the last run, always the same stages; wall clock
    std::vector<StageTiming> logged =
        {};  ///< stages before those, from a log of the variant's own: a sample per step of it
    std::function<double()> measured = {};  ///< nanoseconds of the last run, if the variant measures itself; each
                                            ///< sample is then one run
    std::function<void()> before = {};      ///< not timed, called before every run; each sample is then one run
    std::optional<HeapUse> heap = {};       ///< of one run that was not timed
    std::optional<std::size_t> process_bytes = {};  ///< the most memory that its own processes used
    std::optional<std::size_t> lines = {};          ///< lines of code that a user has to write for it
};

enum class Clock : std::uint8_t {
    thread,   ///< processor time of the only thread: on a shared machine the wall clock depends on what
              ///< other processes do
    wall,     ///< for several threads, other processes or files
    threads,  ///< processor time of several threads, which the variants measure themselves
};

/// One task with all its variants.
struct Round {
    std::string name;        ///< `Protobuf to FlatBuffers`
    std::size_t things = 1;  ///< in one run, for times per thing
    std::string thing = "frame";
    Clock clock = Clock::thread;
    std::vector<Variant> variants;
    std::string question = {};  ///< which other rounds answer, too: a heading; empty: the name is one
};

/// The times of one variant: of one run of its task each, in nanoseconds.
struct Timing {
    std::string name, what;
    Role role = Role::other;
    std::size_t bytes = 0;        ///< produced by one run
    std::vector<double> samples;  ///< in the order measured
    std::size_t bytes_in = 0;     ///< read by one run; 0: not of interest

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
    std::string question = {};

    /// The first variant with a role.
    [[nodiscard]] const Timing* first(Role role) const noexcept;
    /// The ratio to the time of the first variant with a role; empty if there is none.
    [[nodiscard]] std::optional<double> ratio_to(Role role, const Timing& timing) const;
    /// Does a variant have bytes_in?
    [[nodiscard]] bool has_rates() const noexcept;
    /// The title of the column of ratios to the first variant with a role: `x memcpy`, from the first word of its name;
    /// empty if there is none.
    [[nodiscard]] std::string ratio_title(Role role) const;
};

struct ContestOptions {
    int repetitions = 21;
    std::string spoiled;  ///< the variant whose answer is falsified: the run must fail
    std::stop_token stop;
    std::function<void(double done)> on_progress;  ///< 0 to 1; may be empty
};

/// Runs every variant `repetitions` times, in turn and beginning with another one each time, so that other work on the
/// machine affects all of them. Tasks shorter than a millisecond are repeated within a sample. All answers are compared
/// before and afterwards. Throws Error: mismatch if two variants give different answers, cancelled.
[[nodiscard]] RoundResult contest(const Round& round, const ContestOptions& options);

/// The duration of reading a clock twice, in nanoseconds; median.
[[nodiscard]] double clock_overhead(Clock clock);

}  // namespace ositrace::bench
