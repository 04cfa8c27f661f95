#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Sets everything up and runs tests. The last line is 'N passed, M failed'; the exit status says the same.
# usage: tests/run.sh                  the quick start, and the tests of the release build
#        tests/run.sh all              and the wheel of the Python package, ASan + UBSan with 3 s of each fuzz target, TSan
#        tests/run.sh nightly          what these leave out: the wheel in every Python that is here, osiview's panels and the
#                                      Python package with sanitizers, every benchmark, 10 000 damaged files, 60 s of each fuzz target
#        tests/run.sh STEP...          quickstart, wheel, windows (osiconvert and osiplay for Windows, under Wine), or
#                                      a preset
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

cmake/debian_packages.sh build test || exit 1

# The same sources in another checkout are the same object; the compiler's list of headers saves preprocessing them.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
jobs=$(nproc)
at_once=$((jobs + 1))  # tests: some wait for a clock or for a server
# ThreadSanitizer does not start under every layout that address randomisation makes.
fixed_layout=()
setarch -R true 2>/dev/null && fixed_layout=(setarch -R)

passed=0 failed=0 summary=() reports=()

# An attribute of the test suite in a JUnit file of ctest.
count() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\"$/\1/p" "$2" | head -1; }

# note STEP TESTS FAILED SKIPPED SECONDS
note() {
    passed=$((passed + $2 - $3 - $4))
    failed=$((failed + $3))
    summary+=("$(printf '%-10s %4d tests, %d failed, %d skipped, %d s' "$@")")
}

# run_script STEP COMMAND...: one test, skipped where its exit status is 77; when it fails the summary has its last lines.
run_script() {
    local step=$1 started=$SECONDS failures=0 skipped=0 log
    shift
    log=$(mktemp)
    echo "== $step"
    "$@" 2>&1 | tee "$log"
    case $? in
        0) ;;
        77) skipped=1 ;;
        *) failures=1 ;;
    esac
    note "$step" 1 $failures $skipped $((SECONDS - started))
    [ $failures = 0 ] || summary+=("$step: failed:" "$(cut -c1-300 "$log" | tail -40)")
    rm -f "$log"
}

run_ctest() { "${fixed_layout[@]}" ctest --preset "$@"; }

# The programs for Windows under Wine, compiled quickly. Their libraries are sources of Debian, which may be out of reach.
run_windows() {
    if cmake/debian_packages.sh build windows && packaging/windows/libraries.sh; then
        run_script windows bash -c 'packaging/windows/make.sh --quick || exit 1
            try="packaging/windows/try.sh --short --windows build/windows-quick"
            $try || { [ $? != 77 ] || exit 77; echo "once more: a busy machine disturbs what waits"; $try; }'
    else
        summary+=("windows: skipped: its packages or libraries cannot be had here")
    fi
}

# run_preset PRESET [OPTION of cmake...]: builds it, and runs its tests. The preset nightly is of the release build.
run_preset() {
    local preset=$1 started=$SECONDS report=$PWD/build/$1.xml tests=0 failures=0 skipped=0
    local build=${preset/nightly/release}
    shift
    echo "== $preset"
    rm -f "$report"
    if cmake --preset "$build" "$@" && "${fixed_layout[@]}" cmake --build --preset "$build" --parallel "$jobs"; then
        run_ctest "$preset" --parallel "$at_once" --output-junit "$report" || failures=1
    fi
    if [ -f "$report" ]; then
        tests=$(count tests "$report") skipped=$(count skipped "$report")
        reports+=("$report")
        if [ $failures = 1 ]; then
            failures=$(count failures "$report")
            [ "$failures" -gt 0 ] || failures=1
            if run_again "$preset" "$report"; then failures=0; else tell_failed "$preset" "$report"; fi
        fi
    else
        tests=1 failures=1  # did not build
    fi
    note "$preset" "$tests" "$failures" "$skipped" $((SECONDS - started))
}

# The names of the tests that failed, from a JUnit file of ctest.
failed_tests() { grep -B1 '<failure' "$1" | sed -n 's/.*<testcase name="\([^"]*\)".*/\1/p'; }

# For the summary: what failed, by name, and what the first of them said last.
tell_failed() {
    local preset=$1 report=$2
    while read -r name; do summary+=("$preset: failed: $name"); done < <(failed_tests "$report")
    summary+=("$(sed -n '/<failure/,/<\/testcase>/p' "$report" | sed '/<\/testcase>/q' | cut -c1-300 | tail -40)")
}

# One or two tests that failed beside others may pass alone, and are named then: a busy machine disturbs what waits and
# measures. What a sanitizer or a fuzzer found once stays found.
run_again() {
    local preset=$1 report=$2 names
    ! grep -q 'SUMMARY: ' "$report" || return
    names=$(failed_tests "$report")
    [ -n "$names" ] && [ "$(wc -l <<<"$names")" -le 2 ] && run_ctest "$preset" --rerun-failed --parallel 1 || return
    while read -r name; do summary+=("$preset: passed only alone: $name"); done <<<"$names"
}

# The longest tests of all steps, with their seconds.
tell_slowest() {
    local report preset
    [ ${#reports[@]} -gt 0 ] || return
    echo "The 20 slowest tests:"
    for report in "${reports[@]}"; do
        preset=$(basename "$report" .xml)
        sed -n "s/^[[:space:]]*<testcase name=\"\([^\"]*\)\".* time=\"\([0-9.]*\)\".*/\2 $preset  \1/p" "$report"
    done | sort -rn | head -20 | while read -r seconds name; do printf '%8.1f s  %s\n' "$seconds" "$name"; done
}

case ${*:-} in
    '') set -- quickstart release ;;
    all) set -- quickstart release wheel asan tsan ;;
    nightly) set -- nightly wheels asan-all tsan-all fuzz-long ;;
esac
for step in "$@"; do
    case $step in
        quickstart) run_script quickstart samples/quickstart.sh ;;
        wheel) run_script wheel tests/python/wheel.sh ;;
        wheels) run_script wheels tests/python/wheel.sh --all ;;
        windows) run_windows ;;
        fuzz-long) run_preset fuzz-long -DOSITRACE_FUZZ_SECONDS="${FUZZ_SECONDS:-60}" ;;
        *) run_preset "$step" ;;
    esac
done

echo
tell_slowest
printf '%s\n' "${summary[@]}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
