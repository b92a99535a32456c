#!/usr/bin/env bash
# make test: format, build, unit and integration tests, end-to-end scripts, on servers of its own that are gone afterwards.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/prepare.sh
source "$ROOT/scripts/lib/prepare.sh"
# shellcheck source=scripts/lib/build.sh
source "$ROOT/scripts/lib/build.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"

STATE=$ROOT/.build-test-servers
APP_MARK=COWORKFLOW_PRIVATE_APP=$STATE
TEST_LOG=$ROOT/.build/coworkflow-test.log
# A test that hangs must not hang whoever waits for the result.
TEST_SECONDS=${TEST_SECONDS:-1500}
# The tests kill processes, never the machine, and what a process wrote survives its death in the kernel's cache: fsync only
# guards against power cuts, and makes thousands of small commits slow. COWORKFLOW_POSTGRES_FSYNC=on make test switches it on.
export COWORKFLOW_POSTGRES_FSYNC=${COWORKFLOW_POSTGRES_FSYNC:-off}
# Test cases run side by side, each with a database and pools of its own.
export COWORKFLOW_POSTGRES_CONNECTIONS=300
# Tests look into queues and close connections through the management API.
export COWORKFLOW_RABBITMQ_MANAGEMENT=on
# Anywhere below the ports that outgoing connections take; random, so that two machines in one container do not meet.
COWORKFLOW_FIRST_PORT=$((20000 + RANDOM % 5000))
export COWORKFLOW_FIRST_PORT

STARTED=$(now_ms)
TEST_PID=
SERVERS_USED=
passed=0
failed=0
# A line for each failure, said again at the end: whoever reads only that must know what to look for.
failures=()

clean_up() {
    local code=$?
    # To the end, whatever happens: not even a reader of our output that is gone may interrupt it.
    trap '' INT TERM HUP PIPE
    trap - EXIT
    set +e
    stop_build
    if [[ -n $TEST_PID ]]; then end_session "$TEST_PID" 3; fi
    # shellcheck disable=SC2046 # a list of numbers
    signal_all KILL $(marked_pids "$APP_MARK")
    if [[ -n $SERVERS_USED ]]; then remove_servers; fi
    if ((code != 0 && failed == 0)); then failed=1; fi
    if ((code == 130)); then say "Interrupted."; fi
    if ((${#failures[@]} > 0)); then printf 'make test: failed: %s\n' "${failures[@]}"; fi
    printf 'make test: %d passed, %d failed (%d min %d s)\n' "$passed" "$failed" \
        "$((($(now_ms) - STARTED) / 60000))" "$((($(now_ms) - STARTED) / 1000 % 60))"
    exit "$code"
}

# run SECONDS COMMAND…: in a session of its own, with the mark by which leftovers are found. Output goes to the log, and from
# there to the reader, who is spared the announcements of tests.
run() {
    local code=0 reader
    : >"$TEST_LOG"
    spawn env "$APP_MARK" timeout --foreground --kill-after=10 "$@" >>"$TEST_LOG" 2>&1
    TEST_PID=$SPAWNED
    (
        close_lock
        tail -n +1 -f -s 0.2 --pid="$TEST_PID" "$TEST_LOG" | grep --line-buffered -avE '^[^[:alnum:]]*Test .* started\.$'
    ) &
    reader=$!
    wait "$TEST_PID" || code=$?
    wait "$reader" || true
    end_session "$TEST_PID" 3
    TEST_PID=
    if ((code == 124 || code == 137)); then
        say "Still running after $1 s, and stopped: ${*:2}. What it did last:"
        tail -n 15 "$TEST_LOG"
        failures+=("${*:2}: still running after $1 s")
    fi
    return "$code"
}

# Counts Swift Testing's verdicts on single tests; the summaries of suites and of the run are not tests.
count_tests() {
    grep -aE "^[^[:alnum:]]*Test .* $1 after [0-9.]+ seconds" "$TEST_LOG" | grep -avcE '^[^[:alnum:]]*Test run with ' || true
}

# note_failures NAME: the issues that tests recorded in the last run; where there is none, it was no check that failed.
note_failures() {
    local issues
    mapfile -t issues < <(grep -aE '^[^[:alnum:]]*Test .* recorded an issue' "$TEST_LOG" | cut -c 1-300 | head -n 10)
    if ((${#issues[@]} == 0)); then mapfile -t issues < <(tail -n 3 "$TEST_LOG" | cut -c 1-300); fi
    failures+=("${issues[@]/#/$1: }")
}

own_folder "$STATE"
if ! lock "$STATE/run.lock"; then fail "the tests of this checkout run already (process $HOLDER): wait for them, or 'make stop'"; fi
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
# What a killed run left.
# shellcheck disable=SC2046 # a list of numbers
signal_all KILL $(marked_pids "$APP_MARK")
prepare
cd "$ROOT"

say "Checking the format…"
if swift format lint --strict --recursive --parallel Sources Tests benchmarks Package.swift; then
    passed=$((passed + 1))
else
    say "The format is not right: 'make format' sets it"
    failures+=("the format of the sources")
    failed=$((failed + 1))
fi

build "Building with tests (debug)" --build-tests
APP=$ROOT/.build/debug/coworkflow

say "Starting Postgres and RabbitMQ…"
# The same of servers, data included.
if [[ -s $STATE/servers.env ]]; then
    use_servers "$STATE"
    remove_servers
fi
use_servers "$STATE"
SERVERS_USED=yes
need_disk "$DATA_ROOT" 1000
start_servers
eval "$(servers_environment)"
# Tests reach servers by these names and no others.
unset COWORKFLOW_POSTGRES_URL COWORKFLOW_AMQP_URL
export COWORKFLOW_BIN=$APP COWORKFLOW_SERVERS_DIR=$STATE

# A target at a time: hundreds of tests at once on two cores would wait for each other, not for what they test.
for folder in Tests/*/; do
    target=$(basename "$folder")
    # What tests use is no test.
    if [[ -z $(find "$folder" -name '*Tests.swift' -print -quit) ]]; then continue; fi
    say "Running the tests of $target"
    if run "$TEST_SECONDS" swift test --skip-build --filter "^${target}Tests\."; then
        count=$(count_tests passed)
        passed=$((passed + count))
        if ((count == 0)); then
            say "no test of $target ran"
            failures+=("$target: no test ran")
            failed=$((failed + 1))
        fi
    else
        passed=$((passed + $(count_tests passed)))
        count=$(count_tests failed)
        # A crash names no test.
        failed=$((failed + (count > 0 ? count : 1)))
        note_failures "$target"
    fi
done
for script in scripts/test-*.sh; do
    if [[ ! -f $script ]]; then continue; fi
    say "Running $script"
    if run "$TEST_SECONDS" bash "$script"; then
        passed=$((passed + 1))
    else
        say "$script failed"
        note_failures "$script"
        failed=$((failed + 1))
    fi
done
if ((failed > 0)); then exit 1; fi
