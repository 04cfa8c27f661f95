// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/core/report.hpp"
#include "app/bench/core/sample.hpp"
#include "app/terminal/command.hpp"
#include "app/terminal/common_options.hpp"

namespace ositrace::bench {

/// What a verb measures with: hands rounds over, one after the other, so that their memory can be freed in between.
struct Bench {
    std::function<void(const Round&)> measure;
    std::function<void(std::string)> say;  ///< a fact for the header of the report
    std::stop_token stop;
    bool quick = false;
};

/// What the verbs on a trace have in common: the sample, --quick, --repetitions, the report in its three forms.
class TraceBenchCommand : public app::Command {
public:
    void declare(app::Options& options) final;
    app::ExitCode run(app::Messages& messages) final;

protected:
    virtual void declare_more(app::Options&) {}
    [[nodiscard]] virtual std::string title() const = 0;
    /// The reader of the report wants to know what is compared here: sentences.
    virtual void measure(const Sample& sample, const Bench& bench) = 0;

private:
    [[nodiscard]] SampleOptions sample_options(const std::stop_token& stop) const;
    [[nodiscard]] int repetitions() const;
    [[nodiscard]] std::string command_line() const;
    void publish(const Report& report, app::Messages& messages) const;

    std::vector<std::string> words_;
    app::InputOptions input_;
    FrameRange frames_;
    std::optional<TopicPattern> topic_;
    std::optional<int> repetitions_;
    std::string spoiled_;
    std::optional<std::filesystem::path> html_;
    bool quick_ = false;
    bool json_ = false;
};

}  // namespace ositrace::bench
