#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Tries the programs and FMUs for Windows under Wine, beside those of this machine. The last line is
# 'N passed, M failed, K skipped'; the exit status says the same, and is 77 when Wine or the programs are missing.
# usage: packaging/windows/try.sh [--short] [--windows BUILD] [--native BUILD] [PART...]
#        default: build/windows, build/release, and all parts: conversions cases conformance fmus names_and_streams
#        nothing_half_written sockets
# --short takes a minute or two: one trace into every container, every tenth case, and what is only on Windows.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
short='' windows=build/windows native=build/release parts=()
while [ $# -gt 0 ]; do
    case $1 in
        --short) short=1 ;;
        --windows) windows=$2; shift ;;
        --native) native=$2; shift ;;
        *) parts+=("$1") ;;
    esac
    shift
done
[ ${#parts[@]} -gt 0 ] || parts=(conversions cases conformance fmus names_and_streams nothing_half_written sockets)
windows=$(realpath -m "$windows") native=$(realpath -m "$native")
shared=$(realpath -m ../shared)
wine=/usr/lib/wine/wine64
if [ ! -x $wine ] || [ ! -f "$windows/bin/osiconvert.exe" ] || [ ! -f "$windows/bin/osiplay.exe" ]; then
    echo "skipped: wine64, or osiconvert.exe and osiplay.exe in $windows/bin (packaging/windows/make.sh)"
    exit 77
fi

scratch=$(mktemp -d)
export LC_ALL=C.UTF-8 WINEPREFIX=$scratch/wine WINEDEBUG=-all
trap 'for left in $(jobs -p); do kill "$left" 2>/dev/null; done; wineserver -k 2>/dev/null; rm -rf "$scratch"' EXIT
$wine wineboot --init >/dev/null 2>&1
$wine cmd /c 'exit 3' >/dev/null 2>&1
if [ $? != 3 ]; then
    echo "skipped: Wine does not run a program here"
    exit 77
fi
# Wine's services end with the last program, and those of the next one would keep its pipes open: one runs all the time.
mkfifo "$scratch/hold"
$wine cmd <"$scratch/hold" >/dev/null 2>&1 &
exec 9>"$scratch/hold"

# Programs of this machine that start those for Windows, whatever the locale is.
bin=$scratch/bin
mkdir "$bin"
for file in "$windows"/bin/*.exe "$windows"/tests/conformance/*.exe; do
    [ -f "$file" ] || continue
    program=$bin/$(basename "$file" .exe)
    printf '#!/bin/sh\nLC_ALL=C.UTF-8 exec %s "%s" "$@"\n' $wine "$file" >"$program"
    chmod +x "$program"
done

passed=0 failed=0 skipped=0
# judge NAME: of the command before, so that the name contains no other command
judge() {
    if [ $? = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $1"
    fi
}
# until_true SECONDS COMMAND...: tries it again and again
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.05
    done
}
# In a new, empty folder.
fresh() { rm -rf "${scratch:?}/here" && mkdir "$scratch/here" && cd "$scratch/here" || exit 1; }

# --- The same files, output and exit code as those of this machine, from traces into every container and back.

# both ARGUMENT...
both() {
    (cd "$scratch/windows" && timeout 120 "$bin/osiconvert" "$@" >../windows.out 2>../windows.err; echo $? >>../windows.out)
    (cd "$scratch/native" && "$native/bin/osiconvert" "$@" >../native.out 2>../native.err; echo $? >>../native.out)
    cmp "$scratch/windows.out" "$scratch/native.out" && cmp "$scratch/windows.err" "$scratch/native.err"
    judge "osiconvert $*: output, exit code"
}
# replay TRACE: into a recording of each
replay() {
    local from
    for from in windows native; do
        local program=$native/bin/osiplay
        [ $from = native ] || program=$bin/osiplay
        (cd "$scratch/$from" && timeout 120 "$program" "$1" --sink record:seen.mcap --rate max >/dev/null 2>said || cat said)
        [ -s "$scratch/$from/seen.mcap" ]
        judge "osiplay $1 records ($from)"
    done
    rm -f "$scratch"/{windows,native}/said
}
same_files() {
    (cd "$scratch/windows" && sha256sum -- *) >"$scratch/windows.sums"
    (cd "$scratch/native" && sha256sum -- *) >"$scratch/native.sums"
    diff "$scratch/windows.sums" "$scratch/native.sums"
    judge "${1##*/}: the same bytes"
    rm -f "$scratch"/windows/* "$scratch"/native/*
}
conversions() {
    local trace extension here to traces=(sensor_view)
    mkdir "$scratch/windows" "$scratch/native"
    both --help
    both convert --help
    [ -n "$short" ] || traces+=(lidar "$shared"/traces/*.osi "$shared"/traces/*.mcap)
    for trace in "${traces[@]}"; do
        extension=osi
        case $trace in
            sensor_view) both generate here.osi --frames 20 --objects 5 ;;
            lidar) both generate here.osi --frames 3 --objects 2 --reflections 20000 ;;
            *) [ -f "$trace" ] || continue
               extension=${trace##*.}
               cp "$trace" "$scratch/windows/here.$extension"; cp "$trace" "$scratch/native/here.$extension" ;;
        esac
        here=here.$extension
        both info "$here"
        both stats "$here"
        both check "$here"
        both cat "$here" --frames 0:1
        replay "$here"
        for to in mcap osi osi.zst osi.lz4 osifb osifb.zst txth jsonl; do
            [ "$here" = "here.$to" ] || both "$here" -o "to.$to"
            [ ! -f "$scratch/native/to.$to" ] || both info "to.$to"
            [ -n "$short" ] || [ ! -f "$scratch/native/to.$to" ] || both "to.$to" -o "back-from-$to.osi"
        done
        both diff "$here" to.osifb
        both cut "$here" -o cut.osi --frames 1:3
        same_files "$trace"
    done
}

# --- The cases of tests/app, but those of posix_cases.txt.

# try_case NAME: prints 'passed NAME', 'skipped NAME', or what differs and 'failed NAME'
try_case() {
    local program=osiconvert difference
    [[ $1 != osiplay/* ]] || program=osiplay
    difference=$(OSITRACE_SANITIZE='' OSITRACE_BACKSLASHES=1 OSITRACE_CASE_SECONDS=300 tests/app/run_case.sh "$bin/$program" \
        "tests/app/cases/$1.case" "$shared/traces" 2>&1)
    case $? in
        0) echo "passed $1" ;;
        77) echo "skipped $1" ;;
        *) printf '%s\nfailed %s\n' "$difference" "$1" ;;
    esac
}
cases() {
    local all posix run every=1
    all=$(cd tests/app/cases && printf '%s\n' */*.case | grep -v '^osiview/' | sed 's/\.case$//')
    posix=$(sed -n 's/^\([a-z0-9_]*\/[a-z0-9_]*\) .*/\1/p' packaging/windows/posix_cases.txt)
    run=$(grep -vxF "$posix" <<<"$all")
    echo "$(wc -l <<<"$run") of $(wc -l <<<"$all") cases can run here (packaging/windows/posix_cases.txt)"
    ! grep -vxF "$all" <<<"$posix"
    judge "posix_cases.txt names only cases that are there"
    [ -z "$short" ] || every=10
    export -f try_case
    export bin shared
    awk "NR % $every == 0" <<<"$run" | xargs -P "$(nproc)" -I{} bash -c 'try_case {}' >"$scratch/cases"
    grep -v '^passed ' "$scratch/cases"
    passed=$((passed + $(grep -c '^passed ' "$scratch/cases")))
    skipped=$((skipped + $(grep -c '^skipped ' "$scratch/cases")))
    failed=$((failed + $(grep -c '^failed ' "$scratch/cases")))
}

