// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QStringList>

namespace ositrace::gui {

/// The columns of the table of objects, for a layout.
struct ObjectColumns {
    QStringList hidden;  ///< keys of the columns that are always there: `x`
    QStringList fields;  ///< paths below the message of an object, a column each
    friend bool operator==(const ObjectColumns&, const ObjectColumns&) = default;
};

}  // namespace ositrace::gui
