// SPDX-License-Identifier: MPL-2.0
#include "test_model.hpp"

#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#ifdef TEST_MODEL_PROTOBUF
#include "measured.pb.h"
#endif

namespace {

std::uint64_t sum_of(const Message& message)
{
    std::uint64_t sum = 14695981039346656037U;
    for (std::int64_t i = 0; i < message.size; ++i)
        sum = (sum ^ static_cast<const unsigned char*>(message.data)[i]) * 1099511628211U;
    return sum;
}

void put_varint(std::string& to, std::uint64_t value)
{
    for (; value >= 128; value >>= 7) to += static_cast<char>(value | 128);
    to += static_cast<char>(value);
}

void put_bytes(std::string& to, unsigned number, const void* data, std::int64_t size)
{
    put_varint(to, number << 3 | 2);
    put_varint(to, static_cast<std::uint64_t>(size));
    to.append(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

/// An address that nothing is at any more.
const void* dangling_address()
{
    void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ::munmap(page, 4096);
    return page;
}

void leave_a_child_with_our_output()
{
    if (::fork() == 0) {
        ::sleep(60);
        ::_exit(0);
    }
}

}  // namespace

Answer TestModel::instantiated()
{
    if (std::getenv("TEST_MODEL_CRASHES_WHEN_LOADED") != nullptr) std::raise(SIGSEGV);
#ifdef TEST_MODEL_PROTOBUF
    ositrace_test::Measured there, back;
    there.set_x(4.5);
    if (!back.ParseFromString(there.SerializeAsString()) || back.x() != 4.5) std::abort();
#endif
    return Answer::ok;
}

Message TestModel::request() const
{
    // sensor_id { value: 7 }, range: 100, radar_sensor_view_configuration {}
    static const std::string text("\x12\x02\x08\x07\x39\x00\x00\x00\x00\x00\x00\x59\x40\xca\x3e\x00", 16);
    return behaviour == "request" ? Message{text.data(), static_cast<std::int64_t>(text.size())} : Message{};
}

Answer TestModel::initialized()
{
    if (behaviour == "hang_in_initialization")
        for (;;) ::sleep(1);
    if (behaviour == "crash_in_initialization") std::raise(SIGSEGV);
    if (behaviour == "need_ground_truth" && ground_truth.size == 0) return Answer::error;
    start_ = sum_of(ground_truth);  // valid until here
    if (behaviour == "need_ground_truth")
        buffers_[0].assign(static_cast<const char*>(ground_truth.data), static_cast<std::size_t>(ground_truth.size));
    if (behaviour == "request")
        buffers_[0].assign(static_cast<const char*>(configuration.data), static_cast<std::size_t>(configuration.size));
    if (behaviour == "need_ground_truth" || behaviour == "request") std::printf("got %zu bytes\n", buffers_[0].size());
    return Answer::ok;
}

Answer TestModel::step(double start, double end)
{
    if (behaviour == "times") std::printf("step from %.9g to %.9g s\n", start, end);
    if (behaviour == "lifetime") check_lifetime();
    const auto step = steps_++;
    if (step >= at)
        if (const auto answer = misbehave(); answer != Answer::ok) return answer;
    if (behaviour == "hold" && step % 2 == 1) return Answer::ok;
    if (behaviour == "nothing")
        output = {};
    else if (behaviour == "forward")
        output = input;
    else if (behaviour != "negative" && behaviour != "oversized" && behaviour != "dangling" &&
             behaviour != "half_dangling")
        echo(end);
    else if (step < at)
        echo(end);
    if (behaviour == "write_input" && input.size > 0)
        std::memset(const_cast<void*>(input.data), 0, static_cast<std::size_t>(input.size));
    return Answer::ok;
}

Answer TestModel::misbehave()
{
    static const char text[] = "nothing to see here, and surely no message";
    if (behaviour == "crash") std::raise(SIGSEGV);
    if (behaviour == "abort") std::abort();
    if (behaviour == "exit") std::exit(3);
    if (behaviour == "exit_0") std::exit(0);
    if (behaviour == "write_1") static_cast<void>(!::write(1, "hello to descriptor 1\n", 22));
    if (behaviour == "cout") std::cout << "hello from std::cout\n";
    if (behaviour == "print_and_hang") std::printf("hanging\n");
    if (behaviour == "hang" || behaviour == "print_and_hang")
        for (;;) ::sleep(1);
    if (behaviour == "spin")
        for (volatile int forever = 1; forever != 0;) {
        }
    if (behaviour == "throw") throw std::runtime_error("thrown by the model");
    if (behaviour == "close_output") {
        ::close(1);
        ::close(2);
        std::printf("nobody reads this\n");
    }
    if (behaviour == "leave_child") leave_a_child_with_our_output();
    if (behaviour == "print") std::printf("hello from step %d\n", steps_ - 1);
    if (behaviour == "classify" &&
        (std::isdigit(static_cast<unsigned char>("x7"[steps_ % 2])) != 0) != (steps_ % 2 == 1))
        return Answer::error;  // as parsers do
    if (behaviour == "print_without_end") std::fputs("half a line", stderr);
    if (behaviour == "negative") output = {text, -5};
    if (behaviour == "oversized") output = {text, 0x7fff'ffff};
    if (behaviour == "dangling") output = {dangling_address(), 100};
    if (behaviour == "half_dangling") output = {text, 100'000'000};
    if (behaviour == "discard") return Answer::discard;
    if (behaviour == "error") return Answer::error;
    if (behaviour == "fatal") {
        fatal_ = true;
        return Answer::fatal;
    }
    return Answer::ok;
}

void TestModel::echo(double end)
{
    // SensorData { timestamp, sensor_view }
    const auto nanoseconds = static_cast<std::int64_t>(std::llround(end * 1e9));
    std::string time;
    put_varint(time, 1 << 3);
    put_varint(time, static_cast<std::uint64_t>(nanoseconds / 1'000'000'000));
    put_varint(time, 2 << 3);
    put_varint(time, static_cast<std::uint64_t>(nanoseconds % 1'000'000'000));
    auto& buffer = buffers_[steps_ % 2];
    buffer.clear();
    put_bytes(buffer, 2, time.data(), static_cast<std::int64_t>(time.size()));
    if (input.size > 0) put_bytes(buffer, 8, input.data, input.size);
    if (behaviour == "wrong_type" && steps_ > at)
        buffer.assign(static_cast<const char*>(input.data), static_cast<std::size_t>(input.size));
    if (behaviour == "garbage" && steps_ > at) buffer.assign("\xff\xff\xff\xff\xff\xff garbage");
    output = {buffer.data(), static_cast<std::int64_t>(buffer.size())};
}

/// What the step before was given must still be there, and be as it was.
void TestModel::check_lifetime()
{
    if (steps_ > 0 && sum_of(last_input_) != last_sum_) std::abort();
    last_input_ = input;
    last_sum_ = sum_of(input);
}

/// FMI: behind `fatal` no function may be called.
TestModel::~TestModel()
{
    if (fatal_) std::abort();
}

Answer TestModel::terminated()
{
    if (fatal_) std::abort();
    if (behaviour == "hang_at_the_end")
        for (;;) ::sleep(1);
    if (behaviour == "crash_at_the_end") std::raise(SIGSEGV);
    return Answer::ok;
}
