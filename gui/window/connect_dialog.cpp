// SPDX-License-Identifier: MPL-2.0
#include "gui/window/connect_dialog.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <ositrace/error.hpp>
#include <ositrace/network_address.hpp>

#include "gui/session/live_loader.hpp"
#include "gui/window/recent_files.hpp"

namespace ositrace::gui {

namespace {

constexpr int most_megabytes = 65536;
constexpr int mebibyte = 1 << 20;

}  // namespace

ConnectDialog::ConnectDialog(QWidget& parent) : QDialog(&parent)
{
    setObjectName(QStringLiteral("connect"));
    setWindowTitle(tr("Connect to a live source"));
    auto* const form = new QFormLayout(this);
    address_ = new QComboBox;
    address_->setObjectName(QStringLiteral("address"));
    address_->setEditable(true);
    address_->setMinimumContentsLength(36);
    address_->addItems(recent_addresses());
    if (address_->count() == 0) address_->addItem(QStringLiteral("foxglove://127.0.0.1:8765"));
    form->addRow(tr("Address"), address_);
    auto* const forms =
        new QLabel(tr("foxglove://HOST:PORT\tserver of Foxglove or osiplay\n"
                      "zmq+sub://HOST:PORT, zmq+pull://HOST:PORT\tZeroMQ\n"
                      "tcp://HOST:PORT, tcp://*:PORT?listen\tconnect, or wait for a sender\n"
                      "udp://*:PORT\tdatagrams, as esmini sends them"));
    forms->setTextInteractionFlags(Qt::TextSelectableByMouse);
    form->addRow(QString(), forms);
    megabytes_ = new QSpinBox;
    megabytes_->setObjectName(QStringLiteral("megabytes"));
    megabytes_->setRange(1, most_megabytes);
    megabytes_->setSuffix(tr(" MiB"));
    megabytes_->setValue(static_cast<int>(live_limits().bytes / mebibyte));
    megabytes_->setToolTip(tr("Pause and seek to look back at the messages that fit; older ones are dropped"));
    form->addRow(tr("Memory"), megabytes_);
    additional_ = new QCheckBox(tr("in addition to what is open"));
    additional_->setObjectName(QStringLiteral("additional"));
    form->addRow(QString(), additional_);
    problem_ = new QLabel;
    problem_->setObjectName(QStringLiteral("problem"));
    problem_->setWordWrap(true);
    problem_->hide();
    form->addRow(problem_);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Connect"));
    connect(buttons, &QDialogButtonBox::accepted, this, &ConnectDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ConnectDialog::reject);
    form->addRow(buttons);
    address_->setFocus();
    address_->lineEdit()->selectAll();  // what is typed replaces the last address
}

QString ConnectDialog::address() const { return address_->currentText().trimmed(); }

LiveLimits ConnectDialog::limits() const
{
    auto limits = live_limits();
    limits.bytes = static_cast<std::size_t>(megabytes_->value()) * mebibyte;
    return limits;
}

bool ConnectDialog::is_additional() const { return additional_->isChecked(); }

void ConnectDialog::accept()
try {
    static_cast<void>(parse_network_address(address().toStdString()));
    QDialog::accept();
} catch (const Error& error) {
    problem_->setText(QString::fromUtf8(error.what()));
    problem_->show();
}

}  // namespace ositrace::gui
