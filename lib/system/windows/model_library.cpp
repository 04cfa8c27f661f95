// SPDX-License-Identifier: MPL-2.0
#include "lib/system/model_library.hpp"

#include <filesystem>

#include <ositrace/error.hpp>

#include "lib/system/whole_name.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

// Every library of Windows finds its own libraries by their names, so that each has a namespace of its own. Nothing
// protects the program from one that ends its process.
std::string why_no_own_namespace() { return {}; }

ModelLibrary::ModelLibrary(const std::string& file, Where, const ProgramGuard&)
    : file_(file), thread_(std::this_thread::get_id())
{
    // With the libraries beside it.
    handle_ = reinterpret_cast<void*>(
        ::LoadLibraryExW(native_name(whole_name(file)).c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH));
    if (handle_ == nullptr) throw Error(Cause::io, "cannot be loaded: " + last_error().message());
}

ModelLibrary::~ModelLibrary()
{
    if (handle_ != nullptr) ::FreeLibrary(reinterpret_cast<HMODULE>(handle_));
}

void ModelLibrary::abandon() noexcept { handle_ = nullptr; }

void ModelLibrary::enter() {}

void* ModelLibrary::symbol(const char* name) const
{
    if (const auto found = ::GetProcAddress(reinterpret_cast<HMODULE>(handle_), name))
        return reinterpret_cast<void*>(found);
    throw Error(Cause::unsupported, "has no function " + std::string(name) + " in " +
                                        std::filesystem::path(file_).filename().string() + ": it cannot be stepped");
}

}  // namespace ositrace
