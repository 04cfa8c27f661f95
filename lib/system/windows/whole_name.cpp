// SPDX-License-Identifier: MPL-2.0
#include "lib/system/whole_name.hpp"

#include <string>

#include "lib/system/windows/native.hpp"

namespace ositrace {

std::filesystem::path whole_name(const std::filesystem::path& file)
{
    std::wstring whole(MAX_PATH, L'\0');
    for (;;) {
        const auto size = static_cast<DWORD>(whole.size());
        const auto length = ::GetFullPathNameW(file.c_str(), size, whole.data(), nullptr);
        if (length == 0) return file;
        whole.resize(length);
        if (length < size) return whole;
    }
}

std::filesystem::path real_name(const std::filesystem::path& file) { return whole_name(file); }

}  // namespace ositrace
