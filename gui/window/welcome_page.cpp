// SPDX-License-Identifier: MPL-2.0
#include "gui/window/welcome_page.hpp"

#include <algorithm>

#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/session/trace_loader.hpp"
#include "gui/window/recent_files.hpp"

namespace ositrace::gui {

namespace {

constexpr int columns = 3, most_recent = 6;

/// A picture of the size of a card, empty if there is none of the file.
QPixmap card_picture(const RecentPicture& recent)
{
    QPixmap card(recent_picture_size);
    card.fill(QGuiApplication::palette().color(QPalette::Base));
    if (!recent.picture.isNull()) QPainter(&card).drawImage(QPoint(0, 0), recent.picture);
    return card;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("welcome"));
    auto* const column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addStretch(2);
    title_ = new QLabel(this);
    auto large = font();
    large.setPointSizeF(large.pointSizeF() * 1.6);
    title_->setFont(large);
    title_->setAlignment(Qt::AlignCenter);
    column->addWidget(title_);
    text_ = new QLabel(this);
    text_->setAlignment(Qt::AlignCenter);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(text_);
    column->addSpacing(16);

    choices_ = new QWidget(this);
    auto* const choices = new QVBoxLayout(choices_);
    auto* const buttons = new QHBoxLayout;
    buttons->addStretch();
    const auto add = [&](const char* name, const QString& text, const QString& tip, void (WelcomePage::*requested)()) {
        auto* const button = new QPushButton(text, choices_);
        button->setObjectName(QLatin1String(name));
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, this, requested);
        buttons->addWidget(button);
    };
    add("open", tr("Open a trace..."), {}, &WelcomePage::open_requested);
    add("connect", tr("Connect..."), tr("To a live source: a Foxglove server, ZeroMQ, TCP or UDP"),
        &WelcomePage::connect_requested);
    add("sample", tr("Make a sample trace..."), tr("Traffic on a ring road, with a lidar"),
        &WelcomePage::sample_requested);
    buttons->addStretch();
    choices->addLayout(buttons);
    choices->addSpacing(16);
    auto* const middle = new QHBoxLayout;
    recent_ = new QGridLayout;
    recent_->setSpacing(12);
    middle->addStretch();
    middle->addLayout(recent_);
    middle->addStretch();
    choices->addLayout(middle);
    auto* const keys = new QLabel(
        tr("Space plays and pauses, Left and Right step from message to message.\nF1 lists all keys, Ctrl+K finds a "
           "command."),
        choices_);
    keys->setAlignment(Qt::AlignCenter);
    keys->setEnabled(false);  // faint
    choices->addSpacing(16);
    choices->addWidget(keys);
    column->addWidget(choices_);
    column->addStretch(3);
    show_state({}, {});
    list_recent();
}

void WelcomePage::list_recent()
{
    while (auto* const item = recent_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int shown = 0;
    for (const auto& file : recent_files()) {
        if (shown == most_recent || !QFileInfo::exists(file)) continue;
        const auto recent = recent_picture(file);
        auto* const card = new QToolButton(choices_);
        card->setObjectName(QStringLiteral("recent"));
        card->setAutoRaise(true);
        card->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        card->setIcon(card_picture(recent));
        card->setIconSize(recent_picture_size);
        const auto name =
            fontMetrics().elidedText(QFileInfo(file).fileName(), Qt::ElideMiddle, recent_picture_size.width());
        card->setText(recent.about.isEmpty() ? name : name + QLatin1Char('\n') + recent.about);
        card->setToolTip(file);
        connect(card, &QToolButton::clicked, this, [this, file] { emit file_chosen(file); });
        recent_->addWidget(card, shown / columns, shown % columns);
        ++shown;
    }
}

/// The cards of files without a picture have the colour of the theme.
void WelcomePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::ApplicationPaletteChange || choices_ == nullptr) return;
    for (auto* const card : choices_->findChildren<QToolButton*>(QStringLiteral("recent")))
        card->setIcon(card_picture(recent_picture(card->toolTip())));
}

void WelcomePage::show_state(const QStringList& opening, const QStringList& problems, bool waits)
{
    choices_->setVisible(opening.isEmpty());
    if (!problems.isEmpty()) {
        title_->setText(waits ? tr("Waiting for messages") : tr("Cannot be shown"));
        text_->setText(problems.join(QLatin1Char('\n')));
    } else if (!opening.isEmpty()) {
        title_->setText(tr("Opening..."));
        text_->setText(opening.join(QLatin1Char('\n')));
    } else {
        title_->setText(tr("Drop a trace here"));
        text_->setText(tr("%1, compressed as well").arg(opened_extensions().join(", ")));
    }
}

}  // namespace ositrace::gui
