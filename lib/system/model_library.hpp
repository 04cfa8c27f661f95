// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdio>
#include <string>
#include <thread>

#include "lib/system/file.hpp"

namespace ositrace {

/// Protects the program from a model in a link namespace of its own. The C library there has streams and exit handlers
/// of its own.
struct ProgramGuard {
    /// Its standard output (not of what it writes to descriptor 1 without its C library); null: that of the program.
    const FileHandle* output = nullptr;
    void (*on_exit)(int status, void* argument) = nullptr;  ///< called if the model calls exit()
    void* argument = nullptr;
};

/// Why no model can be loaded into a link namespace of this program: `this program is linked statically`. Empty if it
/// can.
[[nodiscard]] std::string why_no_own_namespace();

/// A model's library, loaded among the libraries of this process or in a link namespace of its own.
class ModelLibrary {
public:
    enum class Where { here, own_namespace };
    /// Throws Error (io) with the error of the loader, (limit) if no namespace is left.
    ModelLibrary(const std::string& file, Where where, const ProgramGuard& guard = {});
    ModelLibrary(const ModelLibrary&) = delete;
    ModelLibrary& operator=(const ModelLibrary&) = delete;
    ~ModelLibrary();
    /// No code of it may run any more, not even its destructors when it is unloaded: the library stays loaded.
    void abandon() noexcept;

    /// Throws Error (unsupported) with the name of the function if the library does not have it.
    template <class Function>
    void find(Function*& function, const char* name) const
    {
        function = reinterpret_cast<Function*>(symbol(name));
    }

    /// Call it before the model runs on another thread: the C library of another namespace initializes only the thread
    /// that loads it.
    void enter();

private:
    [[nodiscard]] void* symbol(const char* name) const;
    void put_up(const ProgramGuard& guard);
    void release_output() noexcept;

    std::string file_;
    void* handle_ = nullptr;
    void (*prepare_thread_)() = nullptr;
    std::FILE* output_ = nullptr;         ///< its standard output, if it was redirected
    int (*flush_)(std::FILE*) = nullptr;  ///< its fflush()
    std::thread::id thread_;
};

}  // namespace ositrace
