#!/usr/bin/env bash
# Bookings and reads a second through the gateway: the whole stack on this machine, release build, own servers.
# BENCH_SECONDS a case (15), BENCH_CONNECTIONS (32), BENCH_RUNS (3), BENCH_BIN a release binary that is there already, SPLIT=1.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"
# shellcheck source=benchmarks/lib.sh
source "$ROOT/benchmarks/lib.sh"

SECONDS_EACH=${BENCH_SECONDS:-15}
CONNECTIONS=${BENCH_CONNECTIONS:-32}
RUNS=${BENCH_RUNS:-3}
PORT=${BENCH_PORT:-28000}
BASE=http://127.0.0.1:$PORT
DIR=$(mktemp -d /tmp/coworkflow-bench.XXXXXX)
APP=

stop() {
    local code=$?
    trap - EXIT
    if [[ -n $APP ]]; then
        kill -TERM "$APP" 2>/dev/null || true
        wait "$APP" 2>/dev/null || true
    fi
    "$ROOT/scripts/servers.sh" remove "$DIR/servers" >/dev/null 2>&1 || true
    rm -rf "$DIR"
    exit "$code"
}
trap stop EXIT INT TERM

command -v wrk >/dev/null || fail "wrk is missing: apt-get install wrk"
take_binary coworkflow
chmod 755 "$DIR"
COWORKFLOW_FIRST_PORT=${BENCH_FIRST_PORT:-28100} COWORKFLOW_RABBITMQ_MANAGEMENT=off "$ROOT/scripts/servers.sh" start "$DIR/servers"
eval "$("$ROOT/scripts/servers.sh" env "$DIR/servers")"
export COWORKFLOW_DEMO_DAYS=0 COWORKFLOW_DATA_DIR=$DIR COWORKFLOW_PORT=$PORT COWORKFLOW_SERVICE_PORT_BASE=${BENCH_SERVICE_BASE:-28010}
arguments=(dev)
if [[ ${SPLIT:-0} == 1 ]]; then arguments+=(--split); fi
"$BIN" "${arguments[@]}" >"$DIR/app.log" 2>&1 &
APP=$!
for _ in $(seq 600); do
    if grep -q 'CoworkFlow runs' "$DIR/app.log"; then break; fi
    kill -0 "$APP" 2>/dev/null || { cat "$DIR/app.log" >&2; fail "the application ended; its last words are above"; }
    sleep 0.1
done

measure() { # CASE MODE PATH CONNECTIONS
    CASE=$1 MODE=$2 wrk -t2 -c"$4" -d"${SECONDS_EACH}s" --latency -s "$ROOT/benchmarks/load.lua" "$BASE$3" | grep RESULT
}

for run in $(seq "$RUNS"); do
    say "Run $run"
    eval "$(python3 "$ROOT/benchmarks/prepare.py" "$BASE" 50)"
    measure "book, 2 connections" book /reservations 2
    eval "$(python3 "$ROOT/benchmarks/prepare.py" "$BASE" 50)"
    measure "book, $CONNECTIONS connections" book /reservations "$CONNECTIONS"
    measure "read own bookings" read '/reservations?limit=20' "$CONNECTIONS"
    measure "read one space" read "/spaces/${SPACES%%,*}" "$CONNECTIONS"
    # shellcheck disable=SC2009
    ps -o rss=,args= -p "$APP" | awk '{printf "RSS %d MiB\n", $1 / 1024}'
done
eval "$("$ROOT/scripts/servers.sh" env "$DIR/servers")"
say "events: $(psql "$COWORKFLOW_POSTGRES_URL" -Atc 'select head from log.writer')"