# --- The cases of the MCAP project.
conformance() {
    local cases=$shared/mcap-conformance
    [ -z "$short" ] || cases=$cases/OneMetadata
    tests/conformance/mcap_write.py "$bin/mcap_write" "$cases"
    judge "MCAP conformance: writer"
    for mode in streamed indexed; do
        [ "$short$mode" != 1indexed ] || continue  # none of those has an index
        tests/conformance/mcap_read.py "$bin/mcap_read" $mode "$cases"
        judge "MCAP conformance: $mode reader"
    done
}

# --- Our FMUs: each has the libraries of both systems.
fmus() {
    local version file model way test extension
    if [ ! -d "$windows/fmu" ]; then
        echo "skipped: there are no FMUs in $windows"
        skipped=$((skipped + 1))
        return
    fi
    for version in 2 3; do
        for file in "$windows/fmu/fmi$version"/*.fmu; do
            [ "$(unzip -Z1 "$file" | grep -cE '^binaries/[^/]*/[^/]*\.(so|dll)$')" = 2 ]
            judge "${file##*/}, FMI $version: libraries for two systems"
        done
        for model in DummySensor DummySensorFlatBuffers; do
            fresh
            extension=osi
            [[ $model != *FlatBuffers ]] || extension=osifb
            "$native/bin/osiconvert" generate in.$extension --frames 20 --objects 20 --quiet
            file=$windows/fmu/fmi$version/$model.fmu
            for way in '' --in-process; do
                "$native/bin/osiplay" in.$extension --sink "fmu:$file" $way --sink record:native.$extension --rate max
                judge "$model, FMI $version $way: in osiplay of this machine"
                timeout 120 "$bin/osiplay" in.$extension --sink "fmu:$file" $way --sink record:windows.$extension --rate max
                judge "$model, FMI $version $way: in osiplay.exe"
                cmp native.$extension windows.$extension
                judge "$model, FMI $version $way: the same messages in both"
                rm -f native.* windows.*
            done
        done
        cd "$checkout" || exit 1
        [ -z "$short" ] && [ -d "$native/fmpy-python/fmpy" ] || continue
        for test in description player writer models; do
            python3 tests/fmu/$test.py $version "$native/bin/osiconvert" "$windows/fmu/fmi$version" \
                "$native/fmpy-python" "$shared/traces" >"$scratch/fmpy" 2>&1 || { cat "$scratch/fmpy"; false; }
            judge "FMPy on this machine: $test, FMI $version"
        done
    done
}

