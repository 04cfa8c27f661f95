// SPDX-License-Identifier: MPL-2.0
// What is opened: files, live sources, and sensor models beside them.
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/live_trace.hpp>
#include <ositrace/network_address.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/trace_name.hpp>

#include "gui/remote/remote_file.hpp"
#include "gui/scene/scene_view.hpp"
#include "gui/session/live_loader.hpp"
#include "gui/session/model_choice.hpp"
#include "gui/session/trace_loader.hpp"
#include "gui/text/quantity.hpp"
#include "gui/window/recent_files.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/welcome_page.hpp"

namespace ositrace::gui {

namespace {

constexpr int most_megabytes = 65536;
constexpr int mebibyte = 1 << 20;

/// Asks for the address of a live source, as `osiplay` takes it, and for the memory of its messages.
class ConnectDialog : public QDialog {
public:
    explicit ConnectDialog(QWidget& parent);
    [[nodiscard]] QString address() const;
    [[nodiscard]] LiveLimits limits() const;
    /// Beside what is open.
    [[nodiscard]] bool is_additional() const;
    /// Closes the dialog if the address is valid, else shows why it is not.
    void accept() override;

private:
    QComboBox* address_ = nullptr;
    QSpinBox* megabytes_ = nullptr;
    QCheckBox* additional_ = nullptr;
    QLabel* problem_ = nullptr;
};

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
                      "udp://*:PORT\tdatagrams, as esmini sends them\n"
                      "https://HOST/drive.mcap\ta file on a server, of which the parts that are shown are read"));
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
    if (!is_remote(address().toStdString())) static_cast<void>(parse_network_address(address().toStdString()));
    QDialog::accept();
} catch (const Error& error) {
    problem_->setText(QString::fromUtf8(error.what()));
    problem_->show();
}

/// A field for a file, with a button that opens a dialog.
QWidget* file_field(QLineEdit& edit, const std::function<void()>& browse)
{
    auto* const both = new QWidget;
    auto* const row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(&edit, 1);
    auto* const button = new QPushButton(QDialog::tr("Browse..."));
    button->setAutoDefault(false);
    QObject::connect(button, &QPushButton::clicked, &edit, browse);
    row->addWidget(button);
    return both;
}

/// Asks for a sensor model, the values of its parameters, the trace with its inputs, and a file for what it returns.
class ModelDialog : public QDialog {
public:
    /// `inputs`: names of the traces that it can run beside, not empty. `last`: shown at the beginning.
    ModelDialog(const QStringList& inputs, const ModelChoice& last, QWidget& parent);
    [[nodiscard]] ModelChoice choice() const;
    [[nodiscard]] int input() const;

private:
    enum Column : int { name_column, type_column, value_column, column_count };

    void build(const QStringList& inputs);
    void list_parameters();
    void show_parameters(const std::filesystem::path& fmu, const std::vector<ModelParameter>& parameters,
                         const QString& problem);
    [[nodiscard]] std::filesystem::path fmu() const;

    ModelChoice last_;
    QComboBox* kind_ = nullptr;
    QLineEdit* file_ = nullptr;
    QTableWidget* parameters_ = nullptr;
    QComboBox* input_ = nullptr;
    QLineEdit* record_ = nullptr;
    QLabel* problem_ = nullptr;
    QDialogButtonBox* buttons_ = nullptr;
    std::jthread reader_;  ///< of a description; the last member, so that it ends first
};

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
                     const auto file = QFileDialog::getSaveFileName(
                         this, tr("Record what the model returns"), QStringLiteral("model.mcap"),
                         tr("Traces (%1)").arg(name_patterns(written_extensions(false))));
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

}  // namespace

void ViewerWindow::list_recent()
{
    welcome_->list_recent();
    recent_->clear();
    for (const auto& file : recent_files())
        recent_->addAction(QFileInfo(file).fileName(), this, [this, file] { open({file}); })->setToolTip(file);
    recent_->setToolTipsVisible(true);
    recent_->setEnabled(!recent_->isEmpty());
    if (recent_->isEmpty()) return;
    recent_->addSeparator();
    recent_->addAction(tr("Clear list"), this, [this] {
        clear_recent_files();
        list_recent();
    });
}

