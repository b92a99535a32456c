"""What goes wrong in a round of chaos: each fault does its worst and says when.

A fault sees the run (chaos.Chaos) for its processes, servers, proxies and disks. After it the program must recover by itself:
only Postgres and RabbitMQ are started again by hand, where they were killed.
"""

import os
import signal
import time
from dataclasses import dataclass

from load import microseconds
from proxy import Cut
from stack import Failed, local_ports, state, wait_for

# How long a process stands still: longer than heartbeats and patience allow for.
PAUSE_SECONDS = 6
SERVER_PAUSE_SECONDS = 4


@dataclass
class Struck:
    """When a fault struck and when it was over; microseconds since the Unix epoch."""

    at: int
    over: int
    # The standby had to take over meanwhile.
    takeover: bool = False
    more: str = ""


def stand_still(pids, seconds, meanwhile=None):
    """Stops processes, the first one first, and lets them go on."""
    struck = microseconds()
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        if meanwhile:
            meanwhile()
        time.sleep(seconds)
    finally:
        for pid in reversed(pids):
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
    return Struck(struck, microseconds())


class Kill:
    """SIGKILL to roles and servers, at any moment."""

    def __init__(self, *victims):
        self.victims = victims
        self.text = f"SIGKILL {' + '.join(victims)}"

    def strike(self, run):
        for victim in self.victims:
            if victim in ("rabbitmq", "postgres"):
                run.servers.run(f"kill-{victim}")
            elif victim == "event-store":
                run.kill_recorder(run.active_recorder())
            else:
                run.kill_role(victim)
        struck = microseconds()
        for victim in self.victims:
            if victim in ("rabbitmq", "postgres"):
                time.sleep(run.random.uniform(0.2, 1.5))
                run.servers.run(f"start-{victim}")
        return Struck(struck, microseconds())


class AtPoint:
    """The active recorder is killed, paused or cut off from its database at a step of a batch (Sources/EventStore, FaultPoint)."""

    needs_points = True

    def __init__(self, point, action, alone=False):
        self.point, self.action, self.alone = point, action, alone
        verb = {"kill": "SIGKILL", "stop": f"SIGSTOP for {PAUSE_SECONDS} s", "cut": "database cut off"}[action]
        self.text = f"recorder {point}: {verb}{', no standby' if alone else ''}"

    def strike(self, run):
        if self.alone:
            run.stop_standby()
        try:
            return self.strike_recorder(run)
        finally:
            if self.alone:
                run.start_standby()

    def strike_recorder(self, run):
        pids = run.recorders()
        run.order(f"{self.point} {self.action} {run.random.randint(1, 5)}")
        wait_for(f"the recorder to come to {self.point}", 60, run.is_obeyed, pause=0.005)
        struck = microseconds()
        if self.action == "kill":
            victim = wait_for("the recorder to die", 10, lambda: next((pid for pid in pids if not state(pid)), None))
            run.recorder_died(victim)
        elif self.action == "stop":
            victim = wait_for("the recorder to stand still", 10, lambda: next((pid for pid in pids if state(pid) == "T"), None))
            end = stand_still([victim], PAUSE_SECONDS, lambda: self.meanwhile(run))
            return Struck(struck, end.over, takeover=True)
        return Struck(struck, microseconds())

    def meanwhile(self, run):
        """While the recorder stands still."""


class TwoWriters(AtPoint):
    """The paused recorder's database backend cannot be ended, because nobody knows which it is: when it wakes up, there are two who
    believe that the log is theirs, and only the fence is between them."""

    def __init__(self):
        super().__init__("before-fence", "stop")
        self.text = f"two recorders at once: one sleeps {PAUSE_SECONDS} s before its fence, its backend lives on"

    def meanwhile(self, run):
        run.database.text("update log.writer set backend_pid = null")

    def strike_recorder(self, run):
        fenced = run.count_in_logs("another recorder has taken the log over")
        struck = super().strike_recorder(run)
        wait_for("the former recorder to be fenced", 10, lambda: run.count_in_logs("another recorder has taken the log over") > fenced)
        return struck


