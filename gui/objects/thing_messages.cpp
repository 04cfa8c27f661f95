// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/thing_messages.hpp"

#include <algorithm>
#include <charconv>

#include <ositrace/error.hpp>
#include <ositrace/field_docs.hpp>

namespace ositrace::gui {

namespace {

/// `a.b[3]` is element 3 of `a.b`.
struct Place {
    std::string list;
    std::optional<std::size_t> index;  ///< empty: the path names one message
};

Place place_of(const std::string& path)
{
    const auto bracket = path.rfind('[');
    if (bracket == std::string::npos || !path.ends_with(']')) return {path, std::nullopt};
    std::size_t index = 0;
    const auto* const end = path.data() + path.size() - 1;
    if (std::from_chars(path.data() + bracket + 1, end, index).ptr != end) return {path, std::nullopt};
    return {path.substr(0, bracket), index};
}

}  // namespace

void ThingMessages::show(std::shared_ptr<const Snapshot> snapshot)
{
    if (snapshot == snapshot_) return;
    lists_.clear();
    snapshot_ = std::move(snapshot);
}

const std::vector<Value>& ThingMessages::elements(std::uint32_t source, const std::string& path)
{
    const auto [place, is_new] = lists_.try_emplace({source, path});
    auto& values = place->second;
    if (!is_new || !snapshot_ || source >= snapshot_->channels.size()) return values;
    const auto& shown = snapshot_->channels[source];
    if (!shown.frame || shown.channel->root == nullptr) return values;
    try {
        const MessageView root(shown.frame->bytes, *shown.channel->root, shown.channel->format);
        if (path.empty())
            values.emplace_back(root);
        else
            FieldPath::compile(*shown.channel->root, path).collect(root, values);
    } catch (const Error&) {
        // What is before the damage stays; the tree shows the damage.
    }
    return values;
}

std::optional<MessageView> ThingMessages::message(const Thing& thing)
{
    const auto place = place_of(thing.path);
    const auto& values = elements(thing.key.source, place.list);
    const auto index = place.index.value_or(0);
    const auto* const message = index < values.size() ? std::get_if<MessageView>(&values[index]) : nullptr;
    return message == nullptr ? std::nullopt : std::optional(*message);
}

const FieldPath* ThingField::path_in(const MessageTable& table) const
{
    auto found = compiled_.find(&table);
    if (found == compiled_.end()) {
        std::optional<FieldPath> path;
        try {
            path = FieldPath::compile(table, path_);
        } catch (const Error&) {
            // This kind of message has no such field.
        }
        found = compiled_.emplace(&table, std::move(path)).first;
    }
    return found->second ? &*found->second : nullptr;
}

const FieldRow* ThingField::row_in(const MessageTable& table) const
{
    const auto* const path = path_in(table);
    return path == nullptr ? nullptr : &path->leaf();
}

const FieldRow* ThingField::any_row() const noexcept
{
    for (const auto& [table, path] : compiled_)
        if (path) return &path->leaf();
    return nullptr;
}

std::string_view ThingField::unit_in(const MessageTable& table) const
{
    const auto* const path = path_in(table);
    if (path == nullptr) return {};
    FieldPlace place{&table, nullptr}, holder;
    for (const auto& step : path->steps()) {
        if (place.field != nullptr) {
            holder = place;
            place.message = place.field->child;
        }
        place.field = step.field;
    }
    return unit_of(place, holder);
}

void ThingField::collect(const MessageView& message, std::vector<Value>& values) const
try {
    if (const auto* const path = path_in(message.table())) path->collect(message, values);
} catch (const Error&) {
    // The tree shows the damage.
}

}  // namespace ositrace::gui
