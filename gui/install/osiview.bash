# SPDX-License-Identifier: MPL-2.0
# bash completion for osiview

_osiview()
{
    local words prev=${COMP_WORDS[COMP_CWORD - 1]} cur=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    case $prev in
        --view) words="3d bird" ;;
        --type) words="sv svc gt hvd sd tc tcu tu mr su" ;;
        --theme) words="dark light" ;;
        --size) words="1280x800 1920x1080" ;;
        --fps) words="10 25 30 60" ;;
        --rate) words="0.1 0.5 1 2 5" ;;
        --time|--colour-by|--play-for|--max-message|--keep) return ;;
    esac
    if [ -z "$words" ] && [[ $cur == -* ]]; then
        words="--help --version --time --type --max-message --follow --keep --view --theme --layout --colour-by --screenshot --video --fps --rate --overwrite --window --size --benchmark --play-for"
    fi
    [ "$COMP_CWORD" = 1 ] && [[ $cur && help == "$cur"* ]] && words="help $(compgen -f -- "$cur" | tr '\n' ' ')"
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}

complete -o filenames -F _osiview osiview
