// SPDX-License-Identifier: MPL-2.0
#include "app/bench/structs/process_exchange.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <string>
#include <system_error>

#include <semaphore.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ositrace/error.hpp>

namespace ositrace::bench {
namespace {

constexpr std::size_t ring_size = 64;
constexpr std::size_t most_structs = 1000;

struct RingBuffer {
    std::uint32_t size;
    alignas(64) std::array<std::byte, StructCodec::max_bytes> bytes;
};

[[noreturn]] void throw_system_error(const char* what)
{
    throw Error(Cause::io, std::string(what) + ": " + std::generic_category().message(errno));
}

double processor_time()
{
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

}  // namespace

/// Memory of both processes.
struct ProcessExchange::Shared {
    sem_t begin, finished;         ///< of a run
    sem_t filled, free;            ///< buffers of the ring
    std::size_t count = 0;         ///< structs in this run
    double receiver_time = 0;      ///< of the last run
    bool failed = false;           ///< the child could not parse a struct
    std::array<char, 200> what{};  ///< why
    std::array<SensorData, most_structs> received{};
    std::array<RingBuffer, ring_size> ring{};
};

/// The loop of the child process.
class ProcessExchange::Child {
public:
    Child(Shared& shared, Transport transport, std::size_t structs, int pipe, std::unique_ptr<StructCodec> codec)
        : shared_(shared), transport_(transport), structs_(structs), pipe_(pipe), codec_(std::move(codec))
    {
    }

    [[noreturn]] void run()
    {
        for (;;) {
            wait(shared_.begin);
            const auto start = processor_time();
            number_ = 0;
            transport_ == Transport::pipe ? receive_from_pipe() : receive_from_ring();
            shared_.receiver_time = processor_time() - start;
            ::sem_post(&shared_.finished);
        }
    }

private:
    static void wait(sem_t& semaphore)
    {
        while (::sem_wait(&semaphore) != 0) {  // a signal
        }
    }
    void parse(Bytes bytes)
    {
        try {
            codec_->read(bytes, shared_.received[number_++ % structs_]);
        } catch (const std::exception& error) {
            shared_.failed = true;
            std::strncpy(shared_.what.data(), error.what(), shared_.what.size() - 1);
        }
    }
    void receive_from_ring()
    {
        while (number_ < shared_.count) {
            wait(shared_.filled);
            const auto& buffer = shared_.ring[place_++ % ring_size];
            parse({buffer.bytes.data(), buffer.size});
            ::sem_post(&shared_.free);
        }
    }
    /// Several structs may arrive with one read(), and the last one in parts.
    void receive_from_pipe()
    {
        while (number_ < shared_.count) {
            const auto got = ::read(pipe_, input_.data() + filled_, input_.size() - filled_);
            if (got <= 0) ::_exit(1);  // the parent has ended
            filled_ += static_cast<std::size_t>(got);
            std::size_t at = 0;
            while (filled_ - at >= sizeof(std::uint32_t)) {
                const std::size_t size = load_le32(input_.data() + at);
                if (filled_ - at - sizeof(std::uint32_t) < size) break;
                std::memcpy(message_.data(), input_.data() + at + sizeof(std::uint32_t), size);  // aligns it
                parse({message_.data(), size});
                at += sizeof(std::uint32_t) + size;
            }
            std::copy(input_.begin() + static_cast<std::ptrdiff_t>(at),
                      input_.begin() + static_cast<std::ptrdiff_t>(filled_), input_.begin());
            filled_ -= at;
        }
    }

