// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

namespace ositrace {

/// A library of the system that is not linked, so that the program starts where it is missing. Stays loaded.
class SharedLibrary {
public:
    /// `libzmq.so.5`, found as the loader finds libraries.
    explicit SharedLibrary(const char* file) noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return library_ != nullptr; }
    /// Null if it has no such function, or is not loaded.
    template <class Function>
    [[nodiscard]] Function find(const char* name) const noexcept
    {
        return reinterpret_cast<Function>(symbol(name));
    }
    /// What the loader says of the last failure of this thread; may be empty.
    [[nodiscard]] static std::string reason();

private:
    [[nodiscard]] void* symbol(const char* name) const noexcept;

    void* library_;
};

}  // namespace ositrace
