// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/search_bar.hpp"

#include <algorithm>
#include <sstream>

#include <ositrace/transcoder.hpp>

namespace ositrace::gui {

namespace {

constexpr std::size_t max_paths = 100'000, max_bytes = std::size_t{32} << 20;

class Lister {
public:
    explicit Lister(std::vector<std::string>& paths) : paths_(paths) {}

    void list(const MessageTable& table, const std::string& above)
    {
        if (inside_.size() == max_message_depth || std::ranges::find(inside_, &table) != inside_.end()) return;
        inside_.push_back(&table);
        for (const auto& field : table.fields) {
            bytes_ += above.size() + field.name.size();
            if (paths_.size() == max_paths || bytes_ > max_bytes) break;
            auto path = above + std::string(field.name) + (field.repeated ? "[]" : "");
            paths_.push_back(path);
            if (field.child != nullptr) list(*field.child, path + '.');
        }
        inside_.pop_back();
    }

private:
    std::vector<std::string>& paths_;
    std::size_t bytes_ = 0;
    std::vector<const MessageTable*> inside_;
};

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

/// Lower case, and `[3]` or `[*]` as `[]`, so that a copied path is found.
std::vector<std::string> words_of(const std::string& text)
{
    std::vector<std::string> words;
    std::istringstream in(lower(text));
    for (std::string word; in >> word;) {
        std::string plain;
        bool inside = false;
        for (const char c : word) {
            inside = (inside || c == '[') && c != ']';
            if (!inside || c == '[') plain += c;
        }
        words.push_back(plain);
    }
    return words;
}

}  // namespace

SchemaPaths::SchemaPaths(const MessageTable& root) { Lister(paths_).list(root, {}); }

std::vector<std::string> SchemaPaths::search(const std::string& words, std::size_t most) const
{
    const auto wanted = words_of(words);
    if (wanted.empty()) return {};
    std::vector<std::pair<bool, const std::string*>> found;
    for (const auto& path : paths_) {
        const auto text = lower(path);
        if (!std::ranges::all_of(wanted, [&](const auto& word) { return text.find(word) != std::string::npos; }))
            continue;
        const bool ends_in_it = text.ends_with(wanted.back()) || text.ends_with(wanted.back() + "[]");
        found.emplace_back(!ends_in_it, &path);
    }
    const auto before = [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second->size() < b.second->size();
    };
    std::ranges::stable_sort(found, before);
    std::vector<std::string> paths;
    for (std::size_t i = 0; i != std::min(found.size(), most); ++i) paths.push_back(*found[i].second);
    return paths;
}

std::string with_elements(const std::string& path, const std::string& near)
{
    std::string out;
    std::size_t beside = 0;  // position in `near`, as far as both paths agree
    bool is_near = true;
    for (const char c : path) {
        if (c == ']') {
            const auto end = is_near ? near.find(']', beside) : std::string::npos;
            out += end == std::string::npos || end == beside ? "0" : near.substr(beside, end - beside);
            beside = end == std::string::npos ? near.size() : end;
        }
        is_near = is_near && beside < near.size() && near[beside] == c;
        ++beside;
        out += c;
    }
    return out;
}

}  // namespace ositrace::gui
