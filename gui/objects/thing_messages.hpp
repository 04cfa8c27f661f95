// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/field_path.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/picture.hpp>

#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// The messages of the things of a snapshot. A list of objects is visited once, however many of its objects are asked
/// for. One thread.
class ThingMessages {
public:
    /// null: nothing is open.
    void show(std::shared_ptr<const Snapshot> snapshot);
    [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const noexcept { return snapshot_; }
    /// The message of a thing, valid until the next show(). Empty if the frame does not contain it (a map that comes
    /// from an earlier message), or is broken before it.
    [[nodiscard]] std::optional<MessageView> message(const Thing& thing);

private:
    /// The elements of a repeated field, or the one value of a path without an index at its end.
    [[nodiscard]] const std::vector<Value>& elements(std::uint32_t source, const std::string& path);

    std::shared_ptr<const Snapshot> snapshot_;
    std::map<std::pair<std::uint32_t, std::string>, std::vector<Value>> lists_;
};

/// A field below the message of an object: `base.velocity.x`, `assigned_lane_id[*].value`. Objects of several kinds of
/// messages can have it.
class ThingField {
public:
    explicit ThingField(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// Appends its values in a message; none if the message has no such field, or is broken.
    void collect(const MessageView& message, std::vector<Value>& values) const;
    /// The row of the field in this kind of message; nullptr if it has no such field.
    [[nodiscard]] const FieldRow* row_in(const MessageTable& table) const;
    /// Its row in any kind of message seen so far; nullptr: none has it.
    [[nodiscard]] const FieldRow* any_row() const noexcept;
    /// Its unit in this kind of message; empty without one.
    [[nodiscard]] std::string_view unit_in(const MessageTable& table) const;
    /// Forgets the kinds of messages: their schema may end.
    void forget() { compiled_.clear(); }

private:
    [[nodiscard]] const FieldPath* path_in(const MessageTable& table) const;

    std::string path_;
    /// By the table of the message, whose schema must outlive it; empty: it has no such field.
    mutable std::map<const MessageTable*, std::optional<FieldPath>> compiled_;
};

}  // namespace ositrace::gui
