// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "tests/lib/trace/sample_frames.hpp"

/// A large length-prefixed file in memory that is nearly all holes: SensorView frames of equal length with times 0, 1,
/// 2 ... seconds.
class SparseTrace {
public:
    SparseTrace(std::uint64_t frames, std::uint32_t length) : length_(length), size_(frames * step())
    {
        if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(size_)) != 0)
            throw std::runtime_error("no file in memory");
        for (std::uint64_t i = 0; i < frames; ++i) write(i * step(), start_of_frame(static_cast<std::int64_t>(i)));
    }
    SparseTrace(const SparseTrace&) = delete;
    SparseTrace& operator=(const SparseTrace&) = delete;
    ~SparseTrace() { ::close(file_); }

    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::uint64_t step() const { return 4 + std::uint64_t{length_}; }
    void append(const std::string& bytes) const { write(size_, bytes); }

private:
    /// The rest is zeros in a field of the user's own.
    [[nodiscard]] std::string start_of_frame(std::int64_t seconds) const
    {
        const auto time = sample::timestamp(seconds, 0);
        const auto tag = sample::varint(10000 << 3 | 2);
        const auto rest = length_ - time.size() - tag.size();
        const auto length_bytes = sample::varint(rest).size();  // the same for a few bytes less
        return sample::prefix(length_) + time + tag + sample::varint(rest - length_bytes);
    }
    void write(std::uint64_t offset, const std::string& bytes) const
    {
        if (::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset)) < 0)
            throw std::runtime_error("file in memory is full");
    }

    int file_ = ::memfd_create("sparse.osi", MFD_CLOEXEC);
    std::uint32_t length_;
    std::uint64_t size_;
};
