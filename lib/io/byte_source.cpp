// SPDX-License-Identifier: MPL-2.0
#include "lib/io/byte_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace ositrace {

namespace {

class PutBackSource final : public ByteSource {
public:
    PutBackSource(Bytes front, std::unique_ptr<ByteSource> rest)
        : front_(front.begin(), front.end()), rest_(std::move(rest))
    {
    }

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override
    {
        if (position_ == front_.size()) return rest_->read(into, std::move(stop));
        const auto count = std::min(into.size(), front_.size() - position_);
        std::memcpy(into.data(), front_.data() + position_, count);
        position_ += count;
        return count;
    }
    const std::filesystem::path& name() const noexcept override { return rest_->name(); }
    std::optional<std::uint64_t> end() const override { return rest_->end(); }
    std::shared_ptr<const RandomAccess> random_access() const override { return rest_->random_access(); }
    std::uint64_t bytes_consumed() const noexcept override { return rest_->bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return rest_->bytes_total(); }

private:
    std::vector<std::byte> front_;
    std::size_t position_ = 0;
    std::unique_ptr<ByteSource> rest_;
};

}  // namespace

std::unique_ptr<ByteSource> put_back(Bytes front, std::unique_ptr<ByteSource> rest)
{
    return std::make_unique<PutBackSource>(front, std::move(rest));
}

std::size_t read_fully(ByteSource& source, std::span<std::byte> into, std::stop_token stop)
{
    std::size_t have = 0;
    while (have < into.size()) {
        const auto count = source.read(into.subspan(have), stop);
        if (count == 0) break;
        have += count;
    }
    return have;
}

}  // namespace ositrace
