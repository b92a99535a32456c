# shellcheck shell=bash
# Gets the page that shows the API's contract at /docs. Sourced after common.sh.

SWAGGER_SECONDS=60

# get_swagger DIR: leaves the page's files in DIR, fetched once for each version that scripts/swagger-ui.txt names. False, after
# one line that says so, where they cannot be had: everything but /docs works without them.
get_swagger() {
    local directory=$1 wanted=$ROOT/scripts/swagger-ui.txt
    if cmp -s "$wanted" "$directory/version.txt"; then return; fi
    rm -rf "$directory" "$directory.new"
    mkdir "$directory.new"
    if timeout --foreground "$SWAGGER_SECONDS" python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --require-hashes --requirement "$wanted" --timeout 10 --retries 1 --dest "$directory.new" >"$directory.log" 2>&1 &&
        unpack_swagger "$directory.new" >>"$directory.log" 2>&1 && cp "$wanted" "$directory.new/version.txt"; then
        mv "$directory.new" "$directory"
        rm -f "$directory.log"
        return
    fi
    rm -rf "$directory.new"
    say "Swagger UI could not be fetched, so there is no /docs this time (why: $directory.log)"
    return 1
}

unpack_swagger() {
    python3 - "$1" <<'PYTHON'
import pathlib, sys, zipfile

directory = pathlib.Path(sys.argv[1])
wheel = next(directory.glob("*.whl"))
with zipfile.ZipFile(wheel) as files:
    for name in ("LICENSE", "swagger-ui-bundle.js", "swagger-ui.css"):
        (directory / name).write_bytes(files.read(f"flask_swagger_ui/dist/{name}"))
wheel.unlink()
PYTHON
}
