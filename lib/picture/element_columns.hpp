// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/columns.hpp>
#include <ositrace/picture.hpp>

namespace ositrace::picture {

/// All numbers of the elements of a repeated message (reflections, detections), as columns. Reuses its memory and what
/// it has learned about the elements; the schema must outlive it.
class ElementColumns {
public:
    /// `needed`: leaves that are always read if the schema has them, such as `time_of_flight`.
    ElementColumns(const FieldRow& elements, std::span<const std::string_view> needed);

    /// Reads the elements of `parent`. If there are very many, it reads every second, third ... one, so that memory
    /// stays within a small multiple of the size of the message. A leaf that is unset in all elements of a sample is
    /// not read. Throws Error (malformed).
    void read(const MessageView& parent);

    [[nodiscard]] std::size_t rows() const noexcept { return reader_ == nullptr ? 0 : reader_->reader.rows(); }
    /// Number of elements in the message; row i is element i * every().
    [[nodiscard]] std::size_t elements() const noexcept { return elements_; }
    [[nodiscard]] std::size_t every() const noexcept { return every_; }
    /// The column of a leaf that is a real number; empty if there is none.
    [[nodiscard]] std::span<const double> reals(std::string_view leaf) const;
    /// Is the leaf set in every row?
    [[nodiscard]] bool all_have(std::string_view leaf) const noexcept;
    [[nodiscard]] bool has(std::string_view leaf, std::size_t row) const noexcept;

    /// A field of the cloud for every leaf that is set in some row, in the order of the schema. `rows`: the rows that
    /// became points. If it is empty and `all` is true, all rows did.
    void add_fields(Cloud& cloud, std::span<const std::uint32_t> rows, bool all) const;

private:
    struct Leaf {
        std::string path;
        bool real = false;
        bool is_id = false;
        bool is_signed = false;
    };
    struct Reader {
        ColumnReader reader;
        std::vector<std::uint8_t> leaves;  ///< of each column
    };
    void add_leaves(const MessageTable& table, const std::string& prefix, int depth);
    Reader& reader_of(std::uint32_t wanted);
    [[nodiscard]] int column_of(std::string_view leaf) const noexcept;
    [[nodiscard]] std::uint32_t leaves_in_sample(const MessageView& parent);
    void count_presence();

    const FieldRow* row_;
    std::vector<Leaf> leaves_;
    std::uint32_t needed_ = 0;
    std::map<std::uint32_t, Reader> readers_;  ///< by the leaves they read
    Reader* reader_ = nullptr;                 ///< the one in use
    std::size_t elements_ = 0;
    std::size_t every_ = 1;
    std::uint32_t in_all_ = 0, in_some_ = 0;  ///< columns
};

/// The unit of a field of reflections and detections, by its path below the element: `dB` for `signal_strength`.
[[nodiscard]] std::string_view unit_of(std::string_view path) noexcept;

/// Sets smallest and largest: the range of the colours of a cloud.
void measure(CloudField& field);

}  // namespace ositrace::picture
