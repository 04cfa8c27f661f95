// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include <ositrace/message_view.hpp>
#include <ositrace/pair_motion.hpp>
#include <ositrace/picture.hpp>

namespace ositrace::gui {

/// A property of an object, with its unit.
struct InspectedRow {
    QString name;
    QString value;
    QString tip;       ///< definition, or the path of the field
    std::string path;  ///< of the field or message in the frame; empty: computed from several
};

/// An object and the one that it is compared with.
struct InspectedPair {
    const Thing* thing = nullptr;
    const Thing* other = nullptr;  ///< null: none, or the same
};

/// What one wants to know of an object at a glance: as far as its message contains it. `message`: of the thing, if the
/// frame contains it.
[[nodiscard]] std::vector<InspectedRow> inspect(const InspectedPair& pair, const Picture& picture,
                                                const std::optional<MessageView>& message, const QString& channel);

/// A point of a cloud, by its number among the elements: where it is, and the values of its fields. Empty: the cloud
/// does not have it.
[[nodiscard]] std::vector<InspectedRow> inspect_point(const Cloud& cloud, std::uint64_t element, const Picture& picture,
                                                      const QString& channel);

/// Relative to Picture::origin. Without a velocity the object does not move; without a size it is a point.
[[nodiscard]] GroundBox ground_box(const Thing& thing) noexcept;

/// `brake: normal`, of BrakeLightState: the name of the enumerator without that of the enum.
[[nodiscard]] QString words_of(const EnumTable& enumeration, std::int64_t number);

}  // namespace ositrace::gui
