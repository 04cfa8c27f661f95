// SPDX-License-Identifier: MPL-2.0
// The rows of a table of frames, batch by batch.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "python/src/frame_cursor.hpp"
#include "python/src/signal_check.hpp"
#include "python/src/table.hpp"

namespace ositrace::python {

/// How frames become rows. Called without the GIL.
class RowMaker {
public:
    virtual ~RowMaker() = default;
    /// Before the first frame.
    virtual void begin(const OpenTrace& /*trace*/, SignalCheck& /*check_signals*/) {}
    /// Has the frame rows, whatever is in it?
    [[nodiscard]] virtual bool wants(const Frame& /*frame*/) const { return true; }
    /// Throws Error with the place in the payload.
    virtual void add(Frame& frame, const OpenTrace& trace, SignalCheck& check_signals) = 0;
    /// After the last frame.
    virtual void finish(PendingWarnings& /*warnings*/) {}
    /// Is there a batch?
    [[nodiscard]] virtual bool has_reached(std::size_t bytes) = 0;
    [[nodiscard]] virtual bool has_rows() = 0;
    virtual void take(ArrowArray* out, PendingWarnings& warnings) = 0;
    /// Frees the rows so far.
    virtual void forget() = 0;
};

/// One thread at a time.
class BatchReader {
public:
    BatchReader(FrameCursor cursor, std::unique_ptr<RowMaker> rows, TableSchema schema, std::size_t batch_bytes);
    BatchReader(BatchReader&&) = default;
    BatchReader& operator=(BatchReader&&) = delete;
    ~BatchReader();

    /// nullopt at the end. Holds the GIL when called.
    [[nodiscard]] std::optional<Batch> next();

private:
    std::optional<Batch> read_batch();
    void fill();
    void add();

    std::optional<FrameCursor> cursor_;
    std::shared_ptr<PendingWarnings> warnings_;
    std::unique_ptr<RowMaker> rows_;
    TableSchema schema_;
    std::size_t batch_bytes_;
    bool has_begun_ = false;
    SignalCheck check_signals_;
    Frame frame_;
};

}  // namespace ositrace::python
