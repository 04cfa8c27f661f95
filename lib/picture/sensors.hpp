// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "lib/picture/cloud_builder.hpp"
#include "lib/picture/element_columns.hpp"
#include "lib/picture/layer_builder.hpp"
#include "lib/picture/line_points.hpp"
#include "lib/picture/moment_sources.hpp"
#include "lib/picture/notes.hpp"
#include "lib/picture/reflections.hpp"
#include "lib/picture/sensor_frame.hpp"

namespace ositrace::picture {

/// Builds clouds from detections. Reuses its memory; the schema must outlive it.
class DetectionPainter {
public:
    /// How one repeated field becomes a cloud.
    struct Kind {
        Category category = Category::lidar_detection;
        std::string_view field;  ///< `detection`
        std::string_view place;  ///< of the Spherical3d in an element: `position`
        std::string_view what;   ///< `detections`
        std::string_view first;  ///< the most important field: `intensity`
    };
    /// In the coordinates of `sensor`. Null if there is nothing to show.
    [[nodiscard]] std::shared_ptr<const Cloud> spherical(const MessageView& data, const Kind& kind,
                                                         const SensorFrame& sensor, std::string path, Notes& notes,
                                                         Reach& reach);
    /// Elements whose position is a Vector3d: logical detections.
    [[nodiscard]] std::shared_ptr<const Cloud> cartesian(const MessageView& data, const Kind& kind,
                                                         const SensorFrame& sensor, std::string path, Notes& notes);

private:
    ElementColumns* columns_of(const MessageView& data, std::string_view field);

    std::map<const FieldRow*, ElementColumns> columns_;
};

/// Ultrasonic detections have a distance, but no direction: half circles in front of the sensor; indirect detections
/// are halves of the ellipse around sender and receiver.
void add_ultrasonic_detections(LayerBuilder& to, const MessageView& data, const SensorFrame& sensor,
                               const std::string& prefix, std::size_t sensor_place);

/// Builds the layers and clouds of what sensors detect. Reuses its memory; the schemas must outlive it.
class SensorPainter {
public:
    /// A source that is added to the picture. A broken part becomes a note.
    struct Shown {
        OpenSource& source;
        const MomentSources& moment;
        Picture& picture;
        LinePointReader& lines;
    };
    /// Reflections and fields of view of a SensorView.
    void show_sensor_view(const Shown& shown);
    /// All detections of a SensorData, and the SensorViews in it that no other source shows.
    void show_sensor_data(const Shown& shown);
    /// The fields of view of a SensorViewConfiguration.
    void show_configuration(const Shown& shown);

private:
    struct Work;
    void add_views(Work& work, const MessageView& sensor_view, const std::string& prefix);
    void add_view(Work& work, const MessageView& physical, const std::string& kind, const std::string& path,
                  std::size_t place);
    void add_feature_data(Work& work, const MessageView& feature_data);
    void add_detections(Work& work, const MessageView& data, const std::string& kind, const std::string& path,
                        std::size_t place);

    ReflectionPainter reflections_;
    DetectionPainter detections_;
};

}  // namespace ositrace::picture
