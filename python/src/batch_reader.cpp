// SPDX-License-Identifier: MPL-2.0
#include "python/src/batch_reader.hpp"

#include <utility>

#include "python/src/arrow_structs.hpp"

namespace ositrace::python {

BatchReader::BatchReader(FrameCursor cursor, std::unique_ptr<RowMaker> rows, TableSchema schema,
                         std::size_t batch_bytes)
    : cursor_(std::move(cursor)),
      warnings_(cursor_->trace().warnings),
      rows_(std::move(rows)),
      schema_(std::move(schema)),
      batch_bytes_(batch_bytes)
{
}

BatchReader::~BatchReader()
{
    const nb::gil_scoped_release no_gil;
    cursor_.reset();
}

std::optional<Batch> BatchReader::next()
{
    auto batch = read_batch();
    warnings_->give();
    return batch;
}

std::optional<Batch> BatchReader::read_batch()
{
    const nb::gil_scoped_release no_gil;
    try {
        if (cursor_ && !std::exchange(has_begun_, true)) rows_->begin(cursor_->trace(), check_signals_);
        fill();
        if (!rows_->has_rows()) return std::nullopt;
        const auto array = released_struct<ArrowArray>();
        rows_->take(array.get(), *warnings_);
        return Batch{schema_.schema, array};
    } catch (...) {
        cursor_.reset();
        rows_->forget();
        throw;
    }
}

void BatchReader::fill()
{
    while (cursor_ && !rows_->has_reached(batch_bytes_)) {
        check_signals_();
        if (cursor_->read(frame_)) {
            if (rows_->wants(frame_)) add();
            continue;
        }
        rows_->finish(*warnings_);
        cursor_.reset();
    }
    frame_ = {};
}

void BatchReader::add()
{
    const auto& open = cursor_->trace();
    const auto& channel = *open.channels[frame_.channel];
    try {
        channel.check_claimed_type(frame_.bytes);
        rows_->add(frame_, open, check_signals_);
    } catch (const Error& error) {
        const auto full = channel.first_damage(frame_, error);
        if (!open.skips_damage || !is_damage(error)) throw full;
        open.skipped->add(std::string(full.what()) + " (the frame is left out of a table)");
    }
}

}  // namespace ositrace::python