/// For the welcome page, before another trace replaces it.
void ViewerWindow::keep_picture()
{
    const auto& session = viewer_->session();
    if (session.traces().size() != 1 || !session.traces().front().is_file() || !is_seen()) return;
    const auto file = QFileInfo(QString::fromStdString(session.traces().front().file.string())).absoluteFilePath();
    if (!recent_files().contains(file)) return;
    QStringList types;
    for (const auto& channel : *session.channels()) {
        const auto type = QString::fromStdString(channel.channel->type_name).section(QLatin1Char('.'), -1);
        if (!types.contains(type)) types += type;
    }
    auto about = types.mid(0, 2).join(QStringLiteral(", "));
    if (const auto extent = viewer_->playback().extent())  // as beside the player
        about += QStringLiteral(", ") + duration_text(extent->from, extent->to);
    keep_recent_picture(file, scene_->grab().toImage(), about);
    welcome_->list_recent();
}

/// The sample scene as a trace of its own.
void ViewerWindow::make_sample()
{
    QFileDialog dialog(this, tr("Make a sample trace"), {}, tr("Traces (*.osi *.mcap *.osifb)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("osi"));
    dialog.selectFile(QStringLiteral("sample.osi"));
    if (dialog.exec() != QDialog::Accepted) return;
    const auto name = dialog.selectedFiles().front();
    run_job(tr("Make %1").arg(QFileInfo(name).fileName()),
            [this, name](const std::stop_token& stop, JobProgress& part) {
                const SceneOptions options;
                SceneSource scene(options);
                ConvertOptions how;
                how.on_progress = [&](const ConvertProgress& progress) {
                    part = static_cast<double>(progress.frames) / static_cast<double>(options.frames);
                };
                const std::filesystem::path file = name.toStdString();
                const auto extension = trace_extension(file.filename().string());
                const auto encoding = extension && extension->encoding ? *extension->encoding : Encoding::protobuf;
                how.to = Format{encoding, ositrace::Layout::numbered};
                const auto writer = create_trace(file, converted_info(scene.info(), how.to), {.overwrite = true});
                static_cast<void>(convert(scene, *writer, how, stop));
                writer->close();
                QMetaObject::invokeMethod(this, [this, name] { open({name}); }, Qt::QueuedConnection);
                return tr("%1 was made").arg(name);
            });
}

void ViewerWindow::ask_for_files(bool beside)
{
    const auto folder = recent_files().isEmpty() ? QString() : QFileInfo(recent_files().front()).absolutePath();
    const auto files = QFileDialog::getOpenFileNames(
        this, tr("Open traces"), folder, tr("Traces (%1);;All files (*)").arg(name_patterns(opened_extensions())));
    if (files.isEmpty()) return;
    if (beside)
        open_additional(files);
    else
        open(files);
}

void ViewerWindow::ask_for_address()
{
    ConnectDialog dialog(*this);
    if (dialog.exec() != QDialog::Accepted) return;
    set_live_limits(dialog.limits());
    if (dialog.is_additional())
        open_additional({dialog.address()});
    else
        open({dialog.address()});
}

void ViewerWindow::ask_for_model()
{
    QStringList names;
    std::vector<std::size_t> inputs;
    const auto& traces = viewer_->session().traces();
    for (std::size_t i = 0; i != traces.size(); ++i) {
        if (!traces[i].is_file() || !traces[i].whole) continue;
        names += QString::fromStdString(traces[i].file.filename().string());
        inputs.push_back(i);
    }
    if (names.isEmpty()) return show_message(tr("A sensor model needs an open file with its inputs."));
    ModelDialog dialog(names, last_model_, *this);
    if (dialog.exec() != QDialog::Accepted) return;
    last_model_ = dialog.choice();
    viewer_->run_model(last_model_, inputs[static_cast<std::size_t>(dialog.input())]);
    last_model_.record.reset();
}

}  // namespace ositrace::gui
