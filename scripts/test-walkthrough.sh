#!/usr/bin/env bash
# The walk-through of README.md, word for word.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"
# shellcheck source=scripts/lib/e2e.sh
source "$ROOT/scripts/lib/e2e.sh"

e2e_begin walkthrough
e2e_drive walkthrough.py "$COWORKFLOW_BIN" "$E2E_DIR" "$ROOT/README.md"
