# shellcheck shell=bash
# shellcheck disable=SC2034 # the variables are for whoever sources this
# What the benchmarks share. Sourced after common.sh.

# take_binary PRODUCT: what is measured, in BIN: the one that BENCH_BIN names, or else a release build.
take_binary() {
    BIN=${BENCH_BIN:-}
    if [[ -z $BIN ]]; then
        (cd "$ROOT" && swift build "${RELEASE_BUILD[@]}" --product "$1")
        BIN=$ROOT/.build/release/$1
    fi
    if grep -qs COWORKFLOW_FAULT_POINTS "$BIN"; then fail "$BIN is a test build, with fault points in it: measure a release build"; fi
}
