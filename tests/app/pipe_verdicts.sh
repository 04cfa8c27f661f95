#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Every verb gives the same verdict on an input whether it comes as a file or through a pipe.
# usage: pipe_verdicts.sh OSICONVERT BROKEN [STRIDE]     takes one of STRIDE inputs
#
# Inputs: those of the folder BROKEN, and traces that are damaged here. The same: exit code, findings, frames of the
# output, messages. What differs because a pipe cannot seek (docs/recover.md):
# - names and sizes of files; warnings that the summary is not used, which a pipe never uses;
# - how much of a record with a hostile length is left, because the end of a pipe is unknown;
# - stats and cat read a file by its index, so the text of an error may name the index; its place is the same;
# - cat names the channel in each line, because a pipe may declare others later;
# - if no declaration of a channel is left but that in the summary;
# - recover believes the extension of a file that begins as text.
set -uo pipefail

program=$1 broken=$2 stride=${3:-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit
export LC_ALL=C XDG_CACHE_HOME=$scratch/cache
failed=0 compared=0

# Bytes of an input replaced from an offset on.
damage() {
    cp "$1" "$2"
    printf '%b' "$4" | dd of="$2" bs=1 seek="$3" conv=notrunc status=none
}

make_inputs() {
    mkdir inputs
    "$program" generate trace.osi --type gt --frames 6 --objects 2 --quiet
    "$program" convert trace.osi -o lz4.mcap --chunk-size 20K --quiet
    "$program" convert trace.osi -o plain.mcap --compression none --chunk-size 20K --quiet
    "$program" convert trace.osi -o trace.osifb --quiet
    local file size offset ones='\xff\xff\xff\xff\xff\xff\xff\xff'
    for file in trace.osi trace.osifb lz4.mcap plain.mcap; do
        cp "$file" "inputs/whole_$file"
        size=$(stat -c %s "$file")
        for eighth in 3 5 7; do
            offset=$((size * eighth / 8))
            head -c "$offset" "$file" >"inputs/cut_${eighth}_$file"
            damage "$file" "inputs/ones_${eighth}_$file" "$offset" "$ones$ones"
            damage "$file" "inputs/zeros_${eighth}_$file" "$offset" "$(printf '\\0%.0s' {1..400})"
            { head -c "$offset" "$file"; tail -c +$((offset + 778)) "$file"; } >"inputs/missing_${eighth}_$file"
        done
        { cat "$file"; head -c 4096 /dev/zero; } >"inputs/tail_$file"
    done
    # The lengths of the second Chunk and of the DataEnd record.
    local second data_end chunks=0 opcode=0 length
    for ((offset = 8; opcode != 15; offset += 9 + length)); do
        opcode=$(od -An -tu1 -j "$offset" -N 1 plain.mcap)
        length=$(od -An -tu8 -j $((offset + 1)) -N 8 plain.mcap)
        data_end=$offset
        if ((opcode == 6 && ++chunks == 2)); then second=$offset; fi
    done
    for offset in "$second" "$data_end"; do
        for length in '\0\0\0\0\0\1\0\0' '\xff\xff\xff\xff\xff\xff\xff\x7f' "$ones" '\0\0\0\0\0\0\0\0'; do
            damage plain.mcap "inputs/length_$((++n))_plain.mcap" $((offset + 1)) "$length"
        done
    done
    damage plain.mcap inputs/library_plain.mcap 26 X  # only the checksum of the data section shows it
    cp "$broken"/*.osi "$broken"/*.osifb "$broken"/*.mcap inputs
}

# What a verb prints, without what differs by nature.
without_names() {
    sed -e "s#$1#INPUT#g; s#standard input#INPUT#g; s#\"-\"#\"INPUT\"#g" -e '/osiconvert: try /d' -e '/^$/d' \
        -e 's/^      "bytes": .*/SIZE/' -e '/the summary cannot be used/d' \
        -e 's/: the file ends in a record Chunk: it announces .*/: LENGTH/' \
        -e 's/: a Chunk record of .* bytes exceeds the limit of .*/: LENGTH/' \
        -e 's/the file ends in a record Chunk: it announces .*"/LENGTH"/' \
        -e 's/a Chunk record of .* bytes exceeds the limit of .*"/LENGTH"/'
}

places_only() { sed -E 's/(INPUT: (frame [0-9]+ )?(at )?byte [0-9]+): .*/\1/'; }

# The verdict of a verb on `$2`: a name, or - with the contents on standard input. `$3`: the name to be removed.
verdict() {
    local verb=$1 input=$2 name=$3
    rm -f out.mcap
    case $verb in
    check) "$program" check "$input" --json --disable file_name.convention --disable file_name.extension ;;
    info) "$program" info "$input" --json ;;
    stats) "$program" stats "$input" --json ;;
    cat) "$program" cat "$input" | wc -l ;;
    *) "$program" "$verb" "$input" -o out.mcap --quiet ;;
    esac >printed 2>reported
    echo "exit ${PIPESTATUS[0]}"
    case $verb in
    stats | cat) without_names "$name" <printed | places_only; without_names "$name" <reported | places_only ;;
    *) without_names "$name" <printed; without_names "$name" <reported ;;
    esac
    if [ -f out.mcap ]; then "$program" cat out.mcap 2>/dev/null | md5sum; fi
}

n=0
make_inputs
number=0
for input in inputs/*; do
    if ((number++ % stride != 0)); then continue; fi
    for verb in check info stats cat convert recover; do
        if [ "$verb $input" = "recover inputs/text.osi" ]; then continue; fi
        verdict "$verb" "$input" "$input" >of_file
        verdict "$verb" - @ <"$input" >of_pipe
        compared=$((compared + 1))
        if ! diff of_file of_pipe >differences; then
            echo "$verb $input: file and pipe differ"
            head -6 differences
            failed=$((failed + 1))
        fi
    done
done
echo "$compared verdicts compared, $failed differ"
[ "$failed" -eq 0 ]
