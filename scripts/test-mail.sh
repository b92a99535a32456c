#!/usr/bin/env bash
# Mail and calendars as others read them: a real mail server takes what the program sends, and a calendar library reads it.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/servers.sh
source "$ROOT/scripts/lib/servers.sh"
# shellcheck source=scripts/lib/e2e.sh
source "$ROOT/scripts/lib/e2e.sh"

e2e_begin mail
e2e_drive mail.py "$COWORKFLOW_BIN" "$E2E_DIR"
