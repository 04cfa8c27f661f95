// SPDX-License-Identifier: MPL-2.0
#include "app/bench/replay/mapped_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ositrace/error.hpp>

namespace ositrace::bench {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* what)
{
    throw Error(Cause::io, {.file = file}, what + (": " + std::generic_category().message(errno)));
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& file) : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC))
{
    if (descriptor_ < 0) fail(file, "cannot be opened");
}

OpenFile::~OpenFile() { ::close(descriptor_); }

MappedFile::MappedFile(const std::filesystem::path& file)
    : file_(file),
      size_(std::filesystem::file_size(file)),
      address_(::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_.descriptor(), 0))
{
    if (address_ == MAP_FAILED) fail(file, "cannot be mapped");
}

MappedFile::~MappedFile() { ::munmap(address_, size_); }

}  // namespace ositrace::bench
