// SPDX-License-Identifier: MPL-2.0
// Reads Arrow structs by the book of their specification, and complains where they break it.
#pragma once

#include <string>
#include <vector>

#include <ositrace/arrow.hpp>
#include <ositrace/table.hpp>

namespace arrow_test {

/// A batch and its schema: owns both.
class Batch {
public:
    Batch(const ositrace::TablePlan& plan, ositrace::TableBuilder& builder);
    /// Takes the array.
    Batch(const ositrace::TablePlan& plan, ArrowArray* array);
    Batch(const Batch&) = delete;
    ~Batch();

    [[nodiscard]] std::size_t rows() const noexcept { return static_cast<std::size_t>(array_.length); }
    [[nodiscard]] std::vector<std::string> names() const;
    /// `unit` of the metadata of a column; empty: none.
    [[nodiscard]] std::string unit(const std::string& name) const;
    /// The values of a column, as text: `1.5`, `null`, `[1,2]`, `"text"`, `TYPE_VEHICLE`.
    [[nodiscard]] std::vector<std::string> column(const std::string& name) const;
    [[nodiscard]] std::string value(std::size_t column, std::size_t row) const;
    /// `id=7 x=1.5`.
    [[nodiscard]] std::vector<std::string> row_texts() const;
    /// What breaks the rules of the C data interface; empty: nothing.
    [[nodiscard]] std::string broken() const;
    [[nodiscard]] const ArrowArray& array() const noexcept { return array_; }
    [[nodiscard]] const ArrowSchema& schema() const noexcept { return schema_; }

private:
    ArrowSchema schema_{};
    ArrowArray array_{};
};

}  // namespace arrow_test
