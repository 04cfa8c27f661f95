// SPDX-License-Identifier: MPL-2.0
#include "lib/convert/batch.hpp"

#include <ositrace/error.hpp>

namespace ositrace {

void Batch::clear()
{
    news = {};
    items.clear();
    bytes_in = 0;
    read_error = nullptr;
}

void BatchConverter::know(std::uint32_t index, const Channel& channel)
{
    if (!channels_.contains(index)) channels_.try_emplace(index, channel, options_);
}

void BatchConverter::convert(Batch& batch)
{
    joined_.clear();
    joined_ends_.clear();
    for (auto& item : batch.items) {
        if (!convert_item(item, batch.items.size() == 1) && !options_.skip_bad_frames) break;
    }
    point_into_joined();
}

bool BatchConverter::convert_item(Batch::Item& item, bool alone)
{
    auto& frame = item.frame;
    try {
        const auto converted = channels_.at(frame.channel).convert(frame.bytes, scratch_);
        item.dropped_unknown_fields = converted.dropped_unknown_fields;
        item.other_wire_form = converted.other_wire_form;
        if (converted.bytes.data() == frame.bytes.data()) return true;
        frame.bytes = converted.bytes;
        frame.payload_offset.reset();
        frame.owner.reset();  // the memory is free for the next frame that is read
        if (!alone) append_to_joined(item);
        return true;
    } catch (...) {
        item.error = std::current_exception();
        return false;
    }
}

void BatchConverter::append_to_joined(Batch::Item& item)
{
    joined_.append(item.frame.bytes);
    joined_ends_.emplace_back(&item, joined_.size());
}

// Only now, because the buffer moved while it grew.
void BatchConverter::point_into_joined()
{
    std::size_t begin = 0;
    for (const auto& [item, end] : joined_ends_) {
        item->frame.bytes = joined_.bytes().subspan(begin, end - begin);
        begin = end;
    }
}

}  // namespace ositrace
