// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <vector>

#include <QDialog>

#include <ositrace/schema.hpp>

class QLineEdit;
class QListWidget;

namespace ositrace::gui {

/// The paths of the values in these kinds of messages, each once: numbers, enums, booleans and strings; `[*]` for the
/// elements of a repeated field.
[[nodiscard]] std::vector<std::string> leaf_paths(const std::vector<const MessageTable*>& tables);

/// Finds a field by parts of its path; Enter or a double click chooses it.
class FieldChooser : public QDialog {
    Q_OBJECT
public:
    explicit FieldChooser(std::vector<std::string> paths, QWidget* parent = nullptr);
    /// Empty: none was chosen.
    [[nodiscard]] std::string chosen() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void list(const QString& words);

    std::vector<std::string> paths_;
    QLineEdit* words_ = nullptr;
    QListWidget* found_ = nullptr;
};

}  // namespace ositrace::gui
