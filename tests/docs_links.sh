#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Every file that README.md, CONTRIBUTING.md and docs/ name in backticks or link to exists, and so does every linked
# heading.
# usage: docs_links.sh SOURCE
set -uo pipefail
cd "$1" || exit 1
missing=0
fail() { echo "$1"; missing=1; }

# The anchors of a page, as Markdown viewers derive them from its headings.
anchors() { sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'; }

for page in README.md CONTRIBUTING.md docs/*.md; do
    while read -r path; do
        [ -e "$path" ] || fail "$page: '$path' does not exist"
    done < <(grep -oE '`(formats|lib|app|gui|tests|samples|docs|cmake)/[A-Za-z0-9_./-]+`' "$page" | tr -d '`')
    while read -r link; do
        target=${link%%#*} anchor=
        [[ $link != *#* ]] || anchor=${link#*#}
        file=$page
        [ -z "$target" ] || file=$(dirname "$page")/$target
        if [ ! -e "$file" ]; then
            fail "$page: the link '$link' leads nowhere"
        elif [ -n "$anchor" ] && ! grep -qxF -- "$anchor" < <(anchors "$file"); then
            fail "$page: '$link' names no heading of $file"
        fi
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | grep -v '^https\?:')
done
exit $missing
