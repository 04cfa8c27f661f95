#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Tries what is in dist/ where nothing is: in fresh systems of Debian 12 and 13 without compilers, made by debootstrap. In
# each the wheel, the archive and the .deb packages generate, convert, check, replay into the dummy FMU, draw a picture, run a
# notebook cell and open a window. Needs root, debootstrap, and the registries.
# usage: packaging/try.sh [bookworm|trixie]... [wheel|archive|debs]...
# OSITRACE_TRY_FOLDER (default /var/tmp/ositrace-try) keeps the bases and the downloads; the systems are removed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${OSITRACE_TRY_FOLDER:-/var/tmp/ositrace-try}
suites='' kinds=''
for word in "$@"; do
    case $word in
        bookworm | trixie) suites="$suites $word" ;;
        wheel | archive | debs) kinds="$kinds $word" ;;
        *) echo "unknown '$word' (known: bookworm, trixie, wheel, archive, debs)" >&2; exit 2 ;;
    esac
done
suites=${suites:-bookworm trixie}
kinds=${kinds:-wheel archive debs}
mirror=${OSITRACE_DEBIAN_MIRROR:-}  # empty: the one of debootstrap
(cd dist && sha256sum --check --quiet SHA256SUMS)
mkdir -p "$folder"

real=$(ls ../shared/traces/*.osi ../shared/traces/*/*.osi 2>/dev/null | head -1 || true)
[ -n "$real" ] || echo "no real trace is here (../shared/traces): a generated one is shown"

leave() {
    # A program that has not ended yet may use them.
    for mounted in proc dev/pts dev; do
        umount "$system/$mounted" 2>/dev/null || umount --lazy "$system/$mounted" 2>/dev/null || true
    done
    # Never through a mount that is still there.
    if ! mountpoint -q "$system/dev" && ! mountpoint -q "$system/proc"; then rm -rf "$system"; fi
}

passed=0 failed=0
for suite in $suites; do
    base=$folder/$suite.tar.zst
    if [ ! -f "$base" ]; then
        debootstrap --variant=minbase "$suite" "$folder/$suite.new" ${mirror:+"$mirror"} >"$folder/$suite.log"
        tar -C "$folder/$suite.new" --zstd -cf "$base.new" . && mv "$base.new" "$base"
        rm -rf "$folder/$suite.new"
    fi
    for kind in $kinds; do
        system=$folder/$suite-$kind
        rm -rf "$system"
        mkdir -p "$system"
        tar -C "$system" --zstd -xf "$base"
        cp /etc/resolv.conf "$system/etc/resolv.conf"
        mkdir -p "$folder/apt-$suite/partial" "$system/try"
        cp -a "$folder/apt-$suite/." "$system/var/cache/apt/archives/"
        cp dist/* packaging/try_inside.sh packaging/window.sh "$system/try"
        [ -z "$real" ] || cp "$real" "$system/try/real.osi"
        # Where the registries are reached with a certificate authority of this machine's.
        mkdir -p "$system/usr/local/share/ca-certificates"
        cp /usr/local/share/ca-certificates/*.crt "$system/usr/local/share/ca-certificates" 2>/dev/null || true
        trap leave EXIT
        mount -t proc proc "$system/proc"
        mount --bind /dev "$system/dev"
        mount -t devpts devpts "$system/dev/pts" 2>/dev/null || true
        echo "== $suite: $kind"
        if chroot "$system" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            PIP_CERT=/etc/ssl/certs/ca-certificates.crt SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt PIP_DISABLE_PIP_VERSION_CHECK=1 \
            bash /try/try_inside.sh "$kind"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$suite: $kind: failed"
        fi
        mkdir -p "$folder/pictures"
        for picture in "$system"/try/*.png; do
            [ ! -f "$picture" ] || cp "$picture" "$folder/pictures/$suite-$kind-$(basename "$picture")"
        done
        cp -n "$system"/var/cache/apt/archives/*.deb "$folder/apt-$suite/" 2>/dev/null || true
        leave
        trap - EXIT
    done
done
echo "The pictures are in $folder/pictures."
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
