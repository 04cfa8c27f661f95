// SPDX-License-Identifier: MPL-2.0
// The selection, and the paths of things in the frames.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <QObject>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

/// Does `path` name this message or a field in it? `lane[1]` does not contain `lane[12].id`.
[[nodiscard]] bool is_in_message(std::string_view path, std::string_view message_path) noexcept;

/// The thing or cloud whose message `path` names or is in. Linear in the number of things.
[[nodiscard]] std::optional<ThingKey> thing_at(const Picture& picture, std::uint32_t source, std::string_view path);

/// The path of a thing's message; empty if the picture does not contain the thing.
[[nodiscard]] std::string_view path_of(const Picture& picture, const ThingKey& key) noexcept;

/// `path`, which is in an earlier message of a thing, moved to its current message: `moving_object[3].base` and
/// `moving_object[2]` give `moving_object[2].base`.
[[nodiscard]] std::string moved_path(std::string_view path, std::string_view message_path);

/// The selected thing, or the selected field of a frame.
struct Selected {
    std::optional<ThingKey> thing;  ///< empty: only a field is selected
    std::uint32_t source = 0;       ///< index of the channel in the session
    std::string path;               ///< of the message or field in the frame: `global_ground_truth.moving_object[3]`
    friend bool operator==(const Selected&, const Selected&) = default;
};

/// The one selection that scene, tree and table share. GUI thread.
class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    [[nodiscard]] const std::optional<Selected>& current() const noexcept { return current_; }
    void select(Selected selected);
    void clear();
    /// For a new snapshot: updates the path to the current index of the thing's message. A thing that is absent stays
    /// selected, and is found again when it returns.
    void follow(const Picture& picture);

signals:
    void changed();

private:
    std::optional<Selected> current_;
};

}  // namespace ositrace::gui
