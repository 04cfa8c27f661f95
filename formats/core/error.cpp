// SPDX-License-Identifier: MPL-2.0
#include <ositrace/error.hpp>

#include <algorithm>
#include <array>

namespace ositrace {

namespace {

/// In the order of Cause.
constexpr std::array<std::string_view, 13> cause_names{"io",          "missing",   "malformed", "truncated", "limit",
                                                       "unsupported", "ambiguous", "different", "mismatch",  "exists",
                                                       "lossy",       "cancelled", "usage"};

std::string line(const Location& where, std::string_view reason)
{
    auto text = to_string(where);
    if (!text.empty()) text += ": ";
    text.append(reason);
    // Names come from files and from strangers: one line stays one line, and no terminal obeys it.
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return text;
}

std::string join_fields(const std::string& outer, const std::string& inner)
{
    if (outer.empty() || inner.empty()) return outer + inner;
    return outer + '.' + inner;
}

}  // namespace

std::string_view name_of(Cause cause) noexcept { return cause_names[static_cast<std::size_t>(cause)]; }

std::string to_string(const Location& where)
{
    auto text = where.file.string();
    if (where.frame || where.offset) {
        if (!text.empty()) text += ": ";
        if (where.frame) text.append("frame ").append(std::to_string(*where.frame));
        if (where.offset) text.append(where.frame ? " at byte " : "byte ").append(std::to_string(*where.offset));
    }
    if (!where.field.empty()) text.append(text.empty() ? "" : ": ").append(where.field);
    return text;
}

Error::Error(Cause cause, Location where, std::string_view reason, Damage damage)
    : std::runtime_error(line(where, reason)), cause_(cause), damage_(damage), where_(std::move(where)), reason_(reason)
{
}

Error Error::within(const Location& outer) const
{
    auto where = where_;
    if (where.file.empty()) where.file = outer.file;
    if (!where.frame) where.frame = outer.frame;
    if (outer.offset) where.offset = where.offset.value_or(0) + *outer.offset;
    where.field = join_fields(outer.field, where.field);
    return moved_to(std::move(where));
}

}  // namespace ositrace
