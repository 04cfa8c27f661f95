// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <ositrace/catalog.hpp>
#include <ositrace/check.hpp>
#include <ositrace/count_text.hpp>
#include <ositrace/utf8.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/inputs.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"
#include "lib/io/ordered_workers.hpp"
#include "lib/io/output_file.hpp"
#include "lib/system/terminal.hpp"
#include "lib/system/whole_name.hpp"

namespace ositrace::app {
namespace {

/// The lines of one file in a table. All of them begin with the same text: path, size and time of its last change.
using Lines = std::string;

/// The lines of one file, and how its reading ended.
struct CatalogRows {
    Lines rows;
    Lines places;
    ExitCode code = ExitCode::success;
    std::string problem;  ///< empty: none
    std::set<std::string> warnings;
    bool reused = false;
};

/// A line of a table, up to what identifies the file and its state.
JsonWriter line_of(const std::filesystem::path& file, std::uint64_t size, std::int64_t changed)
{
    JsonWriter json(JsonWriter::Form::line);
    json.begin_object()
        .member("path", std::string_view(file.string()))
        .member("size", size)
        .member("mtime_ns", changed);
    return json;
}

void add_time(JsonWriter& json, std::string_view name, const std::optional<Nanoseconds>& time)
{
    json.member(name, time ? std::optional(std::int64_t{time->count()}) : std::nullopt);
}

/// All columns of the channel; null where there is none.
void add_channel(JsonWriter& json, const CatalogChannel* row)
{
    const auto* const channel = row ? &row->channel : nullptr;
    const auto text = [&](auto get) { return channel ? std::optional(std::string_view(get(*channel))) : std::nullopt; };
    json.member("channel", text([](const Channel& each) -> std::string_view { return each.topic; }))
        .member("type", text([](const Channel& each) -> std::string_view { return each.type_name; }))
        .member("encoding", text(encoding_name))
        .member("frames", row ? std::optional(row->frames) : std::nullopt);
    const auto times = row ? row->times : std::nullopt;
    add_time(json, "first_time_ns", times ? std::optional(times->first) : std::nullopt);
    add_time(json, "last_time_ns", times ? std::optional(times->last) : std::nullopt);
    json.member("rate_hz", row ? row->rate_hz : std::nullopt).key("osi_versions").begin_array();
    if (row)
        for (const auto& version : row->osi_versions) json.value(version.to_string());
    json.end_array().member("host_id", row ? row->host : std::nullopt);
    const auto bounds = row ? row->bounds : std::nullopt;
    const auto bound = [&](double PositionBounds::* of) {
        return bounds ? std::optional((*bounds).*of) : std::nullopt;
    };
    json.member("x_min", bound(&PositionBounds::x_min))
        .member("x_max", bound(&PositionBounds::x_max))
        .member("y_min", bound(&PositionBounds::y_min))
        .member("y_max", bound(&PositionBounds::y_max))
        .member("static_data", row ? row->static_data : std::nullopt);
}

/// Reads one file. One bad file does not stop the others: it has a row that says what is wrong.
class FileReader {
public:
    FileReader(std::filesystem::path file, OpenOptions open, bool check) : file_(std::move(file)), check_(check)
    {
        open_ = std::move(open);
        open_.threads = 1;  // files are read in parallel
    }

    /// `known`: lines of earlier tables by what they begin with.
    CatalogRows read(const std::map<std::string, std::pair<Lines, Lines>>& known)
    {
        std::error_code failed;
        const auto size = std::filesystem::file_size(file_, failed);
        const auto changed =
            failed ? std::filesystem::file_time_type() : std::filesystem::last_write_time(file_, failed);
        const std::int64_t changed_ns = failed ? 0
                                               : std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                     std::chrono::file_clock::to_sys(changed).time_since_epoch())
                                                     .count();
        auto begun = line_of(file_, failed ? 0 : size, changed_ns);
        if (const auto found = known.find(begun.begun()); !failed && found != known.end())
            return {found->second.first, found->second.second, ExitCode::success, {}, {}, true};
        CatalogRows result;
        try {
            read_trace(begun, result);
        } catch (const Error& error) {
            if (error.cause() == Cause::cancelled || error.cause() == Cause::usage) throw;
            result.code = is_damage_of_trace(error) ? ExitCode::findings : ExitCode::failed;
            result.problem = error.what();
            result.rows = finished(begun, nullptr, nullptr, result.problem);
        }
        return result;
    }

private:
    void read_trace(const JsonWriter& begun, CatalogRows& result)
    {
        if (!is_utf8(file_.string())) throw Error(Cause::io, {.file = file_}, "its name is not UTF-8");
        std::mutex warning;
        open_.on_warning = [&](const Error& error) {
            const std::scoped_lock lock(warning);
            if (error.damage() == Damage::chunk_index)
                note(result, error.what());  // of the summary
            else
                result.warnings.insert(error.what());  // --check reads the file again
        };
        const auto trace = open_trace(file_, open_);
        const auto entry = catalog_entry(*trace, open_.stop);
        if (entry.damage) note(result, *entry.damage);
        if (check_) findings_ = count_findings();
        for (const auto& channel : entry.channels)
            result.rows += finished(begun, &trace->info(), &channel, result.problem);
        if (entry.channels.empty()) result.rows = finished(begun, &trace->info(), nullptr, result.problem);
        for (const auto& place : entry.places) {
            auto json = begun;
            json.member("frame", place.frame).member("offset", place.offset);
            add_time(json, "time_ns", place.time);
            result.places += json.end_object().text();
        }
    }

