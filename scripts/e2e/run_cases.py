"""Starting and stopping the whole system, in one process and split, and what it says when it cannot start.

    run_cases.py BINARY FOLDER

On a database and a virtual host of its own on the test servers. Ends with 0 when all is as it should be.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from stack import ADMIN, MEMBER, Api, Failed, Process, World, alive, check_log_text, free_ports, say, time_limit, wait_for

ROLES = {
    "event-store", "projections", "usuarios", "espacos", "precos", "reservas", "pagamentos", "checkin", "notificacoes", "financeiro",
    "analytics", "gateway", "sandbox-psp",
}
# What the issue grants for everything; the servers' share is not in here.
STOP_SECONDS = 10
ORPHAN_SECONDS = 8
# A killed process holds its read models' leases for five.
STALE_SECONDS = 8


class Cases:
    def __init__(self, binary, folder):
        self.binary = binary
        self.folder = Path(folder)
        self.bookings = []
        self.hours = 0
        self.apps = []

    def start(self, world, *arguments):
        started = time.monotonic()
        app = self.launch(world, *arguments)
        app.wait_ready()
        return app, time.monotonic() - started

    def launch(self, world, *arguments):
        app = Process(self.binary, ["dev", *arguments], world.environment, self.folder / "app.log")
        self.apps.append(app)
        return app

    def clean_up(self):
        """What a failed case left must not be in the next one's way."""
        for app in self.apps:
            roles = app.roles().values()
            if app.process.poll() is None:
                app.process.kill()
                app.process.wait()
            for pid in alive(roles):
                os.kill(pid, signal.SIGKILL)
        self.apps = []

    def check_works(self, world):
        """Demo logins, demo data, a booking; and everything that was booked before is still there."""
        admin, member = Api(world.port), Api(world.port)
        admin.sign_in(*ADMIN)
        member.sign_in(*MEMBER)
        spaces = member.expect(200, "GET", "/spaces").json
        if len(spaces) != 12:
            raise Failed(f"{len(spaces)} spaces are listed, not 12")
        for booking in self.bookings:
            found = self.see(member, booking["id"]).json
            if any(found[name] != booking[name] for name in ("space_id", "start_time", "end_time", "total_price_cents")):
                raise Failed(f"booking {booking} has become {found}")
        space = next(space for space in spaces if space["name"] == "Cabine 1")
        start = datetime.now(timezone.utc).replace(minute=0, second=0, microsecond=0) + timedelta(days=2, hours=self.hours)
        self.hours += 1
        body = {"space_id": space["id"], "start_time": start.isoformat(), "end_time": (start + timedelta(hours=1)).isoformat()}
        answer = member.expect(201, "POST", "/reservations", body)
        self.see(member, answer.json["id"], CoworkFlow_After=answer.position)
        self.bookings.append(answer.json)
        # Whoever keeps a connection open must not hold up the end.
        return admin, member

    def see(self, member, booking, **headers):
        """A booking by a query, which may say for a moment that its read model is behind, but not deny what is there."""

        def answer():
            answer = member.request("GET", f"/reservations/{booking}", **headers)
            if answer.status == 200:
                return answer
            if answer.headers.get("CoworkFlow-Stale") is None:
                raise Failed(f"booking {booking} is answered {answer.status} {answer.code} by a read model that does not call itself stale")
            return None

        return wait_for(f"booking {booking} to be seen", STALE_SECONDS, answer)

    def check_stopped(self, app, world, number, roles=()):
        seconds = app.stop(number)
        name = signal.Signals(number).name
        if app.process.returncode != 0:
            raise Failed(f"after {name} the program ended with code {app.process.returncode}, not 0")
        if seconds > STOP_SECONDS:
            raise Failed(f"after {name} the program took {seconds:.1f} s to end")
        left = alive(roles)
        if left:
            raise Failed(f"after {name} roles still run: {left}")
        for port in range(world.port, world.port + 11):
            if is_open(port):
                raise Failed(f"after {name} something still listens on port {port}")
        return seconds

    def one_process(self, world):
        app, ready = self.start(world)
        if app.roles():
            raise Failed(f"one process was asked for, it started {app.roles()}")
        _clients = self.check_works(world)
        first = self.check_stopped(app, world, signal.SIGTERM)
        app, again = self.start(world)
        _clients = self.check_works(world)
        second = self.check_stopped(app, world, signal.SIGINT)
        say(f"  one process: ready in {ready:.1f} s and {again:.1f} s, SIGTERM ends it in {first:.1f} s, SIGINT in {second:.1f} s")

    def split(self, world):
        app, ready = self.start(world, "--split")
        roles = app.roles()
        if set(roles) != ROLES:
            raise Failed(f"the roles that run are {sorted(roles)}")
        _clients = self.check_works(world)
        first = self.check_stopped(app, world, signal.SIGTERM, roles.values())
        app, again = self.start(world, "--split")
        roles = app.roles()
        _clients = self.check_works(world)
        second = self.check_stopped(app, world, signal.SIGINT, roles.values())
        say(f"  split: ready in {ready:.1f} s and {again:.1f} s, SIGTERM ends it in {first:.1f} s, SIGINT in {second:.1f} s")

    def killed_parent(self, world):
        app, _ = self.start(world, "--split")
        roles = app.roles()
        _clients = self.check_works(world)
        if len(alive(roles.values())) != len(ROLES):
            raise Failed(f"the roles that run are {sorted(roles)}")
        killed = time.monotonic()
        app.process.kill()
        app.process.wait()
        wait_for("the roles of a killed parent to end", ORPHAN_SECONDS, lambda: not alive(roles.values()))
        say(f"  split, parent killed: no role is left after {time.monotonic() - killed:.1f} s")

    def stopped_while_starting(self, world):
        for arguments in ([], ["--split"]):
            app = self.launch(world, *arguments)
            wait_for("the first sign of life", 30, lambda: is_open(world.port) or app.process.poll() is not None, pause=0.005)
            seconds = app.stop(signal.SIGINT)
            # Before it has taken charge of signals, the kernel ends it.
            if app.process.returncode not in (0, -signal.SIGINT) or seconds > STOP_SECONDS:
                raise Failed(f"stopped while starting, it took {seconds:.1f} s and ended with code {app.process.returncode}:\n{app.output()}")
            say(f"  stopped while starting {' '.join(arguments)}: {seconds:.1f} s")

    def stopped_demo(self, world):
        """Half a month of demo data is not taken for the whole, until somebody says so."""
        note = Path(world.environment["COWORKFLOW_DATA_DIR"]) / "demo-unfinished"
        app = Process(self.binary, ["dev"], {**world.environment, "COWORKFLOW_DEMO_DAYS": "30"}, self.folder / "app.log")
        self.apps.append(app)
        wait_for("the demo data to be begun", 60, lambda: "demo data: day" in app.output() or app.process.poll() is not None)
        seconds = app.stop(signal.SIGINT)
        if app.process.returncode != 0 or seconds > STOP_SECONDS or "stopped before the demo data was finished" not in app.output():
            raise Failed(f"stopped in the demo month, it took {seconds:.1f} s and ended with code {app.process.returncode}:\n{app.output()}")
        for days in ("30", "0"):
            wrong = list(self.refusal(world, ["dev"], {"COWORKFLOW_DEMO_DAYS": days}, f"delete {note}"))
            if wrong:
                raise Failed("\n".join(wrong))
        note.unlink()
        app, _ = self.start(world)
        self.check_stopped(app, world, signal.SIGTERM)
        say(f"  stopped in the demo month: {seconds:.1f} s, and the next start says so")

    def refusals(self, world):
        """What is wrong is said in one line that names it, and shows no password."""
        nobody = free_ports(1, 31_000)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            file = self.folder / "no-folder"
            file.write_text("")
            cases = [
                (["dev"], {"COWORKFLOW_POSTGRES_URL": None}, "COWORKFLOW_POSTGRES_URL is not set"),
                (["dev"], {"COWORKFLOW_AMQP_URL": None}, "COWORKFLOW_AMQP_URL is not set"),
                (["dev"], {"COWORKFLOW_DATA_DIR": None}, "COWORKFLOW_KEY_MASTER is not set"),
                (["dev"], {"COWORKFLOW_DATA_DIR": str(file)}, "COWORKFLOW_DATA_DIR"),
                (["dev"], {"COWORKFLOW_POSTGRES_URL": "nonsense"}, "COWORKFLOW_POSTGRES_URL"),
                (["dev"], {"COWORKFLOW_AMQP_URL": "http://guest:s3cret@127.0.0.1"}, "COWORKFLOW_AMQP_URL"),
                (["dev"], {"COWORKFLOW_POSTGRES_URL": f"postgresql://ana:s3cret@127.0.0.1:{nobody}/x"}, "COWORKFLOW_POSTGRES_URL"),
                (["dev"], {"COWORKFLOW_PORT": port}, "COWORKFLOW_PORT"),
                (["dev", "--split"], {"COWORKFLOW_PORT": port}, "COWORKFLOW_PORT"),
                (["dev"], {"COWORKFLOW_HOST": "0.0.0.0"}, "COWORKFLOW_HOST"),
                (["dev"], {"COWORKFLOW_DEMO_DAYS": "367"}, "COWORKFLOW_DEMO_DAYS"),
                (["simulate"], {}, "is not empty"),
                (["simulate", "--days", "0"], {}, "--days must be from 1 to 366"),
                (["simulate", "--start", "yesterday"], {}, "--start must be a date"),
                (["simulate", "--start", "2999-01-01"], {}, "end after today"),
                (["simulate", "--bookings-per-day", "0"], {}, "--bookings-per-day must be from 1"),
                (["serve", "reservas"], {}, "COWORKFLOW_KEY_MASTER is not set"),
                (["gateway"], {"COWORKFLOW_ENVIRONMENT": "staging"}, "COWORKFLOW_ENVIRONMENT"),
                (["migrate"], {"COWORKFLOW_POSTGRES_URL": f"postgresql://ana:s3cret@127.0.0.1:{nobody}/x"}, "COWORKFLOW_POSTGRES_URL"),
            ]
            wrong = [problem for case in cases for problem in self.refusal(world, *case)]
        if wrong:
            raise Failed("\n".join(wrong))
        say(f"  {len(cases)} wrong settings: one clear line each")

    def refusal(self, world, arguments, changes, phrase):
        environment = {**{name: value for name, value in os.environ.items() if not name.startswith("COWORKFLOW_")}, **world.environment, **changes}
        environment = {name: value for name, value in environment.items() if value is not None}
        what = f"coworkflow {' '.join(arguments)} with {changes}"
        try:
            done = subprocess.run(
                ["setpriv", "--pdeathsig", "TERM", self.binary, *arguments], env=environment, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=20,
            )
        except subprocess.TimeoutExpired:
            yield f"{what} still runs after 20 s"
            return
        lines = (done.stdout + done.stderr).strip().splitlines()
        if done.returncode in (0, None) or done.returncode < 0:
            yield f"{what} ends with code {done.returncode}"
        if len(lines) != 1 or not lines[0].startswith("coworkflow: "):
            yield f"{what} says {len(lines)} lines: {lines[:5]}"
        elif phrase not in lines[0]:
            yield f"{what} does not name {phrase}: {lines[0]}"
        if "s3cret" in done.stdout + done.stderr:
            yield f"{what} shows the password"


def is_open(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def main():
    binary, folder = sys.argv[1:]
    time_limit(300)
    cases = Cases(binary, folder)
    failures = []
    try:
        with World("run", folder) as world:
            for case in (cases.one_process, cases.split, cases.killed_parent, cases.stopped_while_starting, cases.refusals):
                try:
                    case(world)
                except Failed as failure:
                    failures.append(f"{case.__name__}: {failure}")
                cases.clean_up()
            secrets = [world.environment[name].split("@")[0].rsplit(":", 1)[1] for name in ("COWORKFLOW_POSTGRES_URL", "COWORKFLOW_AMQP_URL")]
            failures += check_log_text((Path(folder) / "app.log").read_text(errors="replace"), secrets)
        with World("halfway", folder) as world:
            try:
                cases.stopped_demo(world)
            except Failed as failure:
                failures.append(f"stopped_demo: {failure}")
            cases.clean_up()
    except Failed as failure:
        failures.append(str(failure))
    for failure in failures:
        say(f"  WRONG: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
