#!/usr/bin/env bash
# Each service alone, and every role a process of its own: one of each, then two of each, with the same results.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"
# shellcheck source=scripts/lib/e2e.sh
source "$ROOT/scripts/lib/e2e.sh"

e2e_begin replicas
# Time goes by months here: the processes' clock is set by the test.
compiler=$(command -v cc || command -v clang) || fail "there is no C compiler: apt-get install gcc"
"$compiler" -shared -fPIC -O2 -Wall -Wextra -Werror -o "$E2E_DIR/clock.so" "$ROOT/scripts/e2e/clock.c"
e2e_drive replicas.py "$COWORKFLOW_BIN" "$E2E_DIR" "$E2E_DIR/clock.so"
