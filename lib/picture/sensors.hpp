// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>

#include "lib/picture/detections.hpp"
#include "lib/picture/line_reader.hpp"
#include "lib/picture/moment_sources.hpp"
#include "lib/picture/reflections.hpp"

namespace ositrace::picture {

/// Makes what sensors see and measure. Keeps its memory; the schemas must outlive it.
class SensorPainter {
public:
    /// A source on its way into the picture. What is broken becomes a note.
    struct Shown {
        OpenSource& source;
        const MomentSources& moment;
        Picture& picture;
        LineReader& lines;
    };
    /// Reflections and fields of view of a SensorView.
    void show_sensor_view(const Shown& shown);
    /// Everything detected in a SensorData, and the SensorViews in it that no other source shows.
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
