#!/usr/bin/env bash
# Memory of each idle role, each a process of its own: the whole stack on this machine, release build, own servers.
#   BENCH_IDLE=30      seconds between the last role's start and the look
#   BENCH_REPLICAS=1   processes of each service
#   BENCH_BIN=PATH     a release binary that is there already
#   BENCH_OUT=DIR      where the lines are kept as well, in memory.txt
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"
# shellcheck source=benchmarks/lib.sh
source "$ROOT/benchmarks/lib.sh"

IDLE=${BENCH_IDLE:-30}
REPLICAS=${BENCH_REPLICAS:-1}
PORT=${BENCH_PORT:-28000}
OUT=${BENCH_OUT:-$ROOT/.build/bench}
DIR=$(mktemp -d /tmp/coworkflow-memory.XXXXXX)
SERVICES=(usuarios espacos reservas pagamentos precos checkin notificacoes financeiro analytics)
declare -A PIDS=()

stop() {
    local code=$?
    trap - EXIT
    signal_all TERM "${PIDS[@]}"
    wait
    "$ROOT/scripts/servers.sh" remove "$DIR/servers" >/dev/null 2>&1 || true
    rm -rf "$DIR"
    exit "$code"
}
trap stop EXIT INT TERM

take_binary coworkflow
mkdir -p "$OUT"
chmod 755 "$DIR"
COWORKFLOW_FIRST_PORT=${BENCH_FIRST_PORT:-28100} COWORKFLOW_RABBITMQ_MANAGEMENT=off COWORKFLOW_POSTGRES_CONNECTIONS=300 \
    "$ROOT/scripts/servers.sh" start "$DIR/servers"
eval "$("$ROOT/scripts/servers.sh" env "$DIR/servers")"
export COWORKFLOW_ENVIRONMENT=development COWORKFLOW_DATA_DIR=$DIR COWORKFLOW_SANDBOX_PORT=$((PORT + 10))

# start NAME REPLICA ARGUMENT…
start() {
    COWORKFLOW_PORT=$((PORT + 16 * $2)) COWORKFLOW_SERVICE_PORT_BASE=$((PORT + 16 * $2)) "$BIN" "${@:3}" >>"$DIR/app.log" 2>&1 &
    PIDS[$1 $2]=$!
}

# report NAME REPLICA: MiB resident, shared out among those who share it, and its own.
report() {
    [[ -e /proc/${PIDS[$1 $2]}/smaps_rollup ]] || { cat "$DIR/app.log" >&2; fail "$1 ended; its last words are above"; }
    awk -v name="$1" -v threads="$(find "/proc/${PIDS[$1 $2]}/task" -mindepth 1 -maxdepth 1 | wc -l)" '
        { size[$1] += $2 }
        END {
            printf "RESULT %-14s rss %5.1f MiB  pss %5.1f MiB  private %5.1f MiB  threads %d\n", name,
                size["Rss:"] / 1024, size["Pss:"] / 1024, (size["Private_Clean:"] + size["Private_Dirty:"]) / 1024, threads
        }' "/proc/${PIDS[$1 $2]}/smaps_rollup" | tee -a "$OUT/memory.txt"
}

"$BIN" migrate >/dev/null
# The first one makes the keys of development, which the others read.
start event-store 0 event-store
wait_until 30 test -s "$DIR/keys.json" || fail "the recorder does not start: $(cat "$DIR/app.log")"
for ((replica = 0; replica < REPLICAS; replica++)); do
    for service in "${SERVICES[@]}"; do start "$service" "$replica" serve "$service"; done
done
start projections 0 projections
start sandbox-psp 0 sandbox-psp
start gateway 0 gateway
wait_until 60 curl --fail --silent --output /dev/null "http://127.0.0.1:$PORT/ready" || fail "the gateway is not ready: $(cat "$DIR/app.log")"
sleep "$IDLE"
for ((replica = 0; replica < REPLICAS; replica++)); do
    for service in "${SERVICES[@]}"; do report "$service" "$replica"; done
done
for role in event-store projections gateway sandbox-psp; do report "$role" 0; done
