// SPDX-License-Identifier: MPL-2.0
// What Python code can open: a path, bytes, a binary file object.
#pragma once

#include <filesystem>
#include <memory>

#include <nanobind/nanobind.h>

#include <ositrace/random_access.hpp>

namespace ositrace::python {

/// A file by its path, or bytes that are read at offsets.
struct Source {
    std::filesystem::path path;                 ///< of a file; empty where `bytes` are given
    std::shared_ptr<const RandomAccess> bytes;  ///< null: the file at `path`
};

/// A str or os.PathLike, bytes (not copied), bytearray or memoryview (copied), or an object with read(): one that can
/// seek is read where needed, another one is read to its end into an unnamed temporary file. Throws TypeError.
[[nodiscard]] Source source_of(nanobind::handle object);

}  // namespace ositrace::python
