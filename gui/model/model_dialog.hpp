// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <thread>
#include <vector>

#include <QDialog>

#include "gui/model/model_choice.hpp"

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace ositrace::gui {

/// Asks for a sensor model, the values of its parameters, the trace with its inputs, and a file for what it returns.
class ModelDialog : public QDialog {
    Q_OBJECT
public:
    /// `inputs`: names of the traces that it can run beside, not empty. `last`: shown at the beginning.
    ModelDialog(const QStringList& inputs, const ModelChoice& last, QWidget& parent);
    [[nodiscard]] ModelChoice choice() const;
    [[nodiscard]] int input() const;

private:
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

}  // namespace ositrace::gui
