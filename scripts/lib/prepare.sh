# shellcheck shell=bash
# What must be there before anything is built: Swift, Debian packages, disk. Sourced after common.sh.

DEBIAN_PACKAGES=(libpq-dev librabbitmq-dev libcurl4-openssl-dev libssl-dev libqrencode-dev libpng-dev zbar-tools pkg-config postgresql rabbitmq-server openssl ca-certificates curl tzdata python3 python3-pip python3-aiosmtpd python3-icalendar)

# The packages of the list above that are not installed.
missing_packages() {
    local package
    for package in "${DEBIAN_PACKAGES[@]}"; do
        if [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then printf '%s\n' "$package"; fi
    done
}

need_swift() {
    command -v swift >/dev/null || fail "swift is not on PATH: install Swift 6.3 or later (https://www.swift.org/install/linux) and open a new shell"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [[ -n $version ]] || fail "swift --version does not work: run it by hand to see why, $(command -v swift)"
    if ((${version%.*} * 100 + ${version#*.} < 602)); then
        fail "this is Swift $version, 6.3 or later is needed: https://www.swift.org/install/linux"
    fi
}

need_packages() {
    command -v dpkg-query >/dev/null || fail "this needs Debian 12 or a relative of it (there is no dpkg-query here)"
    local missing
    missing=$(missing_packages | tr '\n' ' ')
    if [[ -z $missing ]]; then return; fi
    local install=$ROOT/scripts/install-packages.sh
    if ((EUID == 0)); then
        "$install"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n "$install"
    else
        fail "Debian packages are missing (${missing% }): as root run $install, then try again"
    fi
}

# Checks everything, in the order that wastes least of the reader's time. Leaves the checkout's .build usable.
prepare() {
    need_swift
    if [[ ! -w $ROOT ]] || [[ -e $ROOT/.build && ! -w $ROOT/.build ]]; then
        fail "$(id -un) cannot write in $ROOT: run as its owner, $(stat -c %U "$ROOT"), or make a checkout of your own"
    fi
    # A full debug build with tests takes about 3 GB.
    if [[ -d $ROOT/.build/checkouts ]]; then need_disk "$ROOT" 1500; else need_disk "$ROOT" 5000; fi
    need_packages
    mkdir -p "$ROOT/.build"
}
