// SPDX-License-Identifier: MPL-2.0
#include <cstdio>
#include <exception>
#include <new>

#include <ositrace/error.hpp>

#include "app/terminal/command.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/parse.hpp"
#include "lib/system/terminal.hpp"

namespace ositrace::app {
namespace {

ExitCode run_request(const Request& request, Messages& messages)
{
    ExitCode code = ExitCode::success;
    if (request.text) {
        print(*request.text);
    } else {
        code = request.command->run(messages);
    }
    messages.clear_progress();
    flush_output();
    return code;
}

std::string hint(const Program& program, const Command* command)
{
    const std::string verb = command == nullptr || is_main(*command) ? "" : ' ' + std::string(command->text().name);
    return "try '" + std::string(program.name) + verb + " --help'";
}

ExitCode usage_error(const Program& program, const Command* command, const Error& e, Messages& messages)
{
    messages.error(e);
    messages.error(hint(program, command));
    return ExitCode::usage;
}

ExitCode explained(const Program& program, const Command* command, const Error& e, Messages& messages)
{
    messages.clear_progress();
    if (e.cause() == Cause::cancelled && Interrupt::received() != 0) {
        messages.error("interrupted");
        end_as_interrupted(Interrupt::received());
    }
    if (e.cause() == Cause::usage) return usage_error(program, command, e, messages);
    if (e.cause() != Cause::io || !output_reader_is_gone()) messages.failure(e);
    return e.cause() == Cause::different ? ExitCode::findings : ExitCode::failed;
}

ExitCode run_safely(Program& program, int argc, char** argv, Messages& messages)
{
    Request request;
    try {
        parse(program, argc, argv, messages, request);
        if (request.command != nullptr && request.command->text().name != program.recover)
            messages.recover = program.recover;
        return run_request(request, messages);
    } catch (const Error& e) {
        return explained(program, request.command, e, messages);
    } catch (const std::bad_alloc&) {
        messages.error("out of memory");
    } catch (const std::exception& e) {
        messages.error(e.what());
    }
    return ExitCode::failed;
}

}  // namespace

int run_program(Program& program, int argc, char** argv)
{
    prepare_standard_streams();
    Messages messages(program.name);
    const auto code = run_safely(program, argc, argv, messages);
    if (code != ExitCode::success)
        std::fflush(stdout);  // results that are complete are useful; a second failure changes nothing
    return static_cast<int>(code);
}

}  // namespace ositrace::app
