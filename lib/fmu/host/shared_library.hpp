// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <thread>

namespace ositrace::fmu {

/// A model's library, loaded among the libraries of this process or in a link namespace of its own.
class SharedLibrary {
public:
    enum class Where { here, own_namespace };
    /// Throws Error (io) with what the loader says, (limit) when no namespace is left.
    SharedLibrary(const std::string& file, Where where);
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;
    ~SharedLibrary();
    /// Nothing of it may run any more, not even what unloading it calls.
    void abandon() noexcept { handle_ = nullptr; }

    /// Throws Error (unsupported) naming the function when the library has none of that name.
    template <class Function>
    void find(Function*& function, const char* name) const
    {
        function = reinterpret_cast<Function*>(symbol(name));
    }

    /// Call before the model runs on a thread: the C library of another namespace prepares itself only for the thread that loads it.
    void enter();

private:
    [[nodiscard]] void* symbol(const char* name) const;

    std::string file_;
    void* handle_ = nullptr;
    void (*prepare_thread_)() = nullptr;
    std::thread::id thread_;
};

}  // namespace ositrace::fmu
