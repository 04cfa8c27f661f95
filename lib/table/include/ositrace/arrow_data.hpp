// SPDX-License-Identifier: MPL-2.0
// Arrow arrays and types as values, and their way into the structs of the C data interface: for columns that a program
// adds to a batch.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/arrow.hpp>

namespace ositrace::table {

/// Memory at a multiple of 64 bytes, as Arrow recommends, that a batch shares with nobody but its consumers.
using Memory = std::shared_ptr<std::byte>;

/// How much memory a batch may still take.
class Budget {
public:
    explicit Budget(std::size_t limit) noexcept : limit_(limit) {}
    /// Never null. Throws Error (limit).
    [[nodiscard]] Memory allocate(std::size_t bytes);
    void reset() noexcept { used_ = 0; }
    [[nodiscard]] std::size_t used() const noexcept { return used_; }

private:
    std::size_t limit_;
    std::size_t used_ = 0;
};

struct Array {
    std::size_t length = 0;
    std::size_t nulls = 0;
    std::vector<Memory> buffers;  ///< the first one is the validity; null: all are set
    std::vector<Array> children;
    std::vector<Array> dictionary;  ///< one, or none
};

struct Type {
    std::string format;
    std::string name;
    bool nullable = true;
    std::vector<std::pair<std::string, std::string>> metadata;
    std::vector<Type> children;
    std::vector<Type> dictionary;  ///< one, or none
};

/// Both fill `out`, which the caller releases. Children may be moved out of it before.
void export_array(Array&& array, ArrowArray* out);
void export_type(Type&& type, ArrowSchema* out);

}  // namespace ositrace::table
