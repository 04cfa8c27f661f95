// SPDX-License-Identifier: MPL-2.0
#include "gui/model/model_dialog.hpp"

#include <exception>
#include <functional>
#include <utility>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>

namespace ositrace::gui {

namespace {

enum Column : int { name_column, type_column, value_column, column_count };

/// A field for a file, with a button that opens a dialog.
QWidget* file_field(QLineEdit& edit, const std::function<void()>& browse)
{
    auto* const both = new QWidget;
    auto* const row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(&edit, 1);
    auto* const button = new QPushButton(ModelDialog::tr("Browse..."));
    button->setAutoDefault(false);
    QObject::connect(button, &QPushButton::clicked, &edit, browse);
    row->addWidget(button);
    return both;
}

}  // namespace

ModelDialog::ModelDialog(const QStringList& inputs, const ModelChoice& last, QWidget& parent)
    : QDialog(&parent), last_(last)
{
    setObjectName(QStringLiteral("model"));
    setWindowTitle(tr("Run a sensor model"));
    resize(560, 420);
    build(inputs);
    kind_->setCurrentIndex(last.fmu.empty() ? 0 : 1);
    file_->setText(QString::fromStdString(last.fmu.string()));
    connect(kind_, &QComboBox::currentIndexChanged, this, &ModelDialog::list_parameters);
    connect(file_, &QLineEdit::editingFinished, this, &ModelDialog::list_parameters);
    list_parameters();
}

void ModelDialog::build(const QStringList& inputs)
{
    auto* const form = new QFormLayout(this);
    kind_ = new QComboBox;
    kind_->setObjectName(QStringLiteral("kind"));
    kind_->addItem(tr("dummy sensor"));
    if (runs_fmus()) kind_->addItem(tr("FMU, in a process of its own"));
    form->addRow(tr("Model"), kind_);
    file_ = new QLineEdit;
    file_->setObjectName(QStringLiteral("fmu"));
    form->addRow(tr("FMU"), file_field(*file_, [this] {
                     const auto file = QFileDialog::getOpenFileName(this, tr("Open an FMU"), {}, tr("FMUs (*.fmu)"));
                     if (file.isEmpty()) return;
                     kind_->setCurrentIndex(1);
                     file_->setText(file);
                     list_parameters();
                 }));
    parameters_ = new QTableWidget(0, column_count);
    parameters_->setObjectName(QStringLiteral("parameters"));
    parameters_->setHorizontalHeaderLabels({tr("Parameter"), tr("Type"), tr("Value")});
    parameters_->verticalHeader()->hide();
    parameters_->horizontalHeader()->setSectionResizeMode(name_column, QHeaderView::ResizeToContents);
    parameters_->horizontalHeader()->setStretchLastSection(true);
    form->addRow(parameters_);
    input_ = new QComboBox;
    input_->setObjectName(QStringLiteral("input"));
    input_->addItems(inputs);
    form->addRow(tr("Input"), input_);
    record_ = new QLineEdit;
    record_->setObjectName(QStringLiteral("record"));
    record_->setPlaceholderText(tr("nothing is recorded"));
    record_->setToolTip(
        tr("Records what the model returns for the whole trace. It then runs from the start to the end, "
           "whatever is shown."));
    form->addRow(tr("Record to"), file_field(*record_, [this] {
                     const auto file = QFileDialog::getSaveFileName(this, tr("Record what the model returns"),
                                                                    QStringLiteral("model.mcap"),
                                                                    tr("Traces (*.mcap *.osi *.osifb)"));
                     if (!file.isEmpty()) record_->setText(file);
                 }));
    problem_ = new QLabel;
    problem_->setObjectName(QStringLiteral("problem"));
    problem_->setWordWrap(true);
    form->addRow(problem_);
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons_->button(QDialogButtonBox::Ok)->setText(tr("Run"));
    connect(buttons_, &QDialogButtonBox::accepted, this, &ModelDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &ModelDialog::reject);
    form->addRow(buttons_);
}

std::filesystem::path ModelDialog::fmu() const
{
    return kind_->currentIndex() == 0 ? std::filesystem::path() : std::filesystem::path(file_->text().toStdString());
}

void ModelDialog::list_parameters()
{
    const bool is_fmu = kind_->currentIndex() != 0;
    file_->parentWidget()->setEnabled(is_fmu);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(false);
    problem_->setText(is_fmu && fmu().empty() ? tr("Choose an FMU.") : tr("Reading..."));
    parameters_->setRowCount(0);
    if (is_fmu && fmu().empty()) return;
    reader_ = std::jthread([this, file = fmu()] {
        std::vector<ModelParameter> parameters;
        QString problem;
        try {
            parameters = parameters_of(file);
        } catch (const std::exception& error) {
            problem = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this, [=, this] { show_parameters(file, parameters, problem); }, Qt::QueuedConnection);
    });
}

void ModelDialog::show_parameters(const std::filesystem::path& file, const std::vector<ModelParameter>& parameters,
                                  const QString& problem)
{
    if (file != fmu()) return;  // another one was chosen meanwhile
    problem_->setText(problem);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
    parameters_->setRowCount(static_cast<int>(parameters.size()));
    for (int row = 0; row != parameters_->rowCount(); ++row) {
        const auto& each = parameters[static_cast<std::size_t>(row)];
        const auto set = last_.fmu == file ? last_.parameters.find(each.name.toStdString()) : last_.parameters.end();
        const auto value = set == last_.parameters.end() ? each.start : QString::fromStdString(set->second);
        for (const auto& [column, text] :
             {std::pair{name_column, each.name}, {type_column, each.type}, {value_column, value}}) {
            auto* const item = new QTableWidgetItem(text);
            if (column != value_column) item->setFlags(Qt::ItemIsEnabled);
            if (column == value_column) item->setData(Qt::UserRole, each.start);
            parameters_->setItem(row, column, item);
        }
    }
}

ModelChoice ModelDialog::choice() const
{
    ModelChoice choice;
    choice.fmu = fmu();
    for (int row = 0; row != parameters_->rowCount(); ++row) {
        const auto* const value = parameters_->item(row, value_column);
        if (value->text() != value->data(Qt::UserRole).toString())
            choice.parameters[parameters_->item(row, name_column)->text().toStdString()] = value->text().toStdString();
    }
    if (const auto file = record_->text().trimmed(); !file.isEmpty()) choice.record = file.toStdString();
    return choice;
}

int ModelDialog::input() const { return input_->currentIndex(); }

}  // namespace ositrace::gui
