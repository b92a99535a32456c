"""The README's walk-through, word for word, against the running program.

    walkthrough.py BINARY FOLDER README

Every ```sh block of the section is executed in order in one shell, with the address replaced by the test's; the fields of the
```json block after it must be in what it printed. Twice, because a reader may come back to the same data.
"""

import re
import subprocess
import sys
from pathlib import Path

from stack import Failed, Process, World, say, time_limit

ADDRESS = "http://127.0.0.1:8000"


def blocks(readme):
    """(commands, expected output or None) of each step."""
    section = re.search(r"^## Walk-through$(.*?)(?=^## |\Z)", readme, re.MULTILINE | re.DOTALL)
    if not section:
        raise Failed("README.md has no section 'Walk-through'")
    steps = []
    for kind, text in re.findall(r"^```(\w+)\n(.*?)^```$", section.group(1), re.MULTILINE | re.DOTALL):
        if kind == "sh":
            steps.append([text, None])
        elif kind in ("json", "text") and steps:
            steps[-1][1] = text
        else:
            raise Failed(f"a block of '{kind}' in the walk-through is neither commands nor their output")
    if len(steps) < 5:
        raise Failed(f"the walk-through has only {len(steps)} blocks of commands")
    return steps


def walk(steps, folder, address):
    """Runs all steps in one shell; what each printed goes to a file of its own."""
    script = ["trap 'echo \"step $step failed at: $BASH_COMMAND\" >&2' ERR"]
    for number, (commands, _) in enumerate(steps, 1):
        script += [f"step={number}; exec >'{folder}/step-{number}'", commands.replace(ADDRESS, address)]
    path = folder / "walk.sh"
    path.write_text("\n".join(script))
    # -E: a command that fails within a function is named too.
    done = subprocess.run(["bash", "-euE", path], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise Failed(f"the walk-through ends with code {done.returncode}: {done.stderr.strip()}")
    for number, (_, expected) in enumerate(steps, 1):
        printed = (folder / f"step-{number}").read_text()
        # What a step keeps in a variable is shown to the reader all the same.
        if expected and printed:
            missing = [field for field in re.findall(r'"(\w+)":', expected) if f'"{field}":' not in printed]
            if missing:
                raise Failed(f"step {number} prints no {', '.join(missing)}: {printed}")


def main():
    binary, folder, readme = sys.argv[1:]
    folder = Path(folder)
    time_limit(300)
    try:
        steps = blocks(Path(readme).read_text())
        with World("walk", folder) as world:
            # With what a reader finds after make run, only fewer days of it.
            app = Process(binary, ["dev"], {**world.environment, "COWORKFLOW_DEMO_DAYS": "1"}, folder / "app.log")
            app.wait_ready(150)
            for _ in range(2):
                walk(steps, folder, f"http://127.0.0.1:{world.port}")
            app.stop()
        say(f"  {len(steps)} blocks of the README work, twice")
    except Failed as failure:
        say(f"  WRONG: {failure}")
        sys.exit(1)


if __name__ == "__main__":
    main()
