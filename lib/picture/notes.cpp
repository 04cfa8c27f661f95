// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/notes.hpp"

#include <algorithm>
#include <utility>

namespace ositrace::picture {

std::string in_thousands(std::uint64_t number)
{
    auto text = std::to_string(number);
    for (auto place = text.size(); place > 3; place -= 3) text.insert(place - 3, 1, ' ');
    return text;
}

std::string counted(std::uint64_t count, std::string_view what)
{
    std::string text = in_thousands(count) + ' ' + std::string(what);
    if (count == 1) return text;
    if (text.ends_with('y')) {
        text.pop_back();
        return text + "ies";
    }
    return text + 's';
}

Notes::Count& Notes::add(std::string_view what, std::string_view why, std::string_view how, std::uint64_t count,
                         PictureNote::Kind kind)
{
    auto found =
        std::ranges::find_if(counts_, [&](const Count& c) { return c.what == what && c.why == why && c.how == how; });
    if (found == counts_.end()) found = counts_.insert(counts_.end(), {what, why, how, kind, 0, {}});
    found->count += count;
    return *found;
}

void Notes::cut_off(std::string_view what, std::uint64_t left, std::uint64_t all, std::string_view limit)
{
    say(PictureNote::Kind::left_out, in_thousands(left) + " of " + counted(all, what) + (left == 1 ? " is" : " are") +
                                         " not shown (limit " + std::string(limit) + ')');
}

void Notes::unreadable(std::string_view what, const Error& error)
{
    auto& count = add(what, "with broken bytes", "not shown", 1, PictureNote::Kind::broken);
    if (count.error.empty()) count.error = error.what();
}

void Notes::say(PictureNote::Kind kind, std::string text)
{
    Remark remark{kind, std::move(text)};
    if (std::ranges::find(remarks_, remark) == remarks_.end()) remarks_.push_back(std::move(remark));
}

void Notes::add_all(const Notes& other)
{
    for (const auto& remark : other.remarks_) say(remark.kind, remark.text);
    for (const auto& count : other.counts_) {
        auto& sum = add(count.what, count.why, count.how, count.count, count.kind);
        if (sum.error.empty()) sum.error = count.error;
    }
}

void Notes::append_to(std::vector<PictureNote>& notes, std::uint32_t source) const
{
    // Every kind of thing meets the same damage of its frame.
    const auto is_listed = [&](const Remark& remark) {
        return std::ranges::any_of(notes, [&](const PictureNote& note) {
            return note.source == source && note.kind == remark.kind && note.text == remark.text;
        });
    };
    for (const auto& remark : remarks_)
        if (!is_listed(remark)) notes.push_back({source, remark.kind, remark.text});
    for (const auto& count : counts_) {
        auto text = counted(count.count, count.what) + ' ' + std::string(count.why) +
                    (count.count == 1 ? " is " : " are ") + std::string(count.how);
        if (!count.error.empty()) text += " (" + count.error + ')';
        notes.push_back({source, count.kind, std::move(text)});
    }
}

}  // namespace ositrace::picture
