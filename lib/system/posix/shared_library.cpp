// SPDX-License-Identifier: MPL-2.0
#include "lib/system/shared_library.hpp"

#include <dlfcn.h>

namespace ositrace {

SharedLibrary::SharedLibrary(const char* file) noexcept : library_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {}

void* SharedLibrary::symbol(const char* name) const noexcept
{
    return library_ == nullptr ? nullptr : ::dlsym(library_, name);
}

std::string SharedLibrary::reason()
{
    const char* const text = ::dlerror();
    return text == nullptr ? std::string() : text;
}

}  // namespace ositrace
