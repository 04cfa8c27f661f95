// SPDX-License-Identifier: MPL-2.0
#include "gui/camera/camera_panel.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "gui/camera/camera_image.hpp"
#include "gui/text/quantity.hpp"
#include "lib/system/thread.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t most_cameras = 100;

/// Calls `visit` with each element of a repeated message, and its place.
void each_message_in(const MessageView& parent, std::string_view field, const auto& visit)
{
    const auto* const row = parent.table().find(field);
    if (row == nullptr || !row->repeated) return;
    std::size_t place = 0;
    parent.for_each_element(*row, [&](const Value& value) {
        if (const auto* const message = std::get_if<MessageView>(&value)) visit(*message, place);
        return ++place < most_cameras;
    });
}

}  // namespace

CameraPanel::CameraPanel(Session& /*session*/, QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("camera_panel"));
    camera_ = new QComboBox;
    camera_->setObjectName(QStringLiteral("camera"));
    camera_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    camera_->hide();
    text_ = new QLabel;
    text_->setObjectName(QStringLiteral("camera_text"));
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* const line = new QHBoxLayout;
    line->addWidget(camera_);
    line->addWidget(text_, 1);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addLayout(line);
    all->addStretch(1);
    setMinimumHeight(120);
    connect(camera_, &QComboBox::activated, this, [this](int row) {
        chosen_ = cameras_[static_cast<std::size_t>(row)];
        wanted_ = snapshot_;
        start();
    });
}

CameraPanel::~CameraPanel() = default;

QString CameraPanel::text() const { return text_->text(); }

QStringList CameraPanel::cameras() const
{
    QStringList names;
    for (const auto& each : cameras_) names += each.name;
    return names;
}

void CameraPanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    snapshot_ = snapshot;
    if (!isVisible()) return;
    wanted_ = snapshot;
    if (snapshot) return start();
    show_decoded({});
}

void CameraPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    wanted_ = snapshot_;
    start();
}

void CameraPanel::start()
{
    if (is_busy_ || wanted_ == nullptr) return;
    is_busy_ = true;
    thread_ = std::jthread([this, snapshot = std::exchange(wanted_, nullptr), chosen = chosen_] {
        lower_thread_priority();
        auto decoded = decode(*snapshot, chosen);
        QMetaObject::invokeMethod(
            this,
            [this, decoded = std::move(decoded)] {
                is_busy_ = false;
                if (snapshot_) show_decoded(decoded);
                start();
            },
            Qt::QueuedConnection);
    });
}

CameraPanel::Decoded CameraPanel::decode(const Snapshot& snapshot, const std::optional<Camera>& chosen)
{
    Decoded made;
    std::vector<MessageView> views;
    for (std::uint32_t source = 0; source != snapshot.channels.size(); ++source) {
        const auto& shown = snapshot.channels[source];
        if (!shown.frame || shown.channel->root == nullptr || shown.is_past) continue;
        const auto add_of = [&](const MessageView& sensor_view, const std::string& prefix) {
            each_message_in(sensor_view, "camera_sensor_view", [&](const MessageView& view, std::size_t place) {
                if (views.size() == most_cameras) return;
                auto number = std::to_string(place);
                const auto configured = view["view_configuration"];
                if (const auto* const configuration = std::get_if<MessageView>(&configured)) {
                    const auto id = (*configuration)["sensor_id"];
                    if (const auto* const sensor = std::get_if<MessageView>(&id))
                        if (const auto value = as_integer((*sensor)["value"])) number = std::to_string(*value);
                }
                made.cameras.push_back({source, prefix + "camera_sensor_view[" + std::to_string(place) + ']',
                                        QString::fromStdString(shown.name + ", camera " + number)});
                views.push_back(view);
            });
        };
        try {
            const MessageView root{shown.frame->bytes, *shown.channel->root, shown.channel->format};
            add_of(root, {});
            each_message_in(root, "sensor_view", [&](const MessageView& view, std::size_t place) {
                add_of(view, "sensor_view[" + std::to_string(place) + "].");
            });
        } catch (const Error& error) {
            made.text = QString::fromUtf8(error.what());
        }
    }
    if (made.cameras.empty()) {
        if (made.text.isEmpty()) made.text = tr("The shown messages have no camera_sensor_view");
        return made;
    }
    const auto is_chosen = [&](const Camera& each) {
        return chosen && each.source == chosen->source && each.path == chosen->path;
    };
    const auto found = std::ranges::find_if(made.cameras, is_chosen);
    const auto place =
        found == made.cameras.end() ? std::size_t{0} : static_cast<std::size_t>(found - made.cameras.begin());
    made.shown = made.cameras[place];
    try {
        auto [image, text] = camera_image(views[place]);
        // A picture that is larger than a screen is made smaller here: that would block the window.
        constexpr int widest = 1920, highest = 1200;
        made.image = image.width() > widest || image.height() > highest
                         ? image.scaled(widest, highest, Qt::KeepAspectRatio, Qt::SmoothTransformation)
                         : std::move(image);
        made.text = text;
    } catch (const Error& error) {
        made.text = QString::fromUtf8(error.what());
    }
    const auto& shown = snapshot.channels[made.shown->source];
    made.text += tr(", message %1, %2").arg(count_text(shown.number), seconds_text(shown.time));
    return made;
}

void CameraPanel::show_decoded(Decoded decoded)
{
    if (decoded.cameras != cameras_) {
        cameras_ = std::move(decoded.cameras);
        const QSignalBlocker blocker(camera_);
        camera_->clear();
        for (const auto& each : cameras_) camera_->addItem(each.name);
        camera_->setVisible(cameras_.size() > 1);
    }
    if (decoded.shown) {
        const auto row = std::ranges::find(cameras_, *decoded.shown) - cameras_.begin();
        const QSignalBlocker blocker(camera_);
        camera_->setCurrentIndex(static_cast<int>(row));
    }
    image_ = std::move(decoded.image);
    text_->setText(decoded.text);
    text_->setToolTip(decoded.text);
    update();
}

QRect CameraPanel::room() const
{
    constexpr int around = 4;
    const auto top = text_->geometry().bottom() + around;
    return QRect(around, top, width() - 2 * around, height() - top - around);
}

void CameraPanel::paintEvent(QPaintEvent*)
{
    if (image_.isNull()) return;
    const auto area = room();
    const auto size = image_.size().scaled(area.size(), Qt::KeepAspectRatio);
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, size.width() < image_.width());
    painter.drawImage(QRect(area.left() + (area.width() - size.width()) / 2, area.top(), size.width(), size.height()),
                      image_);
}

}  // namespace ositrace::gui
