// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/fmu_model.hpp>

#include "lib/fmu/model_runner.hpp"
#include "lib/system/child_process.hpp"
#include "lib/system/line_reader.hpp"
#include "lib/system/shared_memory.hpp"

namespace ositrace::fmu {

namespace {

void check_program()
{
    if (const auto why = why_no_own_namespace(); !why.empty())
        throw Error(Cause::unsupported, "cannot be loaded in process: " + why +
                                            " (omit --in-process: the model then gets a process of its own)");
}

/// Says that a model has called exit(), which would end this program with its code and without a word. Never destroyed:
/// exit handlers cannot be removed, and a process has few models.
struct ExitGuard {
    std::string name;
    OnLine on_program_end;

    static void run(int status, void* guard)
    {
        const auto& self = *static_cast<const ExitGuard*>(guard);
        if (self.on_program_end)
            self.on_program_end(self.name + " ended the program that it was loaded into (exit code " +
                                std::to_string(status) + "); without --in-process it has a process of its own");
        remove_fmu_folders();
        end_at_once(1);
    }
};

/// Standard output of the model, line by line as from a child.
class OutputPipe {
public:
    explicit OutputPipe(OnLine on_line)
    {
        auto pipe = make_pipe("cannot be loaded in process: pipe");
        write_ = std::move(pipe.write);
        lines_.emplace(std::move(pipe.read), std::move(on_line));
    }
    [[nodiscard]] const FileHandle& end() const noexcept { return write_; }

private:
    FileHandle write_;
    std::optional<LineReader> lines_;
};

class InProcessRunner final : public ModelRunner, private MessageExchange {
public:
    InProcessRunner(const HostSetup& setup, const OnLine& on_line, OnLine on_program_end)
        : slots_(setup.binaries.size()),
          output_(on_line),
          host_(setup, ModelLibrary::Where::own_namespace,
                [on_line](std::string_view line) {
                    if (on_line) on_line(line);
                },
                {&output_.end(), ExitGuard::run, new ExitGuard{setup.instance_name, std::move(on_program_end)}})
    {
    }

    void set_input(std::size_t binary, Bytes bytes) override
    {
        auto& slot = slots_[binary];
        if (!std::exchange(slot.set, true)) slot.turn ^= 1;
        slot.given = false;
        auto& copy = slot.copies[slot.turn];
        copy.clear();
        copy.append(bytes);
        slot.bytes = copy.bytes();
    }

    void run(Command command, StepTime time, std::chrono::milliseconds) override
    {
        for (auto& slot : slots_) slot.set = false;
        host_.execute(command, time, *this);
        for (auto& slot : slots_) slot.given = false;
    }
    void prepare() override { host_.set_inputs(*this); }
    Bytes output(std::size_t binary) const override { return slots_[binary].output.bytes(); }
    std::chrono::nanoseconds step_entered() const noexcept override { return step_entered_; }
    std::chrono::nanoseconds other_processor_time() const noexcept override { return {}; }
    std::uint64_t peak_process_bytes() const noexcept override { return 0; }

private:
    struct Slot {
        Bytes bytes;
        unsigned turn = 0;
        bool set = false;                  ///< since the last command
        bool given = false;                ///< to the model, since it was set
        std::array<ByteBuffer, 2> copies;  ///< of this step's message and the one before
        ByteBuffer output;
    };

    Bytes input(std::size_t binary) override { return slots_[binary].bytes; }
    bool is_set(std::size_t binary) const noexcept override { return slots_[binary].given; }
    void was_set(std::size_t binary) noexcept override { slots_[binary].given = true; }
    void no_output(std::size_t binary) override { slots_[binary].output.clear(); }
    std::size_t take_output(std::size_t binary, const void* data, std::size_t size) override
    try {
        auto& output = slots_[binary].output;
        output.clear(size);
        const auto done = copy_readable(data, size, output.reserve_back(size));
        output.commit_back(done);
        return done;
    } catch (const Error& error) {
        throw Error(Cause::unsupported, "cannot be run in process: " + error.reason() + " (omit --in-process)");
    }
    void step_entered() override { step_entered_ = std::chrono::steady_clock::now().time_since_epoch(); }

    std::vector<Slot> slots_;
    std::chrono::nanoseconds step_entered_{};
    OutputPipe output_;
    ModelHost host_;  // last: what it prints goes to the pipe
};

}  // namespace

std::unique_ptr<ModelRunner> run_in_process(const HostSetup& setup, OnLine on_line, OnLine on_program_end)
{
    check_program();
    return std::make_unique<InProcessRunner>(setup, on_line, std::move(on_program_end));
}

}  // namespace ositrace::fmu