class PauseRecorder:
    """SIGSTOP to the active recorder, at any moment."""

    text = f"SIGSTOP recorder for {PAUSE_SECONDS} s"

    def strike(self, run):
        struck = stand_still([run.active_recorder()], PAUSE_SECONDS)
        struck.takeover = True
        return struck


class KillPostmaster:
    """Its backends notice and go; whoever looks after servers starts it again."""

    text = "SIGKILL postmaster alone"

    def strike(self, run):
        os.kill(run.servers.postgres()[0], signal.SIGKILL)
        struck = microseconds()
        run.servers.run("start-postgres")
        return Struck(struck, microseconds())


class KillBackend:
    """Postgres ends all sessions when one dies like that, and recovers by itself."""

    text = "SIGKILL the writer's database backend"

    def strike(self, run):
        os.kill(run.writers_backend(), signal.SIGKILL)
        struck = microseconds()
        return Struck(struck, struck)


class PausePostgres:
    text = f"SIGSTOP all of Postgres for {SERVER_PAUSE_SECONDS} s"

    def strike(self, run):
        return stand_still(run.servers.postgres(), SERVER_PAUSE_SECONDS)


class PauseBackend:
    """Not even a takeover can end a backend that stands still."""

    text = f"SIGSTOP the writer's database backend for {SERVER_PAUSE_SECONDS} s"

    def strike(self, run):
        return stand_still([run.writers_backend()], SERVER_PAUSE_SECONDS)


class PauseRabbitMQ:
    text = f"SIGSTOP RabbitMQ for {PAUSE_SECONDS} s"

    def strike(self, run):
        return stand_still([run.servers.rabbitmq()], PAUSE_SECONDS)


class CutConnection:
    """A connection ends in the middle of a message."""

    def __init__(self, server, role, to_server, at_least, half=False):
        self.server, self.role, self.to_server, self.at_least, self.half = server, role, to_server, at_least, half
        way = f"{role} to {server}" if to_server else f"{server} to {role}"
        self.text = f"{'half-closed' if half else 'cut'} mid-frame, {way}"

    def strike(self, run):
        pid = run.active_recorder() if self.role == "recorder" else run.role(self.role)
        cut = Cut(lambda port: port in local_ports(pid), self.to_server, self.at_least, run.random.uniform(0.05, 0.95), self.half)
        run.proxies[self.server].cut(cut)
        if not cut.done.wait(60):
            raise Failed(f"nothing of {self.at_least} bytes went from {self.text.partition(', ')[2]}")
        struck = microseconds()
        return Struck(struck, struck, more=f", after {cut.cut_at} of {cut.frame} bytes")


class Stall:
    """Connections stay open and carry nothing."""

    def __init__(self, server, seconds):
        self.server, self.seconds = server, seconds
        self.text = f"{server} unheard of for {seconds} s"

    def strike(self, run):
        struck = microseconds()
        run.proxies[self.server].stall(self.seconds)
        time.sleep(self.seconds)
        return Struck(struck, microseconds())


class ShutOut:
    """The active recorder alone cannot reach Postgres, so it must leave what is asked to its standby."""

    text = f"the recorder alone cut off from Postgres for {PAUSE_SECONDS} s"

    def strike(self, run):
        pid = run.active_recorder()
        struck = microseconds()
        end = time.monotonic() + PAUSE_SECONDS
        run.proxies["postgres"].shut_out(lambda port: port in local_ports(pid), PAUSE_SECONDS)
        wait_for("the standby to have the log meanwhile", PAUSE_SECONDS, lambda: run.active_recorder() != pid)
        time.sleep(max(0, end - time.monotonic()))
        return Struck(struck, microseconds(), takeover=True)


