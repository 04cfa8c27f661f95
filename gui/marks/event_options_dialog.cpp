// SPDX-License-Identifier: MPL-2.0
#include "gui/marks/event_options_dialog.hpp"

#include <functional>
#include <vector>

#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <ositrace/error.hpp>

#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

/// ` m/s²` of `M/S2`.
QString unit_of(const TrafficOption& option)
{
    auto unit = QString::fromUtf8(option.value.data(), static_cast<qsizetype>(option.value.size())).toLower();
    return QLatin1Char(' ') + unit.replace(QLatin1Char('2'), QChar(0xb2));
}

QString text_of(std::string_view text) { return visible_text(text, shown_characters); }

/// A field of the form: shows a value, and has what was typed.
struct Field {
    std::string_view name;
    std::function<void(const TrafficOptions&)> show;
    std::function<QString()> typed;
};

Field number_field(const TrafficOption& option, QFormLayout& form)
{
    constexpr double most = 1000;
    auto* const box = new QDoubleSpinBox;
    box->setObjectName(text_of(option.name));
    box->setRange(0, most);
    box->setDecimals(2);
    box->setSingleStep(0.1);
    box->setSuffix(unit_of(option));
    form.addRow(text_of(option.text), box);
    return {option.name, [box, name = option.name](const auto& from) { box->setValue(from.number(name)); },
            [box] { return QString::number(box->value()); }};
}

Field text_field(const TrafficOption& option, QFormLayout& form)
{
    auto* const line = new QLineEdit;
    line->setObjectName(text_of(option.name));
    line->setPlaceholderText(QDialog::tr("id or name"));
    form.addRow(text_of(option.text), line);
    return {option.name,
            [line, name = option.name](const auto& from) { line->setText(text_of(from.text(name).value_or(""))); },
            [line] { return line->text().trimmed(); }};
}

}  // namespace

std::optional<TrafficOptions> ask_for_event_options(const TrafficOptions& now, QWidget* parent)
{
    QDialog dialog(parent);
    dialog.setObjectName(QStringLiteral("event_options"));
    dialog.setWindowTitle(QDialog::tr("What events are"));
    auto* const form = new QFormLayout;
    std::vector<Field> fields;
    for (const auto& each : now.known())
        fields.push_back(each.kind == TrafficOption::Kind::number ? number_field(each, *form)
                                                                  : text_field(each, *form));
    const auto show = [&fields](const TrafficOptions& options) {
        for (const auto& each : fields) each.show(options);
    };
    show(now);
    auto* const buttons =
        new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
    buttons->button(QDialogButtonBox::Ok)->setText(QDialog::tr("Find events"));
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    QObject::connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, &dialog,
                     [&] { show(TrafficOptions(now.known())); });
    auto* const column = new QVBoxLayout(&dialog);
    column->addLayout(form);
    column->addWidget(buttons);
    if (dialog.exec() != QDialog::Accepted) return std::nullopt;
    TrafficOptions typed(now.known());
    for (const auto& each : fields)
        if (const auto text = each.typed(); !text.isEmpty()) typed.set(each.name, text.toStdString());
    return typed;
}

}  // namespace ositrace::gui
