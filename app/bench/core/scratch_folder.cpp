// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <ositrace/error.hpp>

namespace ositrace::bench {

ScratchFolder::ScratchFolder(const std::filesystem::path& parent)
{
    auto name = (parent / "ositrace-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error(Cause::io, {.file = parent}, "no folder can be made in it: " + std::generic_category().message(errno));
    path_ = name;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace ositrace::bench
