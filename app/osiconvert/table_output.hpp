// SPDX-License-Identifier: MPL-2.0
// Rows of a table as text.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <ositrace/traffic_table.hpp>

#include "app/terminal/json.hpp"

namespace ositrace::app {

enum class TableFormat : std::uint8_t {
    csv,    ///< RFC 4180, with a header; null is an empty cell
    jsonl,  ///< an object per row
    json,   ///< one document: columns and rows
};

/// By the end of the name; csv for standard output. Throws Error (usage) for another one.
[[nodiscard]] TableFormat table_format_of(const std::filesystem::path& file);

class TableOutput final : TrafficRowSink {
public:
    /// `several`: rows begin with the file and the topic; else with the topic if the file has several channels for the
    /// table. `put` receives the text piece by piece.
    TableOutput(const TrafficTableRow& table, TableFormat format, bool several,
                std::function<void(std::string_view)> put);

    void begin_file(const std::string& file, FrameSource& source);
    /// Those of the next frame; false at the end.
    bool add_rows(TrafficTableReader& reader, std::stop_token stop);
    void end_file();
    void end();

private:
    void add(std::span<const TrafficCell> row) override;
    void add_csv(std::span<const TrafficCell> row);
    void add_json(JsonWriter& json, std::span<const TrafficCell> row) const;
    void put_header();
    void flush();

    const TrafficTableRow& table_;
    TableFormat format_;
    bool with_file_, with_topic_;
    bool begun_ = false;
    std::function<void(std::string_view)> put_;
    std::optional<JsonWriter> document_;
    TrafficTableReader* reader_ = nullptr;
    FrameSource* source_ = nullptr;
    std::string file_;
    std::string text_;
};

}  // namespace ositrace::app
