// SPDX-License-Identifier: MPL-2.0
#include "gui/window/welcome_page.hpp"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/session/trace_loader.hpp"
#include "gui/window/recent_files.hpp"

namespace ositrace::gui {

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("welcome"));
    auto* const column = new QVBoxLayout(this);
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
    auto* const open = new QPushButton(tr("Open a trace..."), this);
    open->setObjectName(QStringLiteral("open"));
    connect(open, &QPushButton::clicked, this, &WelcomePage::open_requested);
    column->addWidget(open, 0, Qt::AlignCenter);
    column->addSpacing(16);
    recent_ = new QVBoxLayout;
    column->addLayout(recent_);
    column->addStretch(3);
    show_state({}, {});
    list_recent();
}

void WelcomePage::list_recent()
{
    while (auto* const item = recent_->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    for (const auto& file : recent_files().mid(0, 6)) {
        if (!QFileInfo::exists(file)) continue;
        auto* const link =
            new QLabel(QStringLiteral("<a href='file'>%1</a>").arg(QFileInfo(file).fileName().toHtmlEscaped()), this);
        link->setToolTip(file);
        link->setAlignment(Qt::AlignCenter);
        connect(link, &QLabel::linkActivated, this, [this, file] { emit file_chosen(file); });
        recent_->addWidget(link);
    }
}

void WelcomePage::show_state(const QStringList& opening, const QStringList& problems, bool waits)
{
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
