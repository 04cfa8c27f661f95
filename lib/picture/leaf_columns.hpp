// SPDX-License-Identifier: MPL-2.0
// Fields of the elements of a list as columns, whatever the release of OSI has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <ositrace/columns.hpp>

namespace ositrace::picture {

enum class LeafKind : std::uint8_t {
    integer,
    real,
    message,  ///< only whether it is present
};
struct LeafRow {
    std::string_view path;  ///< `base.position.x`
    LeafKind kind;
};

/// Does the schema have it, of this kind? Releases of OSI differ, and so do kinds of objects.
[[nodiscard]] bool has_leaf(const MessageTable& table, const LeafRow& leaf) noexcept;

/// Leaves that the schema lacks, or has of another kind, read as absent. `Leaf`: an enum of places in the rows, which
/// must outlive it.
template <class Leaf, std::size_t count>
class LeafColumns {
public:
    LeafColumns(const FieldRow& list, const std::array<LeafRow, count>& rows)
        : leaf_rows_(rows), reader_(list, leaves_in(*list.child))
    {
        static_assert(count <= ColumnReader::max_leaves);
    }

    /// The list of a message.
    void read(const MessageView& parent)
    {
        reader_.read(parent);
        for (std::size_t i = 0; i != count; ++i) {
            if (columns_[i] < 0) continue;
            const auto column = static_cast<std::size_t>(columns_[i]);
            if (leaf_rows_[i].kind == LeafKind::real) reals_[i] = reader_.reals(column);
            if (leaf_rows_[i].kind == LeafKind::integer) integers_[i] = reader_.integers(column);
        }
    }
    [[nodiscard]] std::size_t rows() const noexcept { return reader_.rows(); }
    [[nodiscard]] MessageView element(std::size_t row) const { return reader_.element(row); }
    [[nodiscard]] bool has(Leaf leaf, std::size_t row) const noexcept
    {
        const int column = columns_[place(leaf)];
        return column >= 0 && (reader_.presence()[row] >> column & 1) != 0;
    }
    [[nodiscard]] double real(Leaf leaf, std::size_t row) const noexcept
    {
        const auto& values = reals_[place(leaf)];
        return values.empty() ? 0 : values[row];
    }
    [[nodiscard]] std::uint64_t integer(Leaf leaf, std::size_t row) const noexcept
    {
        const auto& values = integers_[place(leaf)];
        return values.empty() ? 0 : values[row];
    }
    /// `first` and the two leaves after it.
    [[nodiscard]] std::array<double, 3> vector(Leaf first, std::size_t row) const noexcept
    {
        const auto next = [&](int i) { return static_cast<Leaf>(static_cast<int>(first) + i); };
        return {real(first, row), real(next(1), row), real(next(2), row)};
    }

private:
    static std::size_t place(Leaf leaf) noexcept { return static_cast<std::size_t>(leaf); }
    std::vector<std::string_view> leaves_in(const MessageTable& table)
    {
        std::vector<std::string_view> leaves;
        for (std::size_t i = 0; i != count; ++i) {
            const bool found = has_leaf(table, leaf_rows_[i]);
            columns_[i] = found ? static_cast<int>(leaves.size()) : -1;
            if (found) leaves.push_back(leaf_rows_[i].path);
        }
        return leaves;
    }

    const std::array<LeafRow, count>& leaf_rows_;
    std::array<int, count> columns_{};  ///< -1: the schema has none
    std::array<std::span<const double>, count> reals_;
    std::array<std::span<const std::uint64_t>, count> integers_;
    ColumnReader reader_;
};

}  // namespace ositrace::picture
