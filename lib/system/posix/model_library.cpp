// SPDX-License-Identifier: MPL-2.0
#include "lib/system/model_library.hpp"

#include <filesystem>

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/system/posix/descriptor.hpp"

namespace ositrace {

namespace {

/// glibc has 16 link namespaces, but enough thread-local memory for the C and C++ libraries of this many. A namespace
/// with libstdc++ is never freed.
constexpr int most_namespaces = 11;

/// The error of the loader, without the path of the folder that the model was unpacked to.
std::string loader_error(const std::string& file)
{
    const char* const error = ::dlerror();
    std::string text = error == nullptr ? "the loader gives no reason" : error;
    const auto folder = std::filesystem::path(file).parent_path().string() + "/";
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
        text.erase(at, folder.size());
    return text;
}

[[noreturn]] void fail_to_load(const std::string& file)
{
    const auto reason = loader_error(file);
    const bool full = reason.find("namespace") != std::string::npos || reason.find("static TLS") != std::string::npos;
    if (full)
        throw Error(Cause::limit,
                    "cannot be loaded in process: " + reason + " (at most " + std::to_string(most_namespaces) +
                        " models fit into one process, including those that have ended; omit --in-process)");
    throw Error(Cause::io, "cannot be loaded: " + reason);
}

}  // namespace

std::string why_no_own_namespace()
{
    if (::getauxval(AT_BASE) == 0) return "this program is linked statically";
    for (const char* const name : {"__asan_init", "__tsan_init", "__msan_init"})
        if (::dlsym(RTLD_DEFAULT, name) != nullptr) return "this program runs under a sanitizer";
    return {};
}

ModelLibrary::ModelLibrary(const std::string& file, Where where, const ProgramGuard& guard)
    : file_(file), thread_(std::this_thread::get_id())
{
    if (where == Where::here) {
        handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_ == nullptr) fail_to_load(file);
        return;
    }
    handle_ = ::dlmopen(LM_ID_NEWLM, file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) fail_to_load(file);
    // Found through the model's library, so it belongs to the C library of the same namespace.
    prepare_thread_ = reinterpret_cast<void (*)()>(::dlsym(handle_, "__ctype_init"));
    put_up(guard);
}

ModelLibrary::~ModelLibrary()
{
    release_output();
    if (handle_ != nullptr) ::dlclose(handle_);
}

void ModelLibrary::abandon() noexcept
{
    release_output();
    handle_ = nullptr;
}

/// Installs the guard in the C library of the model's namespace; what that library lacks (if it is not glibc) is
/// skipped.
void ModelLibrary::put_up(const ProgramGuard& guard)
{
    const auto find = [this]<class Function>(Function*& function, const char* name) {
        function = reinterpret_cast<Function*>(::dlsym(handle_, name));
    };
    int (*on_exit)(void (*)(int, void*), void*) = nullptr;
    find(on_exit, "on_exit");
    if (on_exit != nullptr && guard.on_exit != nullptr) on_exit(guard.on_exit, guard.argument);

    std::FILE** output = nullptr;
    int (*set_buffer)(std::FILE*, char*, int, std::size_t) = nullptr;
    find(output, "stdout");
    find(set_buffer, "setvbuf");
    find(flush_, "fflush");
    if (guard.output == nullptr || output == nullptr || set_buffer == nullptr || flush_ == nullptr) return;
    output_ = *output;
    output_->_fileno = descriptor_of(*guard.output);  // std::cout keeps using this stream, so it cannot be replaced
    set_buffer(output_, nullptr, _IOLBF, 0);
}

void ModelLibrary::release_output() noexcept
{
    if (output_ == nullptr) return;
    flush_(output_);
    output_->_fileno = STDERR_FILENO;  // a thread that the model did not end may still print
    output_ = nullptr;
}

void ModelLibrary::enter()
{
    if (thread_ == std::this_thread::get_id()) return;
    thread_ = std::this_thread::get_id();
    if (prepare_thread_ != nullptr) prepare_thread_();
}

void* ModelLibrary::symbol(const char* name) const
{
    if (void* const found = ::dlsym(handle_, name)) return found;
    throw Error(Cause::unsupported, "has no function " + std::string(name) + " in " +
                                        std::filesystem::path(file_).filename().string() + ": it cannot be stepped");
}

}  // namespace ositrace