class FullDisk:
    """The tables' disk: writes fail, and nothing needs to be started again. The write-ahead log's: Postgres stops (it panics), and
    is started again when there is space. With the recorder killed as well, another one takes the log over on a full disk."""

    needs_disks = True

    # What a recorder says that finds the disk full: of a statement, or of a new connection, which Postgres refuses where it would have to
    # write down what it knows of its catalogue first.
    SIGNS = ("the log's disk is full", "could not write init file")

    def __init__(self, name, kill=False):
        self.name, self.kill = name, kill
        self.text = f"disk full under Postgres's {'tables' if name == 'tables' else 'write-ahead log'}"
        if kill:
            self.text += " + SIGKILL recorder"

    def strike(self, run):
        disk = run.disks.tables if self.name == "tables" else run.disks.log
        # Asked while Postgres takes connections.
        recorder = run.active_recorder()
        struck = microseconds()
        try:
            disk.fill()
            if self.name == "log":
                wait_for("Postgres to run out of log", 60, lambda: self.is_log_full(run))
            self.wait_for_refusals(run, struck)
            if self.kill:
                said = self.signs(run)
                run.kill_recorder(recorder)
                wait_for("another recorder to find the disk full", 60, lambda: self.signs(run) > said)
                self.wait_for_refusals(run, microseconds())
            # Nothing heals while there is no space.
            time.sleep(1)
        finally:
            disk.make_space()
        freed = microseconds()
        if self.name == "log":
            run.servers.run("start-postgres")
        return Struck(freed, microseconds(), more=f", {self.refused(run, struck)} × 503 while it was full")

    def wait_for_refusals(self, run, since):
        # Whose token runs out meanwhile cannot even sign in, and asks for nothing else: all signed in at about the same time.
        wait_for("clients to be told that nothing can be written", 60, lambda: run.check_clients() and (
            self.refused(run, since) >= 5 or all(client.is_signed_out for client in run.clients)
        ))

    @staticmethod
    def refused(run, since):
        return sum(attempt.status == 503 for attempt in run.record.since(since))

    def signs(self, run):
        return sum(run.count_in_logs(sign) for sign in self.SIGNS)

    @staticmethod
    def is_log_full(run):
        """Uses up what Postgres had set aside for its log, a segment each time."""
        try:
            run.database.text("select pg_logical_emit_message(false, 'chaos', repeat('x', 1000000)), pg_switch_wal()")
        except Failed:
            return True
        return False


POINTS = ["before-fence", "before-insert", "before-commit", "before-answer", "after-commit", "after-reply"]


def full():
    """Every fault once."""
    roles = [Kill(role) for role in (
        "reservas", "projections", "gateway", "usuarios", "espacos", "precos", "pagamentos", "checkin", "notificacoes", "financeiro",
        "analytics",
    )]
    servers = [Kill("rabbitmq"), Kill("postgres"), Kill("event-store"), Kill("rabbitmq", "event-store")]
    # The recorder is started again where it has no standby; every other time it has one.
    kills = [AtPoint(point, "kill", alone=index % 2 == 0) for index, point in enumerate(POINTS)]
    cuts = [AtPoint(point, "cut") for point in POINTS[:4]]
    stops = [AtPoint(point, "stop") for point in ("before-insert", "before-commit", "before-answer", "after-reply")]
    return [
        *roles, *servers, *kills, *cuts, *stops, TwoWriters(), PauseRecorder(), KillPostmaster(), KillBackend(), PausePostgres(),
        PauseBackend(), PauseRabbitMQ(), ShutOut(), FullDisk("tables"), FullDisk("tables", kill=True), FullDisk("log"),
        CutConnection("postgres", "recorder", True, 300), CutConnection("postgres", "recorder", False, 8),
        CutConnection("postgres", "reservas", False, 8, half=True), CutConnection("postgres", "projections", True, 100),
        CutConnection("rabbitmq", "recorder", True, 60), CutConnection("rabbitmq", "recorder", False, 60),
        CutConnection("rabbitmq", "reservas", True, 200, half=True), CutConnection("rabbitmq", "projections", False, 200),
        Stall("postgres", 4), Stall("rabbitmq", 5),
    ]


def short():
    """One of each kind."""
    return [
        Kill("event-store"), Kill("postgres"), Kill("rabbitmq"), Kill("gateway"), Kill("pagamentos"), AtPoint("before-insert", "kill", alone=True),
        AtPoint("before-answer", "cut"), AtPoint("before-commit", "stop"), KillBackend(), PauseRabbitMQ(),
        CutConnection("postgres", "recorder", True, 300),
    ]
