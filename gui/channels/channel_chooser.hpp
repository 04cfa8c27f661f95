// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <QComboBox>

#include "gui/session/session.hpp"

namespace ositrace::gui {

/// The channels whose messages can be read; hidden while there is only one. Follows the session.
class ChannelChooser : public QComboBox {
    Q_OBJECT
public:
    /// `session` must outlive it.
    explicit ChannelChooser(const Session& session, QWidget* parent = nullptr);
    /// The chosen channel; empty: there is none.
    [[nodiscard]] std::optional<std::uint32_t> source() const;
    void choose(std::uint32_t source);

private:
    void list_channels();

    const Session& session_;
    std::shared_ptr<const OpenChannels> channels_;  ///< as listed
};

/// The channel of `before` in the session, if its trace is still the same; empty: it is gone, or was read anew.
[[nodiscard]] std::optional<std::uint32_t> source_of(const OpenChannel& before, const Session& session);

}  // namespace ositrace::gui
