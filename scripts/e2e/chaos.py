"""Breaks the system in every way it can think of during a stream of work, and has the history judged.

    chaos.py PROGRAM APPENDER FOLDER

Settings, by environment: CHAOS_DECK=short for one fault of each kind instead of all (full); CHAOS_ROUNDS, how many of the deck, or
more than it has; CHAOS_MINUTES, for so long, the deck again and again; CHAOS_SEED (random, printed) gives the same order and
choices again; CHAOS_MOUNTS=1 where disks may be mounted. FOLDER keeps the servers' data, the program's logs and the history; whoever
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
import urllib.parse
from collections import Counter
from pathlib import Path

import faults
import history
from disks import PostgresDisks
from load import RECOVERY_SECONDS, Appender, Client, History, microseconds
from proxy import AmqpFrames, PostgresFrames, Proxy
from stack import ADMIN, Api, Database, Failed, Process, Servers, Unreachable, check_log_text, free_ports, local_ports, say
from stack import time_limit, wait_for

CLIENTS = 4
# Rooms and areas, each always open. Holds of a minute run out while things are being broken.
SPACES = [
    {"name": "Sala Caos 1", "type": "sala_de_reuniao", "capacity": 8, "rules": {"buffer_after_minutes": 15}},
    {"name": "Sala Caos 2", "type": "sala_de_reuniao", "capacity": 8, "rules": {"buffer_before_minutes": 30, "buffer_after_minutes": 60}},
    {"name": "Sala Caos 3", "type": "sala_privativa", "capacity": 4, "rules": {"hold_minutes": 1}},
    {"name": "Mesas Caos 8", "type": "mesa_compartilhada", "capacity": 8, "seats": 8, "rules": {"hold_minutes": 1}},
    {"name": "Mesas Caos 30", "type": "mesa_compartilhada", "capacity": 30, "seats": 30, "rules": {"buffer_after_minutes": 30}},
]
# Where people come at once; who has paid and is not there a minute after the beginning is missed.
COUNTER = {
    "name": "Balcão Caos", "type": "mesa_compartilhada", "capacity": 5000, "seats": 5000,
    "rules": {"min_minutes": 5, "step_minutes": 5, "no_show_grace_minutes": 1},
}
# Each webhook thrice, late, the last first; what is given back takes its time as well.
BANK = {"charges": "approve", "refunds": "later", "delay_ms": 1200, "sendings": 3, "reorder": True}
WEEK = ["segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo"]
# Between one recovery and the next fault.
FLOW_SECONDS = 3
# How soon the next recorder must have taken over from one that stands still.
TAKEOVER_SECONDS = 5


class Chaos:
    def __init__(self, binary, appender, folder):
        self.binary = binary
        self.appender_binary = appender
        self.folder = Path(folder)
        self.seed = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(1_000_000))
        self.minutes = float(os.environ.get("CHAOS_MINUTES") or 0)
        self.random = random.Random(self.seed)
        self.has_points = b"COWORKFLOW_FAULT_POINTS" in Path(binary).read_bytes()
        self.deck = self.choose_deck()
        self.rounds = int(os.environ.get("CHAOS_ROUNDS") or len(self.deck))
        self.servers = Servers(self.folder)
        self.disks = None
        self.record = History(self.folder / "history.jsonl")
        self.stop = threading.Event()
        self.orders = self.folder / "fault-point"
        self.kills = Counter()
        self.problems = []

    # --- Set-up ---------------------------------------------------------------------------------------------------------

    def choose_deck(self):
        """The faults that can be had here; what cannot is said."""
        deck = faults.short() if os.environ.get("CHAOS_DECK") == "short" else faults.full()
        for need, available, why in (
            ("needs_points", self.has_points, "this is a release build, which has no fault points"),
            ("needs_disks", os.environ.get("CHAOS_MOUNTS") == "1", "small disks cannot be mounted here (it takes root)"),
        ):
            left_out = [fault for fault in deck if hasattr(fault, need) and not available]
            if left_out:
                say(f"LEFT OUT, because {why}: {'; '.join(fault.text for fault in left_out)}")
            deck = [fault for fault in deck if fault not in left_out]
        return deck

    def start(self):
        self.servers.run("start")
        addresses = self.servers.environment()
        self.database = Database(addresses["COWORKFLOW_POSTGRES_URL"])
        if os.environ.get("CHAOS_MOUNTS") == "1" and any(hasattr(fault, "needs_disks") for fault in self.deck):
            self.disks = PostgresDisks(self.servers, self.database)
        self.port = free_ports(16, 25_000 + self.random.randrange(400) * 16)
        self.proxies = {
            "postgres": Proxy(PostgresFrames, self.port + 14, port_of(addresses["COWORKFLOW_POSTGRES_URL"])),
            "rabbitmq": Proxy(AmqpFrames, self.port + 15, port_of(addresses["COWORKFLOW_AMQP_URL"])),
        }
        for proxy in self.proxies.values():
            proxy.start()
        data = self.folder / "data"
        data.mkdir(exist_ok=True)
        self.environment = {
            "COWORKFLOW_POSTGRES_URL": at_port(addresses["COWORKFLOW_POSTGRES_URL"], self.port + 14),
            "COWORKFLOW_AMQP_URL": at_port(addresses["COWORKFLOW_AMQP_URL"], self.port + 15),
            "COWORKFLOW_DATA_DIR": str(data),
            "COWORKFLOW_DEMO_DAYS": "0",
            "COWORKFLOW_PORT": str(self.port),
            "COWORKFLOW_SERVICE_PORT_BASE": str(self.port),
            "COWORKFLOW_PASSWORD_ROUNDS": "1000",
            "COWORKFLOW_ENVIRONMENT": "development",
            "COWORKFLOW_FAULT_POINTS": str(self.orders),
        }
        self.secrets = [addresses[name].split("@")[0].split(":")[2] for name in ("COWORKFLOW_POSTGRES_URL", "COWORKFLOW_AMQP_URL")]
        self.app = Process(self.binary, ["dev", "--split"], self.environment, self.folder / "app.log")
        self.app.wait_ready()
        self.start_standby()
        self.prepare()
        self.appender = Appender(self.appender_binary, self.environment["COWORKFLOW_AMQP_URL"], self.seed, self.folder / "appends.jsonl")

    def prepare(self):
        admin = Api(self.port)
        admin.sign_in(*ADMIN)
        unit = admin.expect(200, "GET", "/units").json[0]["id"]
        hours = {day: [{"opens": "00:00", "closes": "24:00"}] for day in WEEK}
        spaces = []
        for space in [*SPACES, COUNTER]:
            answer = admin.expect(201, "POST", "/spaces", dict(space, unit_id=unit, hours=hours, closed_on_holidays=False))
            payable = "hold_minutes" not in space["rules"]
            spaces.append({"id": answer.json["id"], "seats": space.get("seats", 1), "payable": payable})
            self.record.position = answer.position
        counter = spaces.pop()
        self.bank = Api(self.port + 10)
        self.bank.expect(200, "PUT", "/control", BANK)
        self.clients = []
        for number in range(CLIENTS):
            api = Api(self.port)
            login = {"email": f"caos{number}@example.org", "password": f"senha-do-caos-{number}"}
            self.secrets.append(login["password"])
            api.expect(201, "POST", "/auth/signup", dict(login, name=f"Cliente {number}"))
            api.sign_in(login["email"], login["password"])
            self.clients.append(Client(number, api, spaces, counter, self.record, self.stop, f"{self.seed}-{number}"))
        self.watcher = Api(self.port)

    # --- The processes --------------------------------------------------------------------------------------------------

    def start_standby(self):
        self.standby = Process(self.binary, ["event-store"], self.environment, self.folder / "standby.log")

    def stop_standby(self):
        """By force: it is nobody's child but ours, and may be the active one."""
        self.standby.process.kill()
        self.standby.process.wait()

    def role(self, name):
        """The process id of a role."""
        return wait_for(f"{name} to run", 30, lambda: self.app.roles().get(name))

    def recorders(self):
        """The process ids of all recorders that live."""
        standby = [self.standby.pid] if self.standby.process.poll() is None else []
        return [*standby, self.role("event-store")]

    def active_recorder(self):
        """The process behind the database connection that the log names as its writer's."""

        def find():
            ports = self.database.text("select a.client_port from log.writer w join pg_stat_activity a on a.pid = w.backend_pid")
            origin = self.proxies["postgres"].origin(int(ports[0])) if ports else None
            return next((pid for pid in self.recorders() if origin in local_ports(pid)), None)

        return wait_for("a recorder to hold the writer's connection", 30, find)

    def writers_backend(self):
        """The process of Postgres that serves the writer."""
        find = "select a.pid from log.writer w join pg_stat_activity a on a.pid = w.backend_pid"
        return int(wait_for("the log to have a writer", 30, lambda: self.database.text(find))[0])

    def kill_role(self, name):
        os.kill(self.role(name), signal.SIGKILL)
        self.kills[name] += 1

    def kill_recorder(self, pid):
        os.kill(pid, signal.SIGKILL)
        self.recorder_died(pid)

    def recorder_died(self, pid):
        """One was killed: the program starts its own again, the standby is ours."""
        if pid == self.standby.pid:
            self.standby.process.wait()
            self.start_standby()
        else:
            self.kills["event-store"] += 1

    def order(self, text):
        """Has the recorder that comes to a fault point obey, see Sources/EventStore/Recorder/FaultPoint.swift."""
        new = self.orders.with_suffix(".new")
        new.write_text(text)
        new.rename(self.orders)

    def is_obeyed(self):
        return not self.orders.exists()

    def count_in_logs(self, text):
        return sum(path.read_text(errors="replace").count(text) for path in self.folder.glob("*.log"))

    # --- Rounds ---------------------------------------------------------------------------------------------------------

    def play(self):
        """The whole deck before any fault comes again."""
        end = time.monotonic() + 60 * self.minutes
        number = 0
        while number < self.rounds or time.monotonic() < end:
            self.random.shuffle(self.deck)
            for fault in self.deck:
                if number >= self.rounds and time.monotonic() >= end:
                    return
                number += 1
                self.round(number, fault)

    def flow(self):
        """The stream of work runs for a while, and some of it is acknowledged."""
        begin = microseconds()
        self.stop.wait(self.random.uniform(0.8, 1.2) * FLOW_SECONDS)
        wait_for(
            "bookings to succeed before the next fault", RECOVERY_SECONDS,
            lambda: self.check_clients() and sum(attempt.status == 201 for attempt in self.record.since(begin)) >= 3,
        )

    def check_clients(self):
        for client in self.clients:
            if client.error:
                raise client.error
        self.appender.check()
        if self.app.process.poll() is not None:
            raise Failed(f"coworkflow dev ended with code {self.app.process.returncode}")
        return True

    def round(self, number, fault):
        self.flow()
        before = microseconds()
        struck = fault.strike(self)
        what = f"after: {fault.text}"
        again = wait_for(f"bookings to succeed {what}", RECOVERY_SECONDS, lambda: (
            self.check_clients() and self.record.success_since(struck.at)
        ))
        if struck.takeover and again - struck.at > TAKEOVER_SECONDS * 1_000_000:
            self.problems.append(
                f"round {number}: the standby recorder took over after {(again - struck.at) / 1e6:.1f} s, not within {TAKEOVER_SECONDS} s"
            )
        wait_for(f"bookings to succeed {what}", RECOVERY_SECONDS, lambda: self.check_clients() and self.record.success_since(struck.over))
        wait_for(f"everything to be ready {what}", RECOVERY_SECONDS, self.ready)
        heard = Counter(f"{attempt.status} {attempt.code}" if attempt.status else "no answer"
                        for attempt in self.record.since(before) if attempt.status in (None, 503))
        heard = [f"{count} × {answer}" for answer, count in sorted(heard.items())]
        slowest = max(attempt.got - attempt.sent for attempt in self.record.since(before)) / 1e6
        heard = ", ".join([*heard, f"slowest answer {slowest:.1f} s"])
        lasted = f", over after {(struck.over - struck.at) / 1e6:.1f} s" if struck.over - struck.at > 1_000_000 else ""
        of = "" if self.minutes else f"/{self.rounds}"
        say(f"  round {number:2}{of}  {fault.text}{struck.more}: bookings again after {(again - struck.at) / 1e6:.1f} s{lasted} ({heard})")

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
        if self.rounds >= 10:
            # The shortest holds last a minute, and faults may be over sooner.
            wait_for("the first hold to run out", 90,
                     lambda: self.database.text("select 1 from log.events where type = 'reservas.ReservaExpirada' limit 1"), pause=0.5)
        self.stop.set()
        for client in self.clients:
            client.join(2 * RECOVERY_SECONDS)
        self.check_clients()
        self.appends = self.appender.finish()
        wait_for("the bank to tell all that it has to tell", RECOVERY_SECONDS,
                 lambda: not self.bank.expect(200, "GET", "/control/waiting").json["waiting"], pause=0.5)
        # A timer that a killed service had claimed is claimed again after half a minute.
        overdue = "select 1 from subs.timers where due < now() - interval '2 seconds'"
        behind = "select 1 from read.checkpoints, log.writer where position < head union all select 1 from subs.checkpoints, log.writer where position < head"
        wait_for("holds to run out and read models to catch up", RECOVERY_SECONDS,
                 lambda: not self.database.text(f"({overdue} limit 1) union all ({behind} limit 1)"), pause=0.5)

    def judge(self):
        columns = "position, event_id, stream, version, type, schema_version, (extract(epoch from recorded_at) * 1000000)::bigint recorded_at, command_id"
        # One statement, so one snapshot: a hold that runs out meanwhile must not look like a fault. A row a thing, because a long run's
        # log is more than one value may hold.
        found = {"writer": [], "command": [], "event": []}
        for row in self.database.rows(f"""
            select 'writer' as kind, jsonb_build_array(head, (extract(epoch from now()) * 1000000)::bigint) as value from log.writer
            union all select 'command', jsonb_build_array(command_id, first_position, last_position) from log.commands
            union all select 'event', to_jsonb(e) from (
                select {columns}, encode(payload, 'hex') payload, encode(metadata, 'hex') metadata, encode(hash, 'hex') hash
                  from log.events) e
            """):
            found[row["kind"]].append(row["value"])
        [[head, now]] = found["writer"]
        logged = sorted(found["event"], key=lambda event: event["position"])
        # The database may lie on a disk that goes with this run.
        (self.folder / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in logged))
        rows = [dict(row, **{name: bytes.fromhex(row[name]) for name in ("payload", "metadata", "hash")}) for row in logged]
        events = [
            history.Event(row["position"], row["event_id"], row["stream"], row["version"], row["type"], row["recorded_at"],
                          row["command_id"], json.loads(row["payload"]))
            for row in rows
        ]
        commands = {command: (first, last) for command, first, last in found["command"]}
        self.problems += history.check(events, self.record.attempts, commands, head, now)
        self.problems += history.check_appends(events, self.appends)
        self.problems += history.check_chain(rows)
        self.problems += history.check_money(events, self.charges())
        self.verify()
        self.sweep()
        self.read_logs()
        self.summarize(events)

    def charges(self):
        """What the bank keeps: the last line of each."""
        lines = Path(self.environment["COWORKFLOW_DATA_DIR"], "sandbox-psp.jsonl").read_text().splitlines()
        charges = (json.loads(line) for line in lines if line)
        return list({charge["transaction"]: charge for charge in charges}.values())

    def sweep(self):
        done = subprocess.run(
            [self.binary, "stuck", "--grace", "5"], env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=120
        )
        if done.returncode != 0:
            self.problems.append(f"coworkflow stuck: {(done.stdout + done.stderr).strip()}")

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
        say(f"  {kinds['PagamentoAprovado']} payments, {kinds['PagamentoEstornado']} givings back, {kinds['LancamentoRegistrado']} entries in the "
            f"ledger, {kinds['CheckinRealizado']} came, {kinds['CheckoutRealizado']} left, {kinds['ReservaNaoComparecida']} were missed, "
            f"{kinds['NotificacaoEnviada']} notices")
        outcomes = Counter(append.outcome for append in self.appends)
        say(f"  appended: {', '.join(f'{count} {outcome}' for outcome, count in outcomes.most_common())}")
        for outcome in ("accepted", "repeated", "conflict"):
            if not outcomes[outcome]:
                self.problems.append(f"no append was answered {outcome}: this run shows nothing about it")
        for kind in ("ReservaCancelada", "ReservaExpirada", "PagamentoAprovado", "PagamentoEstornado", "CheckinRealizado", "CheckoutRealizado"):
            if self.rounds >= 10 and not kinds[kind]:
                self.problems.append(f"no {kind} in the log: this run shows nothing about it")
        if told[201] < 5 * self.rounds or not told[409]:
            self.problems.append(f"too little happened to show anything: {told[201]} bookings, {told[409]} refusals")

    def run(self):
        length = f"{self.minutes:g} minutes" if self.minutes else f"{self.rounds} rounds"
        say(f"Chaos: {length}, CHAOS_SEED={self.seed}")
        self.start()
        started = time.monotonic()
        for client in self.clients:
            client.start()
        self.play()
        self.settle()
        self.judge()
        seconds = self.app.stop()
        if seconds > 10:
            self.problems.append(f"coworkflow dev took {seconds:.1f} s to stop")
        self.standby.stop()
        say(f"  {time.monotonic() - started:.0f} s of chaos")


def port_of(url):
    return urllib.parse.urlsplit(url).port


def at_port(url, port):
    """The same address at another port of this machine."""
    parts = urllib.parse.urlsplit(url)
    return parts._replace(netloc=f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{port}").geturl()


def main():
    chaos = Chaos(*sys.argv[1:])
    time_limit(int(300 + 60 * chaos.rounds + 60 * chaos.minutes))
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
