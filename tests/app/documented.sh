#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Every verb and every option that --help prints is in the man page and in both completions.
# usage: documented.sh PROGRAM SOURCE_FOLDER
set -uo pipefail

program=$1 name=$(basename "$1") missing=0
mapfile -t files < <(find "$2/gui" -name "$name.1" -o -name "$name.bash" -o -name "_$name")

# Is the word, as a whole, in the file? The man page writes a hyphen as \-.
check() {
    if ! grep -qE -- "(^|[^a-z-])$1($|[^a-z-])" <<<"$(sed 's/\\-/-/g' "$2")"; then
        echo "$2: $3$1 is missing"
        missing=1
    fi
}

[ "${#files[@]}" = 3 ] || { echo "$name has no man page and two completions"; exit 1; }
verbs=$("$program" --help | awk '/^COMMANDS/{inside = 1; next} /^$/{inside = 0} inside{print $1}')
for verb in "" $verbs; do  # without a verb: the options of the program itself
    # shellcheck disable=SC2086 # no word if there is no verb
    if ! help=$("$program" $verb --help); then help="OPTIONS
  --help"; fi  # a verb that was not built
    options=$(awk '/^OPTIONS/{inside = 1; next} /^$/{inside = 0} inside' <<<"$help" |
        grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
    [ -n "$options" ] || { echo "$name $verb --help lists no options"; exit 1; }
    for file in "${files[@]}"; do
        [ -z "$verb" ] || check "$verb" "$file" ""
        for option in $options; do check "$option" "$file" "$verb "; done
    done
done
exit $missing
