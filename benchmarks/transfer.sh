#!/usr/bin/env bash
# The log as a file and back: 'coworkflow log export' and 'log import', release build, own servers. The two logs must have the same hash.
#   BENCH_EVENTS=1000000    events in the log
#   BENCH_RUNS=3            repetitions
#   BENCH_BIN=PATH          a release binary that is there already
#   BENCH_OUT=DIR           where the lines are kept as well, in transfer.txt
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"
# shellcheck source=benchmarks/lib.sh
source "$ROOT/benchmarks/lib.sh"

EVENTS=${BENCH_EVENTS:-1000000}
REPEATS=${BENCH_RUNS:-3}
OUT=${BENCH_OUT:-$ROOT/.build/bench}
DIR=$(mktemp -d /tmp/coworkflow-transfer.XXXXXX)

stop() {
    local code=$?
    trap - EXIT
    "$ROOT/scripts/servers.sh" remove "$DIR/servers" >/dev/null 2>&1 || true
    rm -rf "$DIR"
    exit "$code"
}
trap stop EXIT INT TERM

take_binary coworkflow
mkdir -p "$OUT"
chmod 755 "$DIR"
need_disk "$DIR" $((2000 + EVENTS / 200))
COWORKFLOW_FIRST_PORT=${BENCH_FIRST_PORT:-28100} COWORKFLOW_RABBITMQ_MANAGEMENT=off "$ROOT/scripts/servers.sh" start "$DIR/servers"
eval "$("$ROOT/scripts/servers.sh" env "$DIR/servers")"
FULL=$COWORKFLOW_POSTGRES_URL

# timed NAME COMMAND…: events a second, and the most memory that the command had; what it says last is in $DIR/said.
timed() {
    local name=$1 started seconds
    shift
    started=$(now_ms)
    /usr/bin/python3 -c '
import resource, subprocess, sys
code = subprocess.call(sys.argv[2:], stderr=open(sys.argv[1], "w"))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
sys.exit(code)' "$DIR/said" "$@" >"$DIR/peak" || fail "$name: $(tail -n 1 "$DIR/said")"
    seconds=$(($(now_ms) - started))
    say "RESULT $name  events $EVENTS  seconds $((seconds / 1000)).$((seconds % 1000 / 100))  events_s $((EVENTS * 1000 / seconds))  peak $(cat "$DIR/peak") MiB" |
        tee -a "$OUT/transfer.txt"
}

# hash: what the command said last.
hash() { grep -o '[0-9a-f]\{64\}' "$DIR/said" | tail -n 1; }

"$BIN" migrate >/dev/null
say "Filling the log"
psql -q -v "events=$EVENTS" -f "$ROOT/benchmarks/history.sql" "$FULL" >/dev/null
EVENTS=$(psql -Atc 'select head from log.writer' "$FULL")
psql -qc 'vacuum analyze log.events' "$FULL"
for run in $(seq "$REPEATS"); do
    timed "export" "$BIN" log export "$DIR/log.jsonl"
    exported=$(hash)
    psql -q -c 'drop database if exists bench_import with (force)' -c 'create database bench_import' "$FULL" 2>/dev/null
    export COWORKFLOW_POSTGRES_URL=${FULL%/*}/bench_import
    "$BIN" migrate >/dev/null
    timed "import" "$BIN" log import "$DIR/log.jsonl"
    [[ $(hash) == "$exported" ]] || fail "the log that was imported has another hash than the one that was exported"
    export COWORKFLOW_POSTGRES_URL=$FULL
done
say "file: $(($(stat -c %s "$DIR/log.jsonl") / 1000000)) MB, hash $exported"
