# shellcheck shell=bash
# Runs swift build with visible progress and few lines. Sourced after common.sh.

BUILD_LOG=$ROOT/.build/coworkflow-build.log
BUILD_PID=

# build LABEL ARGUMENT…: swift build with these arguments; fails with the compiler's words.
build() {
    local label=$1 columns started shown=0 line last=
    shift
    columns=$(tput cols 2>/dev/null || echo 80)
    started=$(now_ms)
    local note=
    if [[ ! -d $ROOT/.build/checkouts ]]; then note=" (the first time takes about ten minutes on two cores)"; fi
    say "$label…$note"
    # shellcheck disable=SC2016 # the inner shell expands them
    spawn bash -c 'cd "$1" && exec swift build "${@:3}" >"$2" 2>&1' build "$ROOT" "$BUILD_LOG" "$@"
    BUILD_PID=$SPAWNED
    while kill -0 "$BUILD_PID" 2>/dev/null; do
        sleep 0.5
        line=$(tail -c 2000 "$BUILD_LOG" 2>/dev/null | grep -aoE '^(\[[0-9]+/[0-9]+\] .*|Fetching .*|Another instance .*)' | tail -n 1) || true
        if [[ -z $line || $line == "$last" ]]; then continue; fi
        if [[ -t 1 ]]; then
            printf '\r\033[K  %.*s' "$((columns - 4))" "$line"
            last=$line
        elif (($(now_ms) - shown >= 15000)); then
            # Not a terminal: a line every now and then shows that it lives.
            if ((shown > 0)); then say "  $line"; fi
            shown=$(now_ms)
            last=$line
        fi
    done
    if [[ -t 1 ]]; then printf '\r\033[K'; fi
    local code=0
    wait "$BUILD_PID" || code=$?
    BUILD_PID=
    if ((code != 0)); then
        grep -avE '^(\[[0-9]+/[0-9]+\] |Fetch|Comput|Creating |Working |Updat|Building for |Planning |$)' "$BUILD_LOG" | tail -n 60 >&2
        if grep -aqs 'No space left on device' "$BUILD_LOG"; then fail "the disk is full: free some space and run again"; fi
        fail "the build failed, the reason is above; the whole output is in $BUILD_LOG"
    fi
    printf 'Built in %d s\n' "$((($(now_ms) - started) / 1000))"
}

# For the clean-up of whoever called build and was interrupted.
stop_build() {
    if [[ -z $BUILD_PID ]]; then return; fi
    if [[ -t 1 ]]; then say; fi
    say "Stopping the build…"
    end_session "$BUILD_PID" 3
}
