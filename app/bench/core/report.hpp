// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bench/core/machine.hpp"
#include "app/bench/core/round.hpp"

namespace ositrace::bench {

/// Numbers of a table as a picture: lines over a logarithmic axis.
struct Chart {
    struct Series {
        std::string name;
        Role role = Role::other;
        std::vector<double> values;  ///< one for each place
    };
    std::string x_title, y_title;
    std::string (*text)(double) = nullptr;  ///< of a value
    std::vector<double> at;                 ///< places on the axis, ascending
    std::vector<Series> series;
};

/// A value as a bar.
struct Bar {
    std::string name;
    Role role = Role::other;
    double value = 0;
    std::string text;          ///< the value with its unit
    double low = 0, high = 0;  ///< quartiles, if they differ
};

/// What a reader sees first.
struct Headline {
    std::string sentence;             ///< the answer
    std::string chart;                ///< what the bars are
    std::vector<Bar> bars;            ///< what it rests on
    std::vector<std::string> advice;  ///< what to do, a sentence each
};

/// Conclusions from the rounds.
struct Table {
    std::string name;
    std::vector<std::string> notes;              ///< how to read it, a sentence each
    std::vector<std::vector<std::string>> rows;  ///< titles first
    std::optional<Chart> chart = {};
};

/// All results of one run of a verb.
struct Report {
    std::string title;               ///< the question: `Protobuf to FlatBuffers and back`
    std::string command;             ///< the command that creates this report again
    std::vector<std::string> facts;  ///< about the sample and how to read the rows, a sentence each
    Machine machine;
    int repetitions = 0;
    std::optional<Headline> headline = {};
    std::vector<RoundResult> rounds;
    std::vector<Table> tables;  ///< in the order of creation; the last one, the conclusion, is shown first, then the
                                ///< others, then the rounds
};

[[nodiscard]] std::string text_of(const Report& report);
[[nodiscard]] std::string json_of(const Report& report);
/// A self-contained page with tables and charts as SVG; light or dark as the browser prefers. Well-formed XML.
[[nodiscard]] std::string html_of(const Report& report);
/// Does a file that begins like this come from html_of()? 256 bytes are enough.
[[nodiscard]] bool begins_as_page(std::string_view text) noexcept;

/// `1.23 us`, `45.6 ms`: three digits.
[[nodiscard]] std::string time_text(double nanoseconds);
/// `1.08`, `12.3`
[[nodiscard]] std::string ratio_text(std::optional<double> ratio);
/// `processor time of one thread`
[[nodiscard]] std::string_view name_of(Clock clock) noexcept;
/// The last part of text and page, with a title: what was measured, how, and where; a line each.
inline constexpr std::string_view conditions_title = "What was measured, and how";
[[nodiscard]] std::vector<std::string> conditions_of(const Report& report);

}  // namespace ositrace::bench
