// SPDX-License-Identifier: MPL-2.0
// What a ChildProcess does itself. Its command line names two handles: the memory and the parent.
#include <cstdlib>
#include <span>

#include <ositrace/error.hpp>

#include "lib/system/child_process.hpp"
#include "lib/system/process.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

namespace {

FileHandle inherited(std::size_t place)
{
    const auto words = program_arguments(0, nullptr);
    if (words.size() <= place) throw Error(Cause::usage, "is started by another program");
    return FileHandle(static_cast<FileHandle::Native>(std::strtoll(words[place], nullptr, 10)));
}

}  // namespace

SharedMemory memory_of_parent() { return SharedMemory(inherited(1)); }

void wait_for_end_of_parent() noexcept { ::WaitForSingleObject(handle_of(inherited(2)), INFINITE); }

void end_at_once(int exit_code) noexcept
{
    ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(exit_code));
    std::abort();
}

}  // namespace ositrace
