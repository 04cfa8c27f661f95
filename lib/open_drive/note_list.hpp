// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/error.hpp>

namespace ositrace::open_drive {

/// Notes of one kind: the first ones, and how many more there are.
class NoteList {
public:
    /// `text()` returns the note; it is called for those that are kept.
    template <class Text>
    void add(Cause cause, const Text& text)
    {
        if (++count_ <= most) notes_.emplace_back(cause, std::string(text()));
    }

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] const std::vector<Error>& first() const noexcept { return notes_; }

    /// `more`: what the others are, `elements are left out`.
    void append_to(std::vector<Error>& to, std::string_view more) const
    {
        to.insert(to.end(), notes_.begin(), notes_.end());
        if (count_ > most)
            to.emplace_back(notes_.back().cause(), std::to_string(count_ - most) + " more " + std::string(more));
    }

private:
    static constexpr std::uint64_t most = 10;
    std::vector<Error> notes_;
    std::uint64_t count_ = 0;
};

}  // namespace ositrace::open_drive
