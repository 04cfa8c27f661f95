// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>

#include <QObject>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

/// What is selected: a thing, or a field of a frame.
struct Selected {
    std::optional<ThingKey> thing;  ///< empty: only a field is selected
    std::uint32_t source = 0;       ///< the channel on the session's list
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
    /// A new moment: the path follows the thing to the place where its message stands now. A thing that is not there
    /// stays selected, and is found again when it comes back.
    void follow(const Picture& picture);

signals:
    void changed();

private:
    std::optional<Selected> current_;
};

}  // namespace ositrace::gui
