// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdio>
#include <string>
#include <thread>

namespace ositrace::fmu {

/// What a model in a namespace of its own must not do to the program. The C library there has streams and exit handlers
/// of its own.
struct ProgramGuard {
    int output =
        -1;  ///< descriptor that its standard output goes to (not what it writes to descriptor 1 without its C library)
    void (*on_exit)(int status, void* argument) = nullptr;  ///< it called exit()
    void* argument = nullptr;
};

/// A model's library, loaded among the libraries of this process or in a link namespace of its own.
class SharedLibrary {
public:
    enum class Where { here, own_namespace };
    /// Throws Error (io) with what the loader says, (limit) when no namespace is left.
    SharedLibrary(const std::string& file, Where where, const ProgramGuard& guard = {});
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;
    ~SharedLibrary();
    /// Nothing of it may run any more, not even what unloading it calls.
    void abandon() noexcept;

    /// Throws Error (unsupported) naming the function when the library has none of that name.
    template <class Function>
    void find(Function*& function, const char* name) const
    {
        function = reinterpret_cast<Function*>(symbol(name));
    }

    /// Call before the model runs on a thread: the C library of another namespace prepares itself only for the thread
    /// that loads it.
    void enter();

private:
    [[nodiscard]] void* symbol(const char* name) const;
    void put_up(const ProgramGuard& guard);
    void release_output() noexcept;

    std::string file_;
    void* handle_ = nullptr;
    void (*prepare_thread_)() = nullptr;
    std::FILE* output_ = nullptr;         ///< its standard output, where that was turned aside
    int (*flush_)(std::FILE*) = nullptr;  ///< its fflush()
    std::thread::id thread_;
};

}  // namespace ositrace::fmu
