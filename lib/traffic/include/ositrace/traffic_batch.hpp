// SPDX-License-Identifier: MPL-2.0
// The rows of a table as Arrow record batches.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ositrace/arrow.hpp>
#include <ositrace/traffic_table.hpp>

namespace ositrace {

/// Collects rows. Arrow types: integer is int64, id uint64, real float64, flag bool, text utf8, word a dictionary of
/// utf8 with int32 indices, whose later batches begin with the words of earlier ones. Fields carry `unit` as metadata
/// where a column has one. Batches are independent of it and of each other.
class TrafficBatchBuilder final : public TrafficRowSink {
public:
    /// `wanted`: columns of the table, in that order; empty: all. Throws Error (usage) for a name that is none of them,
    /// with the known ones.
    TrafficBatchBuilder(const TrafficTableRow& table, std::span<const std::string> wanted);
    TrafficBatchBuilder(TrafficBatchBuilder&&) noexcept;
    TrafficBatchBuilder& operator=(TrafficBatchBuilder&&) noexcept;
    ~TrafficBatchBuilder() override;

    void add(std::span<const TrafficCell> row) override;
    [[nodiscard]] std::size_t rows() const noexcept;
    /// About how many bytes the columns have since the last finish().
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// Moves the rows so far into `out`, which the caller releases: a struct array, a child per column. Throws Error
    /// (limit).
    void finish(ArrowArray* out);
    /// Fills `out`, which the caller releases.
    void export_schema(ArrowSchema* out) const;
    [[nodiscard]] std::vector<TrafficColumn> columns() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
