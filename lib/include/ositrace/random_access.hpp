// SPDX-License-Identifier: MPL-2.0
// Bytes that can be read at any offset: a file, memory, an object in a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <ositrace/bytes.hpp>
#include <ositrace/export.hpp>

namespace ositrace {

/// Immutable bytes of a known size. A derived class implements read_some() and, if an index of the bytes may be cached,
/// version(). Thread-safe: several threads read at once.
class OSITRACE_API RandomAccess {
public:
    virtual ~RandomAccess() = default;
    RandomAccess(const RandomAccess&) = delete;
    RandomAccess& operator=(const RandomAccess&) = delete;

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    /// The name of the bytes in errors. Its extension and the type code of the OSI standard in it are hints for
    /// recognition.
    [[nodiscard]] const std::filesystem::path& name() const noexcept { return name_; }
    /// Identifies the contents under this name: other bytes have another version. Empty: nothing is cached.
    [[nodiscard]] virtual std::string version() const { return {}; }

    /// True if many small reads cost hardly more than a large one, as of a file or of memory. False for requests to a
    /// store.
    [[nodiscard]] virtual bool is_local() const { return false; }

    /// From `offset` up to the returned offset all bytes are zeros, as far as that is known without reading them.
    [[nodiscard]] virtual std::uint64_t zeros_end(std::uint64_t offset) const { return offset; }

    /// These bytes are read next, in several pieces: an object store may fetch them in one request.
    virtual void expect(std::uint64_t offset, std::uint64_t bytes) const
    {
        static_cast<void>(offset);
        static_cast<void>(bytes);
    }

    /// Fills `into` from `offset` and returns the number of bytes; fewer only at size(). Throws Error: what read_some()
    /// throws; truncated when the bytes have shrunk so far that fewer than `needed` are left.
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into, std::size_t needed = all_of_it) const;
    static constexpr std::size_t all_of_it = ~std::size_t{0};

protected:
    RandomAccess(std::filesystem::path name, std::uint64_t size) noexcept : name_(std::move(name)), size_(size) {}

private:
    /// Reads at least one byte and returns the number; 0: the bytes now end before `offset`. `into` is not empty and
    /// lies within size(). Throws Error (io) with the name.
    virtual std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const = 0;
    /// For the error that the bytes have shrunk.
    [[nodiscard]] virtual std::uint64_t size_now() const { return size_; }

    std::filesystem::path name_;
    std::uint64_t size_;
};

/// A regular file. Its size is read once: appended bytes are not seen. Throws Error (missing, io, unsupported).
[[nodiscard]] OSITRACE_API std::shared_ptr<const RandomAccess> open_file(const std::filesystem::path& file);

/// Bytes in memory, which are not copied. `owner` keeps them alive; null: the caller does.
[[nodiscard]] OSITRACE_API std::shared_ptr<const RandomAccess> in_memory(Bytes bytes, std::filesystem::path name,
                                                                         std::shared_ptr<const void> owner = nullptr);

/// The bytes of a stream, which are copied into an unnamed temporary file in $TMPDIR (or /tmp). `read` returns the
/// number of bytes that it has put into the span, 0 at the end. Throws Error (io), and what `read` throws.
[[nodiscard]] OSITRACE_API std::shared_ptr<const RandomAccess> in_temporary_file(
    std::filesystem::path name, const std::function<std::size_t(std::span<std::byte> into)>& read);

}  // namespace ositrace
