// SPDX-License-Identifier: MPL-2.0
// Arrow arrays and types as values, and their way into the structs of the C data interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/arrow.hpp>

#include "lib/table/store.hpp"

namespace ositrace::table {

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
