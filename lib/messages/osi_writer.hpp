// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/frame.hpp>
#include <ositrace/message_view.hpp>

#include "formats/protobuf/named_writer.hpp"
#include "lib/messages/geometry.hpp"

namespace ositrace::scene {

using ositrace::FieldName;

/// A NamedWriter with the messages of osi_common.proto.
class OsiWriter : public NamedWriter {
public:
    using NamedWriter::NamedWriter;

    void time(FieldName field, Nanoseconds value);
    void vector(FieldName field, Vector value);
    void vector2d(FieldName field, double x, double y);
    void orientation(FieldName field, Orientation value);
    void dimension(FieldName field, Vector value);
    void mounting_position(FieldName field, Vector position, Orientation orientation);
    void spherical(FieldName field, double distance, double azimuth, double elevation);
    void colour(FieldName field, Colour value);
    /// Copies a message of either encoding: its bytes verbatim, or field by field. For small messages.
    void view(FieldName field, const MessageView& view);
};

}  // namespace ositrace::scene
