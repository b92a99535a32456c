#!/usr/bin/env bash
# The engine alone, beside other stores if their scripts are given: appends through the broker, ordered reads, live read models, rebuilds.
# Own servers, release build. Every line of result is kept in $BENCH_OUT/engine.txt.
#   BENCH_SECONDS=10        a measurement
#   BENCH_RUNS=3            repetitions of each row; rows and peers take turns, so that they share the hour
#   BENCH_EVENTS=1000000    events in the log for reads and rebuilds
#   BENCH_PEERS=DIR         a folder of scripts that measure other stores (its ./run.sh SECTION), with BENCH_PEERS_VENV
#   BENCH_PEER_EVENTS=200000   events in the reads of other stores
#   BENCH_BIN=PATH          a release EngineBench that is there already
#   BENCH_PARTS="append read follow rebuild grown"   only these
#   BENCH_GROWN="0 1000000 10000000"   how long the logs of "grown" are
#   BENCH_GROWN_RUNS=3      repetitions there
#   BENCH_SLOW_SYNC_US=1000  how much longer than it does the disk takes for every fdatasync, of other stores too
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"
# shellcheck source=benchmarks/lib.sh
source "$ROOT/benchmarks/lib.sh"

SECONDS_EACH=${BENCH_SECONDS:-10}
REPEATS=${BENCH_RUNS:-3}
EVENTS=${BENCH_EVENTS:-1000000}
PARTS=" ${BENCH_PARTS:-append read follow rebuild grown} "
OUT=${BENCH_OUT:-$ROOT/.build/bench}
DIR=$(mktemp -d /tmp/coworkflow-engine.XXXXXX)

stop() {
    local code=$?
    trap - EXIT
    "$ROOT/scripts/servers.sh" remove "$DIR/servers" >/dev/null 2>&1 || true
    rm -rf "$DIR"
    exit "$code"
}
trap stop EXIT INT TERM

take_binary EngineBench
mkdir -p "$OUT"
chmod 755 "$DIR"
if ((${BENCH_SLOW_SYNC_US:-0} > 0)); then
    cc -shared -fPIC -O2 -o "$DIR/slow_sync.so" "$ROOT/benchmarks/slow_sync.c"
    export LD_PRELOAD=$DIR/slow_sync.so SLOW_SYNC_US=$BENCH_SLOW_SYNC_US
fi
COWORKFLOW_FIRST_PORT=${BENCH_FIRST_PORT:-28100} COWORKFLOW_RABBITMQ_MANAGEMENT=off COWORKFLOW_POSTGRES_CONNECTIONS=100 \
    "$ROOT/scripts/servers.sh" start "$DIR/servers"
eval "$("$ROOT/scripts/servers.sh" env "$DIR/servers")"

ours() { "$BIN" "$@" | tee -a "$OUT/engine.txt"; }

# The peers' scripts want these servers in their own words.
url=${COWORKFLOW_POSTGRES_URL#postgresql://}
login=${url%%@*} place=${url#*@}
address=${place%%/*}
export PGUSER=${login%%:*} PGPASSWORD=${login#*:} PGHOST=${address%%:*} PGPORT=${address##*:} AMQP_URL=$COWORKFLOW_AMQP_URL
export BENCH_SECONDS=$SECONDS_EACH RUNS=1 READ_EVENTS=${BENCH_PEER_EVENTS:-200000} COPY_EVENTS=$EVENTS UMADB_PORT=28110
# What a load leaves to be done is done: the planner has its samples, somebody has read the events, as read models do at once, and the disk
# has what Postgres wrote. Autovacuum does no more either: it leaves events and commands alone (migration 0016).
settle() {
    psql -qd "${BENCH_DATABASE:-enginebench}" -c analyze -c 'select count(hash) from log.events' -c checkpoint >"$DIR/settled"
    sync
}

peers() { # SECTION CASES
    [[ -n ${BENCH_PEERS:-} ]] || return 0
    OUT=$DIR/peers PEERS_VENV=${BENCH_PEERS_VENV:-} ONLY=$2 "$BENCH_PEERS/run.sh" "$1" 2>&1 | grep -v '^==' | tee -a "$OUT/engine.txt"
}

for run in $(seq "$REPEATS"); do
    say "Run $run"
    if [[ $PARTS == *" append "* ]]; then
        peers physical insert1
        ours append --name "append 1, 64 in flight" --seconds "$SECONDS_EACH"
        peers umadb "append 1"
        peers eventsourcing "append 1/tx"
        ours append --name "append 1, idle" --clients 1 --in-flight 1 --seconds "$SECONDS_EACH"
        peers broker RPC
        ours append --name "append 100" --clients 2 --in-flight 8 --batch 100 --seconds "$SECONDS_EACH"
        peers eventsourcing "append 100/tx"
    fi
    if [[ $PARTS == *" append "* || $PARTS == *" read "* || $PARTS == *" rebuild "* ]]; then peers physical copy; fi
    if [[ $PARTS == *" read "* || $PARTS == *" rebuild "* || $PARTS == *" follow "* ]]; then
        ours generate --events "$EVENTS"
        settle
    fi
    if [[ $PARTS == *" read "* ]]; then
        ours read
        ours read --decoded
        peers umadb read
        peers eventsourcing read
    fi
    if [[ $PARTS == *" rebuild "* ]]; then ours rebuild analytics; fi
    if [[ $PARTS == *" follow "* ]]; then
        ours follow catch-up --model analytics
        ours follow live --model analytics
        ours follow latency --model analytics --seconds "$SECONDS_EACH"
        peers eventsourcing projection
    fi
done
if [[ $PARTS == *" grown "* ]]; then
    # A database a size, and the sizes take turns, so that whatever else happens to the machine happens to each.
    read -ra sizes <<<"${BENCH_GROWN:-0 1000000 10000000}"
    say "Logs that have grown: ${sizes[*]} events"
    for size in "${sizes[@]}"; do
        export BENCH_DATABASE=enginebench_$size
        if ((size == 0)); then "$BIN" prepare; else ours generate --events "$size"; fi
        settle
    done
    for run in $(seq "${BENCH_GROWN_RUNS:-$REPEATS}"); do
        peers physical insert1
        for size in "${sizes[@]}"; do
            BENCH_DATABASE=enginebench_$size ours append --keep --name "append 1, $size events there" --seconds "$SECONDS_EACH"
        done
    done
    if [[ $PARTS == *" rebuild "* ]]; then BENCH_DATABASE=enginebench_${sizes[-1]} ours rebuild analytics; fi
fi