    Shared& shared_;
    Transport transport_;
    std::size_t structs_;
    int pipe_;
    std::unique_ptr<StructCodec> codec_;
    std::size_t number_ = 0;  ///< of structs in this run
    std::uint32_t place_ = 0;
    std::array<std::byte, 65'536> input_{};
    std::size_t filled_ = 0;
    alignas(64) std::array<std::byte, StructCodec::max_bytes> message_{};
};

ProcessExchange::ProcessExchange(const StructRow& row, Transport transport, std::span<const SensorData> structs)
    : transport_(transport), structs_(structs), codec_(row.make())
{
    if (structs.size() > most_structs) throw Error(Cause::usage, "too many structs for one exchange");
    void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw_system_error("no shared memory");
    shared_ = new (memory) Shared;
    ::sem_init(&shared_->begin, 1, 0);
    ::sem_init(&shared_->finished, 1, 0);
    ::sem_init(&shared_->filled, 1, 0);
    ::sem_init(&shared_->free, 1, ring_size);
    std::array<int, 2> ends{-1, -1};
    if (transport == Transport::pipe && ::pipe(ends.data()) != 0) {
        ::munmap(shared_, sizeof(Shared));
        throw_system_error("no pipe");
    }
    const auto parent = ::getpid();
    child_ = ::fork();
    if (child_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
        if (ends[1] >= 0) ::close(ends[1]);
        Child(*shared_, transport, structs.size(), ends[0], row.make()).run();
    }
    if (ends[0] >= 0) ::close(ends[0]);
    pipe_ = ends[1];
    if (child_ < 0) {
        if (pipe_ >= 0) ::close(pipe_);
        ::munmap(shared_, sizeof(Shared));
        throw_system_error("no child process");
    }
}

ProcessExchange::~ProcessExchange()
{
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    if (pipe_ >= 0) ::close(pipe_);
    ::munmap(shared_, sizeof(Shared));
}

std::span<const SensorData> ProcessExchange::received() const noexcept
{
    return {shared_->received.data(), structs_.size()};
}

double ProcessExchange::receiver_time() const noexcept { return shared_->receiver_time; }

/// Looks every second whether the child is still there.
void ProcessExchange::wait(void* semaphore) const
{
    while (::sem_trywait(static_cast<sem_t*>(semaphore)) != 0) {
        std::timespec until{};
        ::clock_gettime(CLOCK_REALTIME, &until);
        ++until.tv_sec;
        if (::sem_timedwait(static_cast<sem_t*>(semaphore), &until) == 0) return;
        siginfo_t ended{};
        if (::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
            throw Error(Cause::io, "the process that parses structs has ended");
    }
}

/// The struct is in place: in its buffer of the ring, or after the first 4 bytes of the one that the pipe uses.
void ProcessExchange::send(std::size_t size)
{
    auto& buffer = shared_->ring[place_ % ring_size];
    buffer.size = static_cast<std::uint32_t>(size);
    if (transport_ == Transport::shared_memory) {
        ++place_;
        ::sem_post(&shared_->filled);
        return;
    }
    std::array<std::byte, sizeof(std::uint32_t) + StructCodec::max_bytes> message;
    store_le32(message.data(), buffer.size);
    std::memcpy(message.data() + sizeof(std::uint32_t), buffer.bytes.data(), size);
    size += sizeof(std::uint32_t);
    for (std::size_t sent = 0; sent < size;) {
        const auto done = ::write(pipe_, message.data() + sent, size - sent);
        if (done < 0 && errno != EINTR) throw_system_error("the pipe to the other process");
        if (done > 0) sent += static_cast<std::size_t>(done);
    }
}

std::size_t ProcessExchange::run(std::size_t passes)
{
    const auto start = processor_time();
    std::size_t bytes = 0;
    shared_->count = passes * structs_.size();
    ::sem_post(&shared_->begin);
    for (std::size_t pass = 0; pass < passes; ++pass)
        for (const auto& data : structs_) {
            if (transport_ == Transport::shared_memory) wait(&shared_->free);
            const auto size = codec_->write(data, shared_->ring[place_ % ring_size].bytes.data());
            send(size);
            bytes += size;
        }
    sender_time_ = processor_time() - start;
    wait(&shared_->finished);
    if (shared_->failed) throw Error(Cause::malformed, std::string("in the other process: ") + shared_->what.data());
    return bytes;
}

}  // namespace ositrace::bench
