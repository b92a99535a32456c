#!/usr/bin/env bash
# The program starts, finds its data again, stops in time and leaves nothing behind; wrong settings are said in one line.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"
# shellcheck source=scripts/lib/e2e.sh
source "$ROOT/scripts/lib/e2e.sh"

e2e_begin run
e2e_drive run_cases.py "$COWORKFLOW_BIN" "$E2E_DIR"
