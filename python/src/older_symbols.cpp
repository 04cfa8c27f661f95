// SPDX-License-Identifier: MPL-2.0
// A wheel runs on systems that are older than the one that built it. Three functions have a newer version here than
// manylinux_2_34 allows (glibc 2.34, GLIBCXX_3.4.29), and an older one that does the same. The linker sends all calls
// to the functions below (--wrap). python/check_wheel.py finds what else comes to need one.
#include <condition_variable>
#include <mutex>

extern "C" {

// NOLINTBEGIN: the linker prescribes the names.
#define ORIGINAL_WAIT "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"
__asm__(".symver older_wait, " ORIGINAL_WAIT "@GLIBCXX_3.4.11");
__asm__(".symver older_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver older_hypotf, hypotf@GLIBC_2.2.5");

void older_wait(std::condition_variable* on, std::unique_lock<std::mutex>& lock);
double older_hypot(double x, double y);
float older_hypotf(float x, float y);

void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(std::condition_variable* on,
                                                                      std::unique_lock<std::mutex>& lock)
{
    older_wait(on, lock);
}

double __wrap_hypot(double x, double y) { return older_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return older_hypotf(x, y); }
// NOLINTEND
}
