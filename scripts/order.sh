#!/usr/bin/env bash
# make order: which functions each role runs while it starts and while it idles, one a line, for the linker of release builds
# (Package.swift): laid side by side they are a twentieth of the program, and what a process touches of its file stays in its memory.
# Lines that name no function of a later build do no harm; new functions lie elsewhere until this is run again. Takes a quarter of an hour.
#   ORDER_BIN=PATH     a release binary that is there already
#   ORDER_WATCH=40     seconds each role is watched once it answers
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
BENCH_BIN=${ORDER_BIN:-}
# shellcheck source=benchmarks/lib.sh
source "$ROOT/benchmarks/lib.sh"

WATCH=${ORDER_WATCH:-40}
PORT=28200
ORDER=$ROOT/scripts/lib/startup-order.txt
DIR=$(mktemp -d /tmp/coworkflow-order.XXXXXX)
SERVICES=(usuarios espacos reservas pagamentos precos checkin notificacoes financeiro analytics)
PIDS=()

stop() {
    local code=$?
    trap - EXIT
    signal_all KILL "${PIDS[@]}"
    wait
    "$ROOT/scripts/servers.sh" remove "$DIR/servers" >/dev/null 2>&1 || true
    rm -rf "$DIR"
    exit "$code"
}
trap stop EXIT INT TERM

for tool in valgrind callgrind_control nm strip curl; do
    command -v "$tool" >/dev/null || fail "$tool is not there: apt-get install valgrind binutils"
done
take_binary coworkflow
chmod 755 "$DIR"
# valgrind does not understand what Swift says for debuggers; the names of functions are enough.
strip --strip-debug "$BIN" -o "$DIR/coworkflow"
nm "$DIR/coworkflow" | awk '$2 ~ /^[tTwW]$/ { print $3 }' | LC_ALL=C sort -u >"$DIR/functions"

COWORKFLOW_FIRST_PORT=28300 COWORKFLOW_RABBITMQ_MANAGEMENT=off COWORKFLOW_POSTGRES_CONNECTIONS=300 \
    "$ROOT/scripts/servers.sh" start "$DIR/servers"
eval "$("$ROOT/scripts/servers.sh" env "$DIR/servers")"
export COWORKFLOW_ENVIRONMENT=development COWORKFLOW_DATA_DIR=$DIR COWORKFLOW_PORT=$PORT COWORKFLOW_SERVICE_PORT_BASE=$PORT
export COWORKFLOW_SANDBOX_PORT=$((PORT + 10))
"$BIN" migrate >/dev/null

# watch PORT ARGUMENT…: runs a role as callgrind sees it, and leaves what it ran in $DIR/ran. Where it has a port, it is asked how it is
# all the while, as a load balancer asks; what has none is given the time to start.
watch() {
    local port=$1 pid
    shift
    say "Watching $*"
    rm -f "$DIR"/calls*
    valgrind --tool=callgrind --demangle=no --callgrind-out-file="$DIR/calls" "$DIR/coworkflow" "$@" >"$DIR/app.log" 2>&1 &
    pid=$!
    PIDS+=("$pid")
    if ((port > 0)); then
        wait_until 240 ask "$port" health || fail "$* does not answer: $(tail -n 3 "$DIR/app.log")"
    else
        sleep 60
    fi
    for ((second = 0; second < WATCH; second++)); do
        if ((port > 0)); then ask "$port" ready || true; fi
        sleep 1
    done
    callgrind_control --dump "$pid" >/dev/null 2>&1 || fail "$* ended: $(tail -n 3 "$DIR/app.log")"
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null || true
    # Where a name comes first it is written out.
    cat "$DIR"/calls* | sed -nE "s/^c?fn=\([0-9]+\) ([^']+).*/\1/p" >>"$DIR/ran"
}

ask() { # PORT PATH
    curl --fail --silent --output /dev/null --max-time 20 "http://127.0.0.1:$1/$2"
}

# It makes the keys of development, which the others read.
watch 0 event-store
"$BIN" event-store >"$DIR/recorder.log" 2>&1 &
PIDS+=($!)
watch 0 projections
for number in "${!SERVICES[@]}"; do watch $((PORT + number + 1)) serve "${SERVICES[number]}"; done
watch "$PORT" gateway
LC_ALL=C sort -u "$DIR/ran" | LC_ALL=C comm -12 - "$DIR/functions" >"$ORDER"
say "$(wc -l <"$ORDER") functions are in $ORDER"
