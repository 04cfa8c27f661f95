// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>

#include <sched.h>

/// This thread, and the threads and processes that it starts, have one processor.
class OneProcessor {
public:
    OneProcessor()
    {
        ::sched_getaffinity(0, sizeof before_, &before_);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
        ::sched_setaffinity(0, sizeof one, &one);
    }
    OneProcessor(const OneProcessor&) = delete;
    OneProcessor& operator=(const OneProcessor&) = delete;
    ~OneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }

private:
    cpu_set_t before_;
};
