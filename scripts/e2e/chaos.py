"""Kills every process in turn, the servers included, during a stream of bookings, and has the history judged.

    chaos.py BINARY FOLDER

Settings, by environment: CHAOS_ROUNDS (10); CHAOS_SEED (random, printed); CHAOS_STOP=1 adds a standby recorder, and rounds in
which the active one is paused for six seconds. FOLDER keeps the servers' data, the program's log and the history; whoever
calls removes it. Ends with 0 when nothing was found.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import asdict
from datetime import datetime, timedelta, timezone
from pathlib import Path

import history
from stack import ADMIN, Api, Database, Failed, Process, Servers, Unreachable, check_log_text, free_ports, say, time_limit, wait_for

CLIENTS = 5
# Rooms and areas, each always open. Holds of a minute run out while things are being killed.
SPACES = [
    {"name": "Sala Caos 1", "type": "sala_de_reuniao", "capacity": 8, "rules": {"buffer_after_minutes": 15}},
    {"name": "Sala Caos 2", "type": "sala_de_reuniao", "capacity": 8, "rules": {"buffer_before_minutes": 30, "buffer_after_minutes": 60}},
    {"name": "Sala Caos 3", "type": "sala_privativa", "capacity": 4, "rules": {"hold_minutes": 1}},
    {"name": "Mesas Caos 8", "type": "mesa_compartilhada", "capacity": 8, "seats": 8, "rules": {"hold_minutes": 1}},
    {"name": "Mesas Caos 30", "type": "mesa_compartilhada", "capacity": 30, "seats": 30, "rules": {"buffer_after_minutes": 30}},
]
WEEK = ["segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo"]
DAYS = 12
RECOVERY_SECONDS = 90
# Between one recovery and the next kill: ten rounds outlast the short holds.
FLOW_SECONDS = 6
# How soon the next recorder must have taken over from one that stands still.
TAKEOVER_SECONDS = 5
PAUSE_SECONDS = 6

VICTIMS = [
    ("event-store",), ("reservas",), ("projections",), ("gateway",), ("rabbitmq",), ("postgres",), ("rabbitmq", "event-store"),
    ("usuarios",), ("espacos",), ("precos",),
]


def microseconds():
    return time.time_ns() // 1000


class History:
    """Every attempt of every client, kept in memory for the judge and in a file for whoever looks for what went wrong."""

    def __init__(self, path):
        self._lock = threading.Lock()
        self._file = open(path, "w", encoding="utf-8")
        self.attempts = []
        self.position = 0

    def add(self, attempt):
        with self._lock:
            self.attempts.append(attempt)
            self.position = max(self.position, attempt.position or 0)
            self._file.write(json.dumps(asdict(attempt)) + "\n")
            self._file.flush()

    def since(self, moment):
        with self._lock:
            return [attempt for attempt in self.attempts if attempt.sent >= moment]

    def success_since(self, moment):
        """When the first booking sent after a moment was acknowledged."""
        return min((attempt.got for attempt in self.since(moment) if attempt.status == 201), default=None)


class Client(threading.Thread):
    """Books and cancels, and repeats with the same key until it is told what became of it."""

    def __init__(self, number, api, spaces, record, stop, seed):
        super().__init__(daemon=True)
        self.number = number
        self.api = api
        self.spaces = spaces
        self.record = record
        self.stop = stop
        self.random = random.Random(seed)
        self.booked = []
        self.error = None
        # Bookings begin at noon of some day to come; one day is everybody's favourite.
        self.origin = datetime.now(timezone.utc).replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=2)

    def run(self):
        try:
            operation = 0
            while not self.stop.is_set():
                operation += 1
                key = f"chaos-{self.number}-{operation}"
                if self.booked and self.random.random() < 0.25:
                    self.cancel(key)
                else:
                    self.book(key)
                self.stop.wait(self.random.uniform(0.02, 0.12))
        except Exception as error:  # The judge must hear of it, whatever it is.
            self.error = error

    def book(self, key):
        space = self.random.choice(self.spaces)
        day = 0 if self.random.random() < 0.1 else self.random.randrange(DAYS)
        start = self.origin + timedelta(days=day, minutes=30 * self.random.randrange(48))
        length = self.random.choice([30, 60, 60, 90, 120, 240]) if self.random.random() < 0.97 else 24 * 60
        end = start + timedelta(minutes=length)
        seats = self.random.randint(1, max(1, space["seats"] // 4))
        body = {"space_id": space["id"], "start_time": start.isoformat(), "end_time": end.isoformat(), "seats": seats}
        asked = {
            "space": space["id"], "start": history.instant(start.isoformat()), "end": history.instant(end.isoformat()), "seats": seats,
        }
        answer = self.insist("book", key, "POST", "/reservations", body, asked)
        if answer is not None and answer.status == 201:
            self.booked.append(answer.json["id"])

    def cancel(self, key):
        booking = self.booked.pop(self.random.randrange(len(self.booked)))
        self.insist("cancel", key, "DELETE", f"/reservations/{booking}", None, {"booking": booking})

    def insist(self, op, key, method, path, body, asked):
        deadline = time.monotonic() + 2 * RECOVERY_SECONDS
        only_unavailable = True
        while time.monotonic() < deadline:
            floor, sent = self.record.position, microseconds()
            try:
                answer = self.api.request(method, path, body, Idempotency_Key=key)
            except Unreachable:
                answer = None
            got = microseconds()
            if answer is not None and answer.status == 401:
                # The token has run out, and nothing was done.
                self.sign_in_again(deadline)
                continue
            fields = dict(asked)
            if answer is not None and op == "book" and answer.status == 201:
                fields["booking"] = answer.json["id"]
            status, code = (answer.status, answer.code) if answer else (None, None)
            position = answer.position if answer else None
            self.record.add(history.Attempt(op, key, self.api.user, sent, got, floor, status, code, position=position, **fields))
            if status is not None and status != 503:
                return answer
            only_unavailable = only_unavailable and code == "unavailable"
            if only_unavailable and self.random.random() < 0.1:
                # Told that nothing was recorded, some believe it and go: the judge checks that it was true.
                return None
            time.sleep(self.random.uniform(0.1, 0.4))
        raise Failed(f"client {self.number} got no answer to {method} {path} for {2 * RECOVERY_SECONDS} s")

    def sign_in_again(self, deadline):
        while time.monotonic() < deadline:
            try:
                return self.api.sign_in()
            except (Failed, Unreachable):
                time.sleep(0.3)


class Chaos:
    def __init__(self, binary, folder):
        self.binary = binary
        self.folder = Path(folder)
        self.rounds = int(os.environ.get("CHAOS_ROUNDS", "10"))
        self.seed = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(1_000_000))
        self.pausing = os.environ.get("CHAOS_STOP") == "1"
        self.random = random.Random(self.seed)
        self.servers = Servers(self.folder)
        self.record = History(self.folder / "history.jsonl")
        self.stop = threading.Event()
        self.kills = Counter()
        self.problems = []

    # --- Set-up ---------------------------------------------------------------------------------------------------------

    def start(self):
        self.servers.run("start")
        addresses = self.servers.environment()
        self.database = Database(addresses["COWORKFLOW_POSTGRES_URL"])
        self.port = free_ports(10, 25_000 + self.random.randrange(500) * 10)
        data = self.folder / "data"
        data.mkdir(exist_ok=True)
        self.environment = {
            "COWORKFLOW_POSTGRES_URL": addresses["COWORKFLOW_POSTGRES_URL"],
            "COWORKFLOW_AMQP_URL": addresses["COWORKFLOW_AMQP_URL"],
            "COWORKFLOW_DATA_DIR": str(data),
            "COWORKFLOW_PORT": str(self.port),
            "COWORKFLOW_SERVICE_PORT_BASE": str(self.port),
            "COWORKFLOW_PASSWORD_ROUNDS": "1000",
            "COWORKFLOW_ENVIRONMENT": "development",
        }
        self.secrets = [addresses[name].split("@")[0].split(":")[2] for name in ("COWORKFLOW_POSTGRES_URL", "COWORKFLOW_AMQP_URL")]
        self.app = Process(self.binary, ["dev", "--split"], self.environment, self.folder / "app.log")
        self.app.wait_ready()
        self.standby = Process(self.binary, ["event-store"], self.environment, self.folder / "standby.log") if self.pausing else None
        self.prepare()

    def prepare(self):
        admin = Api(self.port)
        admin.sign_in(*ADMIN)
        unit = admin.expect(200, "GET", "/units").json[0]["id"]
        hours = {day: [{"opens": "00:00", "closes": "24:00"}] for day in WEEK}
        spaces = []
        for space in SPACES:
            answer = admin.expect(201, "POST", "/spaces", dict(space, unit_id=unit, hours=hours, closed_on_holidays=False))
            spaces.append({"id": answer.json["id"], "seats": space.get("seats", 1)})
            self.record.position = answer.position
        self.clients = []
        for number in range(CLIENTS):
            api = Api(self.port)
            login = {"email": f"caos{number}@example.org", "password": f"senha-do-caos-{number}"}
            self.secrets.append(login["password"])
            api.expect(201, "POST", "/auth/signup", dict(login, name=f"Cliente {number}"))
            api.sign_in(login["email"], login["password"])
            self.clients.append(Client(number, api, spaces, self.record, self.stop, f"{self.seed}-{number}"))
        self.watcher = Api(self.port)

    # --- Rounds ---------------------------------------------------------------------------------------------------------

    def deck(self):
        """Every victim before any comes again."""
        cards = []
        while len(cards) < self.rounds:
            fresh = [("pause",), *VICTIMS] if self.pausing else list(VICTIMS)
            self.random.shuffle(fresh)
            cards += fresh
        return cards[: self.rounds]

    def flow(self):
        """The stream of bookings runs for a while, and some are acknowledged."""
        begin = microseconds()
        self.stop.wait(self.random.uniform(0.8, 1.2) * FLOW_SECONDS)
        wait_for(
            "bookings to succeed before the next kill", RECOVERY_SECONDS,
            lambda: self.check_clients() and sum(attempt.status == 201 for attempt in self.record.since(begin)) >= 3,
        )

    def check_clients(self):
        for client in self.clients:
            if client.error:
                raise client.error
        if self.app.process.poll() is not None:
            raise Failed(f"coworkflow dev ended with code {self.app.process.returncode}")
        return True

    def kill(self, victim):
        if victim in ("rabbitmq", "postgres"):
            self.servers.run(f"kill-{victim}")
            return
        recorders = [self.standby.pid] if self.standby and victim == "event-store" else []
        pid = self.active_recorder() if recorders else wait_for(f"{victim} to run", 30, lambda: self.app.roles().get(victim))
        if pid in recorders:
            # The standby is nobody's child but ours.
            self.standby.process.kill()
            self.standby.process.wait()
            self.standby = Process(self.binary, ["event-store"], self.environment, self.folder / "standby.log")
            return
        os.kill(pid, signal.SIGKILL)
        self.kills[victim] += 1

    def active_recorder(self):
        """The process behind the database connection that the log names as its writer's."""
        port = self.database.text("select a.client_port from log.writer w join pg_stat_activity a on a.pid = w.backend_pid")[0]
        for pid in [self.standby.pid, self.app.roles().get("event-store")]:
            if pid and int(port) in local_ports(pid):
                return pid
        raise Failed(f"none of the recorders holds the writer's connection from port {port}")

    def round(self, number, victims):
        self.flow()
        if victims == ("pause",):
            self.pause(number)
            return
        before = microseconds()
        for victim in victims:
            self.kill(victim)
        struck = microseconds()
        for victim in victims:
            if victim in ("rabbitmq", "postgres"):
                time.sleep(self.random.uniform(0.2, 1.5))
                self.servers.run(f"start-{victim}")
        up = microseconds()
        again = wait_for(f"bookings to succeed after {' and '.join(victims)} died", RECOVERY_SECONDS, lambda: (
            self.check_clients() and self.record.success_since(struck)
        ))
        wait_for(f"everything to be ready after {' and '.join(victims)} died", RECOVERY_SECONDS, self.ready)
        servers = f", the servers were back after {(up - struck) / 1e6:.1f} s" if up - struck > 1_000_000 else ""
        self.report(number, f"SIGKILL {' + '.join(victims)}", before, struck, again, servers)

    def pause(self, number):
        pid = self.active_recorder()
        os.kill(pid, signal.SIGSTOP)
        struck = microseconds()
        try:
            time.sleep(PAUSE_SECONDS)
        finally:
            os.kill(pid, signal.SIGCONT)
        again = wait_for("bookings to succeed after a pause", RECOVERY_SECONDS, lambda: self.record.success_since(struck))
        # One that was on its way when the recorder stopped may have been answered from what was recorded before.
        if again - struck > TAKEOVER_SECONDS * 1_000_000:
            self.problems.append(f"the standby recorder took over after {(again - struck) / 1e6:.1f} s, not within {TAKEOVER_SECONDS} s")
        self.report(number, f"SIGSTOP recorder for {PAUSE_SECONDS} s", struck, struck, again, "")

    def report(self, number, what, before, struck, again, more):
        heard = Counter(f"{attempt.status} {attempt.code}" if attempt.status else "no answer"
                        for attempt in self.record.since(before) if attempt.status in (None, 503))
        heard = ", ".join(f"{count} × {answer}" for answer, count in sorted(heard.items())) or "nobody noticed"
        say(f"  round {number:2}/{self.rounds}  {what}: bookings again after {(again - struck) / 1e6:.1f} s{more} ({heard})")

    def ready(self):
        """Every role answers, and the read models are not behind."""
        self.check_clients()
        try:
            if self.watcher.request("GET", "/ready").status != 200:
                return False
            answer = self.watcher.request("GET", "/spaces?limit=1", CoworkFlow_After=self.record.position)
            return answer.status == 200 and answer.headers.get("CoworkFlow-Stale") is None
        except Unreachable:
            return False

    # --- Judgement ------------------------------------------------------------------------------------------------------

    def settle(self):
        """Clients finish what they began, holds run out, read models catch up."""
        time.sleep(1)
        self.stop.set()
        for client in self.clients:
            client.join(2 * RECOVERY_SECONDS)
        self.check_clients()
        # A timer that a killed service had claimed is claimed again after half a minute.
        overdue = "select 1 from subs.timers where due < now() - interval '2 seconds'"
        behind = "select 1 from read.checkpoints, log.writer where position < head union all select 1 from subs.checkpoints, log.writer where position < head"
        wait_for("holds to run out and read models to catch up", RECOVERY_SECONDS,
                 lambda: not self.database.text(f"({overdue} limit 1) union all ({behind} limit 1)"), pause=0.5)

    def judge(self):
        columns = "position, event_id, stream, version, type, schema_version, (extract(epoch from recorded_at) * 1000000)::bigint recorded_at, command_id"
        # One statement a snapshot: a hold that runs out meanwhile must not look like a fault.
        state = self.database.rows(f"""
            select (select head from log.writer) as head,
                   (select json_object_agg(stream, version) from log.heads) as heads,
                   (select json_object_agg(command_id, json_build_array(first_position, last_position)) from log.commands) as commands,
                   (select json_agg(e order by position) from (
                       select {columns}, encode(payload, 'hex') payload, encode(metadata, 'hex') metadata, encode(hash, 'hex') hash
                         from log.events) e) as events,
                   (extract(epoch from now()) * 1000000)::bigint as now
            """)[0]
        rows = [dict(row, **{name: bytes.fromhex(row[name]) for name in ("payload", "metadata", "hash")}) for row in state["events"]]
        events = [
            history.Event(row["position"], row["event_id"], row["stream"], row["version"], row["type"], row["recorded_at"],
                          row["command_id"], json.loads(row["payload"]))
            for row in rows
        ]
        commands = {command: tuple(ends) for command, ends in state["commands"].items()}
        self.problems += history.check(events, self.record.attempts, commands, state["head"], state["heads"], state["now"])
        self.problems += history.check_chain(rows)
        self.verify()
        self.read_logs()
        self.summarize(events)

    def verify(self):
        done = subprocess.run([self.binary, "verify"], env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            self.problems.append(f"coworkflow verify: {(done.stdout + done.stderr).strip()}")

    def read_logs(self):
        for path in self.folder.glob("*.log"):
            text = path.read_text(errors="replace")
            self.problems += check_log_text(text, self.secrets)
        ended = [line for line in self.app.output().splitlines() if "a role ended by itself" in line]
        # Killed by us, or by itself?
        unexplained = [line for line in ended if f"code={signal.SIGKILL.value}" not in line]
        self.problems += [f"a role ended that nobody killed: {line}" for line in unexplained]
        if len(ended) - len(unexplained) != sum(self.kills.values()):
            self.problems.append(f"{sum(self.kills.values())} roles were killed, {len(ended) - len(unexplained)} were started again")

    def summarize(self, events):
        told = Counter()
        for attempts in history.by_key(self.record.attempts, "book").values():
            told[attempts[-1].status] += 1
        kinds = Counter(event.type.partition(".")[2] for event in events)
        say(f"  {told[201]} bookings acknowledged, {told[409]} refused for a rival, {told[503] + told[None]} given up; the log has "
            f"{len(events)} events: {kinds['ReservaSolicitada']} bookings, {kinds['ReservaCancelada']} cancelled, "
            f"{kinds['ReservaExpirada']} expired")
        for kind in ("ReservaCancelada", "ReservaExpirada"):
            if self.rounds >= 10 and not kinds[kind]:
                self.problems.append(f"no {kind} in the log: this run shows nothing about it")
        if told[201] < 20 * self.rounds or not told[409]:
            self.problems.append(f"too little happened to show anything: {told[201]} bookings, {told[409]} refusals")

    def run(self):
        say(f"Chaos: {self.rounds} rounds, CHAOS_SEED={self.seed}")
        self.start()
        started = time.monotonic()
        for client in self.clients:
            client.start()
        for number, victims in enumerate(self.deck(), 1):
            self.round(number, victims)
        self.settle()
        self.judge()
        seconds = self.app.stop()
        if seconds > 10:
            self.problems.append(f"coworkflow dev took {seconds:.1f} s to stop")
        if self.standby:
            self.standby.stop()
        say(f"  {time.monotonic() - started:.0f} s of chaos")


def local_ports(pid):
    """The TCP ports of this machine that a process has open."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(link)
        except OSError:
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    ports = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[9] in inodes:
            ports.add(int(fields[1].split(":")[1], 16))
    return ports


def main():
    chaos = Chaos(*sys.argv[1:])
    time_limit(240 + 60 * chaos.rounds)
    try:
        chaos.run()
    except Failed as failure:
        chaos.problems.append(str(failure))
    for problem in chaos.problems[:20]:
        say(f"  WRONG: {problem}")
    if len(chaos.problems) > 20:
        say(f"  … and {len(chaos.problems) - 20} more")
    sys.exit(1 if chaos.problems else 0)


if __name__ == "__main__":
    main()
