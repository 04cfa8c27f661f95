// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <exception>
#include <optional>
#include <stop_token>

#include "lib/play/section_reader.hpp"

namespace ositrace {

/// Makes the steps of a replay, one behind the other.
class StepReader {
public:
    virtual ~StepReader() = default;
    /// nullopt at the end, or when a stop was requested.
    virtual std::optional<DueStep> next(const std::stop_token& stop) = 0;
    virtual void seek(Moment moment) = 0;
};

/// One step for each moment: frames of several channels with the same time come together, the second one of a channel
/// is a step of its own. Of a live source each frame is a step: the next one is not waited for.
class MomentReader final : public StepReader {
public:
    MomentReader(SectionReader& reader, bool together) : reader_(reader), together_(together) {}

    std::optional<DueStep> next(const std::stop_token& stop) override;
    void seek(Moment moment) override;

private:
    [[nodiscard]] bool joins(const DueStep& step) const;

    SectionReader& reader_;
    bool together_;
    std::optional<DueFrame> ahead_;  ///< read, and part of the next step
    std::exception_ptr failure_;     ///< of reading it, behind the step in front
};

}  // namespace ositrace
