// SPDX-License-Identifier: MPL-2.0
// What fuzz targets share. A target reads its choices from the last bytes of the input, so that the first ones stay a
// plain payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

namespace fuzzing {

using ositrace::Bytes;

/// A finding that no sanitizer would see.
inline void check(bool holds, std::string_view fact, std::string_view detail = {})
{
    if (holds) return;
    std::fprintf(stderr, "violated: %.*s\n%.*s\n", static_cast<int>(fact.size()), fact.data(),
                 static_cast<int>(detail.size()), detail.data());
    std::abort();
}

class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) noexcept : bytes_(reinterpret_cast<const std::byte*>(data), size)
    {
    }

    /// A choice of [0, count).
    std::size_t choose(std::size_t count) noexcept
    {
        if (bytes_.empty()) return 0;
        const auto choice = std::to_integer<std::size_t>(bytes_.back()) % count;
        bytes_ = bytes_.first(bytes_.size() - 1);
        return choice;
    }
    bool choose() noexcept { return choose(2) != 0; }
    [[nodiscard]] Bytes rest() const noexcept { return bytes_; }
    [[nodiscard]] std::string_view text() const noexcept { return ositrace::text_of(bytes_); }

private:
    Bytes bytes_;
};

/// What a call ended with: bytes or an Error, never anything else. One line, whatever the input was.
struct Outcome {
    std::string bytes;
    std::string error;
    friend bool operator==(const Outcome&, const Outcome&) = default;
    [[nodiscard]] bool done() const noexcept { return error.empty(); }
    [[nodiscard]] Bytes view() const noexcept { return ositrace::bytes_of(bytes); }
};

/// `action()` returns something that a string can be made of.
template <class Action>
Outcome attempt(Action&& action)
{
    try {
        return {std::string(std::forward<Action>(action)()), {}};
    } catch (const ositrace::Error& error) {
        const std::string_view text = error.what();
        check(!text.empty() && text.find('\n') == std::string_view::npos, "an error is one line", text);
        return {{}, std::string(text)};
    }
}

}  // namespace fuzzing