# --- What a user of Windows expects.
names_and_streams() {
    local name deep length
    fresh
    mkdir -p "$WINEPREFIX/dosdevices/unc/server/share"  # a network folder of Wine
    for name in 'ü日本.osi' 'two words.osi' 'sub\folder.osi' '.\sub\..\dotted.osi' "Z:${PWD//\//\\}\\absolute.osi" \
        "\\\\?\\Z:${PWD//\//\\}\\verbatim.osi" '\\server\share\network.osi' '\\?\UNC\server\share\verbatim.osi'; do
        mkdir -p sub
        "$bin/osiconvert" generate "$name" --frames 2 >/dev/null && "$bin/osiconvert" info "$name" | grep -q 'frames  *2'
        judge "the name $name"
    done
    [ -f "$WINEPREFIX/dosdevices/unc/server/share/network.osi" ] && [ -f ü日本.osi ] && [ -f 'two words.osi' ] && [ -f sub/folder.osi ] && [ -f dotted.osi ] && [ -f absolute.osi ] && \
        [ -f verbatim.osi ]
    judge "files have the names that they were given"
    "$bin/osiconvert" generate ü.osi --frames 2 | grep -q '^ü.osi: 2 frames'
    judge "what is printed is UTF-8"
    deep=$(printf 'folder-%03d-of-a-long-path/' {1..14})
    mkdir -p "$deep"
    length=$(printf %s "$PWD/${deep}long.osi" | wc -c)
    "$bin/osiconvert" generate "${deep}long.osi" --frames 2 >/dev/null && \
        "$bin/osiconvert" "${deep}long.osi" -o "${deep}long.mcap" >/dev/null && \
        "$bin/osiconvert" info "${deep}long.mcap" >/dev/null
    judge "a path of $length characters"
    "$bin/osiconvert" generate '\\nobody.invalid\share\a.osi' --frames 2 2>said; [ $? = 1 ] && grep -q 'does not exist' said
    judge "a network folder that is not there is an error"

    "$bin/osiconvert" generate - --frames 5 | cmp - <("$native/bin/osiconvert" generate - --frames 5)
    judge "- writes binary"
    "$native/bin/osiconvert" generate - --frames 5 | "$bin/osiconvert" info - | grep -q 'frames  *5'
    judge "- reads a pipe"
    "$native/bin/osiconvert" generate a.osi --frames 50 --quiet
    "$bin/osiconvert" info - <a.osi | grep -q 'frames  *50'
    judge "- reads a file"
    "$bin/osiconvert" cat a.osi 2>said | head -c 10 >/dev/null; [ "${PIPESTATUS[0]}" = 1 ] && [ ! -s said ]
    judge "| head ends what is printed, without a word"
    "$bin/osiconvert" a.osi -o - 2>said | head -c 10 >/dev/null; [ "${PIPESTATUS[0]}" = 1 ] && [ ! -s said ]
    judge "| head ends an output of -, without a word"
    "$bin/osiconvert" cat a.osi 2>said >/dev/full; [ $? = 1 ] && grep -q 'No space left on device' said
    judge "a full disk is an error"
}

