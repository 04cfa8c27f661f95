// SPDX-License-Identifier: MPL-2.0
#include "app/bench/structs/paced_exchange.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <exception>
#include <thread>
#include <vector>

#include <semaphore.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <ositrace/error.hpp>

namespace ositrace::bench {
namespace {

using std::chrono::nanoseconds;

std::int64_t monotonic_time()
{
    std::timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::timespec timespec_of(std::int64_t time) { return {time / 1'000'000'000, time % 1'000'000'000}; }

/// Of this thread. The default of 50 us is longer than the periods of the benchmark.
void set_timer_slack(nanoseconds slack) { ::prctl(PR_SET_TIMERSLACK, slack.count(), 0, 0, 0); }

class Semaphore {
public:
    Semaphore() { ::sem_init(&semaphore_, 0, 0); }
    Semaphore(const Semaphore&) = delete;
    Semaphore& operator=(const Semaphore&) = delete;
    ~Semaphore() { ::sem_destroy(&semaphore_); }
    void post() { ::sem_post(&semaphore_); }
    void wait()
    {
        while (::sem_wait(&semaphore_) != 0) {  // a signal
        }
    }

private:
    sem_t semaphore_;
};

double nanoseconds_of(const timeval& time)
{
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
}

class PacedExchange {
public:
    PacedExchange(StructCodec& writer, StructCodec& reader, std::span<const SensorData> structs, std::size_t count,
                  nanoseconds period)
        : writer_(writer), reader_(reader), structs_(structs), count_(count), period_(period.count())
    {
    }

    PacedRun run()
    {
        const auto start = monotonic_time();
        std::array<rusage, 2> usage{};
        std::array<std::exception_ptr, 2> errors;
        const auto work = [&](std::size_t place, auto&& step) {
            try {
                step();
            } catch (...) {
                errors[place] = std::current_exception();
            }
            if (place == 0) {
                done_ = true;
                filled_.post();
            }
            ::getrusage(RUSAGE_THREAD, &usage[place]);
        };
        {
            const std::jthread consumer([&] { work(1, [&] { consume(); }); });
            const std::jthread producer([&] { work(0, [&] { produce(); }); });
        }
        for (const auto& error : errors)
            if (error) std::rethrow_exception(error);
        PacedRun run{
            .elapsed = static_cast<double>(monotonic_time() - start), .due = count_, .sent = sent_, .lost = lost_};
        for (const auto& of_thread : usage) {
            run.user += nanoseconds_of(of_thread.ru_utime);
            run.system += nanoseconds_of(of_thread.ru_stime);
        }
        return run;
    }

private:
    void produce()
    {
        set_timer_slack(nanoseconds(1));
        const auto first = monotonic_time() + period_;
        for (std::size_t i = 0; i < count_; ++i) {
            const auto due = first + static_cast<std::int64_t>(i) * period_;
            const auto time = timespec_of(due);
            while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) != 0) {  // a signal
            }
            i = std::min(i + static_cast<std::size_t>((monotonic_time() - due) / period_), count_ - 1);
            ++sent_;
            if (full_.load(std::memory_order_acquire)) {
                ++lost_;
                continue;
            }
            size_ = writer_.write(structs_[i % structs_.size()], buffer_.data());
            number_ = i;
            full_.store(true, std::memory_order_release);
            filled_.post();
        }
    }
    void consume()
    {
        for (;;) {
            filled_.wait();
            if (!full_.load(std::memory_order_acquire)) {
                if (done_) return;
                continue;
            }
            SensorData data;
            reader_.read({buffer_.data(), size_}, data);
            if (data != structs_[number_ % structs_.size()])
                throw Error(Cause::mismatch, "a struct arrived changed in the other thread");
            full_.store(false, std::memory_order_release);
        }
    }

    StructCodec& writer_;
    StructCodec& reader_;
    std::span<const SensorData> structs_;
    std::size_t count_;
    std::int64_t period_;
    std::size_t sent_ = 0, lost_ = 0;  ///< of the producer

    alignas(64) std::array<std::byte, StructCodec::max_bytes> buffer_{};
    std::size_t size_ = 0;
    std::size_t number_ = 0;  ///< of the struct in the buffer
    std::atomic<bool> full_ = false;
    std::atomic<bool> done_ = false;
    Semaphore filled_;
};

}  // namespace

PacedRun exchange_paced(StructCodec& writer, StructCodec& reader, std::span<const SensorData> structs,
                        std::size_t count, nanoseconds period)
{
    return PacedExchange(writer, reader, structs, count, period).run();
}

double sleep_with_slack(nanoseconds sleep, nanoseconds slack)
{
    std::vector<double> times;
    std::thread([&] {
        set_timer_slack(slack);
        const auto time = timespec_of(sleep.count());
        for (int i = 0; i < 101; ++i) {
            const auto start = monotonic_time();
            ::nanosleep(&time, nullptr);
            times.push_back(static_cast<double>(monotonic_time() - start));
        }
    }).join();
    return quantile_of(times, 0.5);
}

}  // namespace ositrace::bench
