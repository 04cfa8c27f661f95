// SPDX-License-Identifier: MPL-2.0
#include "lib/system/shared_library.hpp"

#include "lib/system/windows/native.hpp"

namespace ositrace {

SharedLibrary::SharedLibrary(const char* file) noexcept
    : library_(reinterpret_cast<void*>(::LoadLibraryW(wide(file).c_str())))
{
}

void* SharedLibrary::symbol(const char* name) const noexcept
{
    return library_ == nullptr ? nullptr
                               : reinterpret_cast<void*>(::GetProcAddress(reinterpret_cast<HMODULE>(library_), name));
}

std::string SharedLibrary::reason() { return last_error().message(); }

}  // namespace ositrace