# Nothing half-written has the name of an output.
nothing_half_written() {
    fresh
    "$native/bin/osiconvert" generate a.osi --frames 200 --objects 2 --reflections 20 --quiet
    "$bin/osiplay" a.osi --sink record:killed.osi --rate 0.5 >/dev/null 2>&1 &
    until_true 20 test -s killed.osi.part
    kill -KILL $!
    wait $! 2>/dev/null
    [ ! -e killed.osi ] && [ -s killed.osi.part ] && { "$bin/osiconvert" recover killed.osi.part -o saved.osi >/dev/null
        "$native/bin/osiconvert" info saved.osi | grep -q frames; }
    judge "a recording that is killed keeps its .part, which recover reads"

    "$bin/osiplay" a.osi --sink record:stopped.osi --rate 0.5 >/dev/null 2>said &
    until_true 20 test -s stopped.osi.part
    kill -INT $!
    wait $! 2>/dev/null
    until_true 5 test -s stopped.osi && "$native/bin/osiconvert" info stopped.osi | grep -q frames && grep -q interrupted said
    judge "Ctrl-C ends a recording, which is complete"

    mkfifo never
    "$bin/osiconvert" convert - -o killed.mcap <never >/dev/null 2>&1 &
    exec 5>never
    head -c 3000000 a.osi >&5
    until_true 20 bash -c 'ls -A | grep -q "^\.ositrace"'
    judge "an output has another name while it is written"
    kill -KILL $!
    exec 5>&-
    wait $! 2>/dev/null
    "$bin/osiconvert" a.osi -o another.mcap >/dev/null && [ ! -e killed.mcap ] && [ -z "$(find . -name '.ositrace*')" ]
    judge "a conversion that is killed leaves nothing, once another one has written there"

    mkfifo typed
    $wine cmd /c 'more > busy.osi' <typed >/dev/null 2>&1 &
    exec 5>typed
    until_true 20 test -e busy.osi
    "$bin/osiconvert" a.osi -o busy.osi --overwrite 2>said; [ $? = 1 ] && grep -q 'busy.osi: is open in another program' said
    judge "an output that is open in another program is an error that says so"
    exec 5>&-
    wait $! 2>/dev/null
    [ ! -s busy.osi ] && [ -z "$(find . -name '.ositrace*')" ]
    judge "which changes nothing"
}

# stream FROM TO: a replay by the osiplay of one folder, recorded by that of the other, is the trace again
stream() {
    local from=$1/osiplay to=$2/osiplay port sender
    rm -f said b.osi
    timeout 60 "$to" 'tcp://127.0.0.1:0?listen' --sink record:b.osi 2>said &
    until_true 20 grep -q 'waiting for messages' said
    port=$(grep -o '[0-9]*: waiting for messages' said)
    timeout 60 "$from" a.osi --sink "tcp://127.0.0.1:${port%%:*}" --rate max >/dev/null 2>&1
    wait $! && cmp a.osi b.osi
    judge "tcp:// from $from to $to"

    rm -f said b.osi
    timeout 60 "$from" a.osi --sink 'zmq+push://127.0.0.1:0' --rate max 2>said >/dev/null &
    sender=$!
    until_true 20 grep -q 'waiting for a receiver' said
    port=$(grep -o '[0-9]*: waiting for a receiver' said)
    env --default-signal=INT "$to" "zmq+pull://127.0.0.1:${port%%:*}" --sink record:b.osi >/dev/null 2>&1 &
    until_true 20 cmp -s a.osi b.osi.part
    kill -INT $!
    until_true 20 cmp -s a.osi b.osi
    judge "zmq+push:// from $from to $to"
    wait "$sender" $!
}
sockets() {
    local port
    fresh
    "$native/bin/osiconvert" generate a.osi --frames 20 --objects 2 --reflections 20 --quiet
    stream "$bin" "$native/bin"
    stream "$native/bin" "$bin"
    stream "$bin" "$bin"

    "$native/bin/osiplay" 'tcp://127.0.0.1:0?listen' --sink null 2>said &
    until_true 20 grep -q 'waiting for messages' said
    port=$(grep -o '[0-9]*: waiting for messages' said)
    for sink in "tcp://127.0.0.1:${port%%:*}?listen" "zmq+push://127.0.0.1:${port%%:*}" "web://127.0.0.1:${port%%:*}"; do
        timeout 20 "$bin/osiplay" a.osi --sink "$sink" 2>refused >/dev/null
        [ $? = 1 ] && grep -q 'the port is already in use (Address already in use)' refused && [ "$(wc -l <refused)" = 1 ]
        judge "a port that is in use: $sink"
    done
    kill -TERM $!
    wait $! 2>/dev/null
}

checkout=$PWD
for part in "${parts[@]}"; do
    echo "== $part"
    cd "$checkout" && $part
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
