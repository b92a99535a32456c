#!/usr/bin/env bash
# make stop: ends a running `make run` of this checkout, and whatever a killed one left.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"

# end_run FOLDER LOCK: TERM to the holder of the lock, which stops what it started; then the lock is ours.
end_run() {
    if lock "$1/$2"; then return; fi
    signal_all TERM "$HOLDER"
    wait_until 15 lock "$1/$2" || fail "process $HOLDER does not end: kill -9 $HOLDER, then 'make stop' again"
}

nothing_marked() {
    [[ -z $(marked_pids "COWORKFLOW_PRIVATE_APP=$1") ]]
}

for folder in "$ROOT/.coworkflow" "$ROOT/.build-test-servers"; do
    if [[ ! -d $folder ]]; then continue; fi
    own_folder "$folder"
    end_run "$folder" run.lock
    # shellcheck disable=SC2046 # lists of numbers
    signal_all TERM $(marked_pids "COWORKFLOW_PRIVATE_APP=$folder")
    # shellcheck disable=SC2046
    wait_until 5 nothing_marked "$folder" || signal_all KILL $(marked_pids "COWORKFLOW_PRIVATE_APP=$folder")
    if [[ -s $folder/servers.env ]]; then
        use_servers "$folder"
        if [[ $folder == *-test-servers ]]; then remove_servers; else stop_servers; fi
    fi
    close_lock
done
say "Nothing of this checkout runs any more."
