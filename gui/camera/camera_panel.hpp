// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <QImage>
#include <QString>
#include <QWidget>

#include "gui/session/session.hpp"
#include "gui/session/snapshot.hpp"
#include "gui/widgets/dock_panel.hpp"

class QComboBox;
class QLabel;

namespace ositrace::gui {

/// The image of a camera_sensor_view of a SensorView, or of one in a SensorData, at the shown time. Images are decoded
/// in a thread; while it is busy, those of messages between are not shown. Nothing is read while the panel is hidden.
class CameraPanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    explicit CameraPanel(Session& session, QWidget* parent = nullptr);
    ~CameraPanel() override;

    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    [[nodiscard]] bool is_settled() const override { return !is_busy_ && wanted_ == nullptr; }

    [[nodiscard]] const QImage& image() const noexcept { return image_; }
    [[nodiscard]] QString text() const;
    [[nodiscard]] QStringList cameras() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// A camera of a message.
    struct Camera {
        std::uint32_t source = 0;
        std::string path;  ///< `camera_sensor_view[0]`
        QString name;      ///< `/sensor_view, camera 3`
        friend bool operator==(const Camera&, const Camera&) = default;
    };
    struct Decoded {
        std::vector<Camera> cameras;
        std::optional<Camera> shown;
        QImage image;
        QString text;
    };
    static Decoded decode(const Snapshot& snapshot, const std::optional<Camera>& chosen);
    void start();
    void show_decoded(Decoded decoded);
    [[nodiscard]] QRect room() const;

    std::shared_ptr<const Snapshot> snapshot_;
    std::shared_ptr<const Snapshot> wanted_;  ///< to be decoded when the thread has finished
    std::optional<Camera> chosen_;
    std::vector<Camera> cameras_;
    QImage image_;
    bool is_busy_ = false;
    QComboBox* camera_ = nullptr;
    QLabel* text_ = nullptr;
    std::jthread thread_;
};

}  // namespace ositrace::gui