    static void note(CatalogRows& result, const std::string& problem)
    {
        result.code = ExitCode::findings;
        if (result.problem.empty()) result.problem = problem;
    }

    [[nodiscard]] Lines finished(JsonWriter json, const TraceInfo* info, const CatalogChannel* channel,
                                 const std::string& problem) const
    {
        const auto facts = facts_of_path(file_);
        json.member("campaign", std::string_view(facts.campaign)).member("date", std::string_view(facts.date));
        json.member("container", info ? std::optional(info->container.name) : std::nullopt);
        json.member(
            "compression",
            info ? std::optional(std::string_view(info->container.chunks ? info->chunk_compression : info->compression))
                 : std::nullopt);
        add_channel(json, channel);
        json.member("findings", findings_).member("error", problem.empty() ? std::nullopt : std::optional(problem));
        return json.end_object().text();
    }

    [[nodiscard]] std::uint64_t count_findings() const
    {
        CheckOptions options;
        options.open = open_;
        options.rules = RuleSet::built_in();
        const auto result = check_trace(file_, options, open_.stop);
        return result.errors + result.warnings;
    }

    std::filesystem::path file_;
    OpenOptions open_;
    bool check_;
    std::optional<std::uint64_t> findings_;
};

/// The lines of a file of an earlier table, by what they begin with.
std::map<std::string, Lines> lines_by_file(const std::filesystem::path& table)
{
    std::map<std::string, Lines> lines;
    std::ifstream in(table, std::ios::binary);
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view last = ", \"mtime_ns\": ";
        const auto name = line.find(last);
        if (name == std::string::npos) throw Error(Cause::malformed, {.file = table}, "not a table of a catalog");
        lines[line.substr(0, line.find_first_of(",}", name + last.size()))] += line + '\n';
    }
    return lines;
}

class CatalogCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "catalog",
            .summary = "list what many traces contain, as a table",
            .usage = {"catalog PATH... -o OUT.jsonl [--update | --overwrite] [--check]", "catalog PATH... -o -"},
            .notes =
                {"PATH is a file, or a folder with all traces in it; a file that is named twice counts once.",
                 "OUT has a JSON line for each channel of each file; OUT.index.jsonl has a line for every 16 MB of "
                 "a file:",
                 "a place where a program can begin to read. Only the index of a file and, without one, its first "
                 "and last",
                 "frame are read. The exit code is 3 if a file is damaged, and 1 if one cannot be read; its line "
                 "says why."},
            .examples = {"catalog recordings/ -o recordings.jsonl", "catalog recordings/ -o recordings.jsonl --update",
                         "catalog recordings/ -o - | jq -r 'select(.type == \"osi3.SensorData\").path'"}};
    }

    void declare(Options& options) override
    {
        options.words("PATH", words_, 1, SIZE_MAX);
        options.option("-o,--output", "OUT", "the table; - is standard output, without the index table",
                       [this](const std::string& file) { output_ = file; });
        options.flag("--update", update_, "reuse the lines in OUT of files that have not changed");
        options.flag("--check", check_, "count the findings of osiconvert check, which reads every file");
        input_.declare(options);
        declare_overwrite(options, overwrite_);
        declare_threads(options, threads_);
    }

    ExitCode run(Messages& messages) override
    {
        if (!output_) throw invalid_usage("-o OUT is missing");
        if (update_ && overwrite_) throw invalid_usage("--update and --overwrite exclude each other");
        if (update_ && is_standard_output(*output_)) throw invalid_usage("--update needs a file");
        if (output_->extension() == ".parquet")
            throw invalid_usage("OUT has JSON lines; Parquet is written by ositrace.catalog() in Python");
        for (const auto& word : words_)
            if (word == "-") throw invalid_usage("a catalog lists files, not standard input");
        auto files = with_folders(words_);
        std::set<std::filesystem::path> known_files{real_name(*output_), real_name(places_file())};
        std::erase_if(files, [&](const std::string& file) { return !known_files.insert(real_name(file)).second; });
        const Interrupt interrupt;
        auto open = input_.open_options();
        open.stop = interrupt.token();
        std::map<std::string, std::pair<Lines, Lines>> known;
        if (update_) known = known_lines();

        const bool to_file = !is_standard_output(*output_);
        const OutputOptions written{.overwrite = overwrite_ || update_};
        std::optional<OutputFile> rows, places;
        if (to_file) {
            rows.emplace(*output_, written);
            places.emplace(places_file(), written);
        }
        Counts counts;
        OrderedWorkers<CatalogRows> workers(unpacking_threads());
        const auto most_ahead = 4 * std::size_t{unpacking_threads()};
        for (std::size_t next = 0, taken = 0; taken != files.size(); ++taken) {
            for (; next != files.size() && workers.size() < most_ahead; ++next)
                workers.add([this, &known, open, file = whole_name(files[next])] {
                    return FileReader(file, open, check_).read(known);
                });
            const auto result = workers.take();
            if (open.stop.stop_requested()) throw Error(Cause::cancelled, "stopped");
            counts.add(result);
            for (const auto& warning : result.warnings) messages.warning(warning);
            if (!result.problem.empty()) messages.error(result.problem);
            if (to_file) {
                rows->write(bytes_of(result.rows));
                places->write(bytes_of(result.places));
            } else {
                print(result.rows);
            }
        }
        if (to_file) {
            rows->flush();  // a full disk is found before one of the two has its name
            places->close();
            try {
                rows->close();
            } catch (const Error&) {
                std::error_code failed;
                std::filesystem::remove(places_file(), failed);  // an index without its table is of no use
                throw;
            }
            if (!messages.quiet) print_summary(summary_of(counts, files.size()), messages);
        }
        return counts.code;
    }

private:
    struct Counts {
        std::size_t reused = 0, broken = 0;
        ExitCode code = ExitCode::success;
        void add(const CatalogRows& file)
        {
            reused += file.reused ? 1 : 0;
            broken += file.problem.empty() ? 0 : 1;
            if (file.code == ExitCode::failed || code == ExitCode::success) code = file.code;
        }
    };

    [[nodiscard]] unsigned unpacking_threads() const
    {
        constexpr unsigned most = 16;
        return threads_ != 0 ? threads_ : std::clamp(std::thread::hardware_concurrency(), 1U, most);
    }

    [[nodiscard]] std::filesystem::path places_file() const
    {
        auto file = *output_;
        const auto extension = file.extension().string();
        return file.replace_extension(".index" + extension);
    }

    /// Of the tables that are to be updated, where both exist.
    [[nodiscard]] std::map<std::string, std::pair<Lines, Lines>> known_lines() const
    {
        std::map<std::string, std::pair<Lines, Lines>> known;
        auto rows = lines_by_file(*output_);  // what is no catalog is not replaced
        if (!std::filesystem::exists(places_file())) return known;
        auto places = lines_by_file(places_file());
        for (auto& [file, lines] : rows) {
            const bool failed = lines.find("\"error\": null") == std::string::npos;
            const bool checked = lines.find("\"findings\": null") == std::string::npos;
            if (!failed && checked == check_) known[file] = {std::move(lines), std::move(places[file])};
        }
        return known;
    }

    [[nodiscard]] std::string summary_of(const Counts& counts, std::size_t files) const
    {
        auto text = output_->string() + ": " + count_text(files, "file");
        if (counts.reused != 0) text += ", " + std::to_string(counts.reused) + " of them unchanged";
        if (counts.broken != 0) text += ", " + std::to_string(counts.broken) + " with errors";
        return text + '\n';
    }

    std::vector<std::string> words_;
    std::optional<std::filesystem::path> output_;
    InputOptions input_;
    bool update_ = false;
    bool check_ = false;
    bool overwrite_ = false;
    unsigned threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> catalog_command() { return std::make_unique<CatalogCommand>(); }

}  // namespace ositrace::app
