// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ositrace/byte_buffer.hpp>

namespace ositrace {

/// Bytes one behind the other: small ones that are collected in memory of its own, between them large ones that stay
/// where they are. Memory is kept by clear(). One thread at a time.
class GatheredBytes {
public:
    /// To append to, nothing else.
    [[nodiscard]] ByteBuffer& own() noexcept { return own_; }
    /// Continues with bytes that lie elsewhere. They must stay there until clear(); `owner` sees to that, or the
    /// caller.
    void borrow(Bytes bytes, std::shared_ptr<const void> owner);

    [[nodiscard]] std::size_t size() const noexcept { return own_.size() + borrowed_bytes_; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// In order. Good until the next change.
    [[nodiscard]] std::vector<Bytes> parts() const;
    /// Everything in one piece: where it is if nothing is borrowed, else a copy in `scratch`.
    [[nodiscard]] Bytes joined(ByteBuffer& scratch) const;
    /// Forgets everything; afterwards `capacity` own bytes may be appended before memory moves.
    void clear(std::size_t capacity = 0);

private:
    struct Borrowed {
        std::size_t at;  ///< of own_
        Bytes bytes;
        std::shared_ptr<const void> owner;
    };
    ByteBuffer own_;
    std::vector<Borrowed> borrowed_;
    std::size_t borrowed_bytes_ = 0;
};

/// Goes through parts in pieces of one size (the last may be smaller). Only pieces that straddle parts are copied.
class EqualPieces {
public:
    /// Borrows both. `scratch` is used for pieces that straddle parts.
    EqualPieces(const std::vector<Bytes>& parts, std::size_t piece_bytes, ByteBuffer& scratch)
        : parts_(parts), piece_bytes_(piece_bytes), scratch_(scratch)
    {
    }
    /// Good until the next call; empty at the end.
    [[nodiscard]] Bytes next();

private:
    const std::vector<Bytes>& parts_;
    std::size_t piece_bytes_;
    ByteBuffer& scratch_;
    std::size_t part_ = 0;
    std::size_t taken_ = 0;  ///< of parts_[part_]
};

}  // namespace ositrace
