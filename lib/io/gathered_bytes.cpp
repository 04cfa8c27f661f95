// SPDX-License-Identifier: MPL-2.0
#include "lib/io/gathered_bytes.hpp"

#include <algorithm>
#include <utility>

#include "lib/io/large_pages.hpp"

namespace ositrace {

void GatheredBytes::borrow(Bytes bytes, std::shared_ptr<const void> owner)
{
    borrowed_.push_back({own_.size(), bytes, std::move(owner)});
    borrowed_bytes_ += bytes.size();
}

std::vector<Bytes> GatheredBytes::parts() const
{
    std::vector<Bytes> parts;
    const auto add = [&](Bytes bytes) {
        if (!bytes.empty()) parts.push_back(bytes);
    };
    std::size_t from = 0;
    for (const auto& each : borrowed_) {
        add(own_.bytes().subspan(from, each.at - from));
        add(each.bytes);
        from = each.at;
    }
    add(own_.bytes().subspan(from));
    return parts;
}

Bytes GatheredBytes::joined(ByteBuffer& scratch) const
{
    if (borrowed_.empty()) return own_.bytes();
    scratch.clear(size());
    for (const auto part : parts()) scratch.append(part);
    return scratch.bytes();
}

void GatheredBytes::clear(std::size_t capacity)
{
    const auto had = own_.capacity();
    own_.clear(capacity);
    if (own_.capacity() != had) prefer_large_pages(own_.data() - ByteBuffer::headroom, own_.capacity());
    borrowed_.clear();
    borrowed_bytes_ = 0;
}

Bytes EqualPieces::next()
{
    scratch_.clear(piece_bytes_);
    while (part_ != parts_.size()) {
        const auto rest = parts_[part_].subspan(taken_);
        const auto count = std::min(piece_bytes_ - scratch_.size(), rest.size());
        const auto piece = rest.first(count);
        taken_ += count;
        if (count == rest.size()) {
            ++part_;
            taken_ = 0;
        }
        if (scratch_.empty() && (count == piece_bytes_ || part_ == parts_.size())) return piece;
        scratch_.append(piece);
        if (scratch_.size() == piece_bytes_) break;
    }
    return scratch_.bytes();
}

}  // namespace ositrace
