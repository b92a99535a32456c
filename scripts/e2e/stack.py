"""What the end-to-end tests run and talk to: private servers, the program, its HTTP interface, its database."""

import base64
import http.client
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Failed(Exception):
    """What the test was to show is not so. Its text is for the reader of the test's output."""


class Unreachable(Exception):
    """No answer came. Whether the request was carried out is not known."""


def say(text):
    print(text, flush=True)


def wait_for(what, seconds, condition, pause=0.05):
    """Polls until the condition is true, and returns what it returned."""
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() >= deadline:
            raise Failed(f"after {seconds} s still waiting: {what}")
        time.sleep(pause)


def time_limit(seconds):
    """Ends the process when the time is up, whatever it hangs in."""

    def end(_signal, _frame):
        print(f"stopped: not done after {seconds} s", file=sys.stderr, flush=True)
        os._exit(1)

    signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)


def free_ports(count, first):
    """The first of a row of ports on which nothing listens."""
    while True:
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            first += count
            if first + count > 32_000:
                raise Failed("no free ports below 32000") from None


class Servers:
    """A private Postgres and RabbitMQ in a folder, by scripts/servers.sh."""

    def __init__(self, folder):
        self.folder = str(folder)

    def run(self, command):
        done = subprocess.run(
            [ROOT / "scripts/servers.sh", command, self.folder], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200
        )
        if done.returncode != 0:
            raise Failed(f"scripts/servers.sh {command}: {done.stderr.strip()}")
        return done.stdout

    def environment(self):
        pairs = (shlex.split(line)[1].split("=", 1) for line in self.run("env").splitlines())
        return dict(pairs)

    @property
    def data(self):
        """Where the servers keep what they keep."""
        lines = (Path(self.folder) / "servers.env").read_text().splitlines()
        return Path(next(shlex.split(line)[0].partition("=")[2] for line in lines if line.startswith("DATA_ROOT=")))

    def postgres(self):
        """The process ids of the private Postgres, the postmaster's first."""
        home = self.data / "postgres/data"
        postmaster = int((home / "postmaster.pid").read_text().split()[0])
        found = []
        for cwd in Path("/proc").glob("[0-9]*/cwd"):
            try:
                if os.readlink(cwd) == str(home) and (cwd.parent / "comm").read_text().strip() == "postgres":
                    found.append(int(cwd.parent.name))
            except OSError:
                continue
        return sorted(found, key=lambda pid: (pid != postmaster, pid))

    def rabbitmq(self):
        """The process id of the private RabbitMQ."""
        mark = f"COWORKFLOW_PRIVATE_RABBITMQ={Path(self.folder).resolve()}".encode()
        for comm in Path("/proc").glob("[0-9]*/comm"):
            try:
                if comm.read_text().strip() == "beam.smp" and mark in (comm.parent / "environ").read_bytes().split(b"\0"):
                    return int(comm.parent.name)
            except OSError:
                continue
        raise Failed("RabbitMQ does not run")


class Database:
    """Questions to Postgres through psql; the password travels in the environment, not on the command line."""

    def __init__(self, url):
        self.url = url
        parts = urllib.parse.urlsplit(url)
        self._environment = dict(
            os.environ, PGHOST=parts.hostname, PGPORT=str(parts.port), PGDATABASE=parts.path[1:], PGUSER=urllib.parse.unquote(parts.username),
            PGPASSWORD=urllib.parse.unquote(parts.password or ""), PGCONNECT_TIMEOUT="5",
        )

    def at(self, name):
        """Another database of the same server."""
        return Database(urllib.parse.urlunsplit(urllib.parse.urlsplit(self.url)._replace(path="/" + name)))

    def text(self, sql):
        """The rows as lines of text."""
        done = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql],
            env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        )
        if done.returncode != 0:
            raise Failed(f"psql: {done.stderr.strip()}")
        return done.stdout.splitlines()

    def rows(self, select):
        """The rows of a query as dicts."""
        # As jsonb, because json's text may have line breaks between the elements of an array.
        return [json.loads(line) for line in self.text(f"select to_jsonb(r) from ({select}) r")]


class Broker:
    """RabbitMQ's virtual hosts, through its management API."""

    def __init__(self, api, amqp):
        parts = urllib.parse.urlsplit(api)
        self._host, self._port = parts.hostname, parts.port
        self._login = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password)}"
        self._user = urllib.parse.quote(urllib.parse.unquote(parts.username), safe="")
        self._amqp = amqp

    def _call(self, method, path, body=None):
        connection = http.client.HTTPConnection(self._host, self._port, timeout=20)
        token = base64.b64encode(self._login.encode()).decode()
        connection.request(method, path, body, {"Authorization": f"Basic {token}", "Content-Type": "application/json"})
        status = connection.getresponse().status
        connection.close()
        if status >= 300 and not (method == "DELETE" and status == 404):
            raise Failed(f"RabbitMQ's management API answers {status} to {method} {path}")

    def make(self, name):
        """A fresh virtual host; returns its AMQP URL."""
        self.remove(name)
        self._call("PUT", f"/api/vhosts/{name}")
        everything = json.dumps({"configure": ".*", "write": ".*", "read": ".*"})
        self._call("PUT", f"/api/permissions/{name}/{self._user}", everything)
        return urllib.parse.urlunsplit(urllib.parse.urlsplit(self._amqp)._replace(path="/" + name))

    def remove(self, name):
        self._call("DELETE", f"/api/vhosts/{name}")


class Process:
    """One process of the program. Its output is appended to a log."""

    def __init__(self, binary, arguments, environment, log):
        self.log = Path(log)
        self._start = self.log.stat().st_size if self.log.exists() else 0
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("COWORKFLOW_") or "PRIVATE" in name}
        with open(self.log, "ab") as output:
            # Should this driver die without a word, the kernel tells the program to stop.
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", str(binary), *arguments],
                env={**inherited, **environment}, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )
        self.pid = self.process.pid

    def output(self):
        """What it has written since it started."""
        with open(self.log, "rb") as file:
            file.seek(self._start)
            return file.read().decode(errors="replace")

    def wait_ready(self, seconds=60):
        def ready():
            if self.process.poll() is not None:
                raise Failed(f"the program ended with code {self.process.returncode} before it was ready:\n{self.output()}")
            return "CoworkFlow runs at" in self.output()

        try:
            wait_for("the program to become ready", seconds, ready)
        except Failed as failure:
            raise Failed(f"{failure}\n{self.output()}") from None
        self.check_descriptors()

    def check_descriptors(self):
        """Roles share none: who holds what belongs to another keeps the program from noticing that the other has ended."""
        holders = {}
        for role, pid in self.roles().items():
            for link in Path(f"/proc/{pid}/fd").glob("*"):
                try:
                    target = os.readlink(link)
                except OSError:
                    continue
                if link.name not in ("1", "2") and target.startswith(("socket:", "pipe:")):
                    holders.setdefault(target, set()).add(role)
        for target, roles in holders.items():
            if len(roles) > 1:
                raise Failed(f"{' and '.join(sorted(roles))} both hold {target}")

    def stop(self, number=signal.SIGTERM, seconds=15):
        """Signals it and returns how long it took to end."""
        started = time.monotonic()
        self.process.send_signal(number)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failed(f"the program still runs {seconds} s after {signal.Signals(number).name}") from None
        return time.monotonic() - started

    def roles(self):
        """name → process id of the roles that `dev --split` started."""
        found = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(stat.read_text().rpartition(")")[2].split()[1])
                if parent != self.pid:
                    continue
                words = (stat.parent / "cmdline").read_bytes().decode().split("\0")[1:-1]
            except (OSError, ValueError, IndexError):
                continue
            if words:
                found[words[-1]] = int(stat.parent.name)
        return found


def state(pid):
    """The state of a process as the kernel names it: "T" is stopped; None where there is no such process, or a dead one."""
    try:
        letter = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return None
    return None if letter == "Z" else letter


def alive(pids):
    """Those of the processes that still run; a zombie does not."""
    return [pid for pid in pids if state(pid)]


def local_ports(pid):
    """The TCP ports of this machine that a process has open."""
    inodes = set()
    for link in Path("/proc").glob(f"{pid}/fd/*"):
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


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.bytes = body
        try:
            self.json = json.loads(body) if body else None
        except ValueError:
            self.json = None

    @property
    def code(self):
        return self.json.get("code") if isinstance(self.json, dict) else None

    @property
    def position(self):
        position = self.headers.get("CoworkFlow-Position")
        return int(position) if position else None


class Api:
    """A client of the gateway with one connection; not to be shared between threads."""

    def __init__(self, port, timeout=15):
        self.port = port
        self.timeout = timeout
        self.token = None
        self.user = None
        self._login = None
        self._connection = None

    def request(self, method, path, body=None, **headers):
        """Headers are given with underscores: Idempotency_Key="…"."""
        headers = {name.replace("_", "-"): str(value) for name, value in headers.items()}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
            self._connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            response = self._connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Unreachable(f"{type(error).__name__}") from None

    def expect(self, status, method, path, body=None, **headers):
        answer = self.request(method, path, body, **headers)
        if answer.status != status:
            raise Failed(f"{method} {path} answers {answer.status} {answer.json}, {status} was expected")
        return answer

    def sign_in(self, email=None, password=None):
        """Without arguments: again, as last time."""
        if email:
            self._login = {"email": email, "password": password}
        self.token = None
        answer = self.expect(200, "POST", "/auth/login", self._login)
        self.token, self.user = answer.json["token"], answer.json["user_id"]

    def close(self):
        if self._connection:
            self._connection.close()
            self._connection = None


ADMIN = ("admin@coworkflow.local", "admin123")
MEMBER = ("user@coworkflow.local", "user123")

# What no log line may hold: access tokens, sealed text, e-mail addresses, passwords in URLs.
SECRETS = [
    (re.compile(r"eyJ[A-Za-z0-9_-]{20,}\."), "an access token"),
    (re.compile(r"[A-Za-z0-9._+-]+@(?!127\.0\.0\.1)[A-Za-z0-9-]+\.[a-z]{2,}"), "an e-mail address"),
    (re.compile(r"[a-z]+://[^/\s:]+:[^@\s]+@"), "a password in a URL"),
    (re.compile(r"-----BEGIN"), "a key"),
]


def check_log_text(text, secrets=()):
    """What a log must not show; the welcome of `dev` with its demo logins is not counted."""
    for line in text.splitlines():
        if line.startswith(("  administrator  ", "  member         ")):
            continue
        for pattern, what in SECRETS:
            if pattern.search(line):
                yield f"the log shows {what}: {line[:200]}"
        if any(secret in line for secret in secrets):
            yield f"the log shows a secret: {line[:200]}"
        if re.search(r"Fatal error|Crash|Segmentation fault|precondition", line):
            yield f"a crash: {line[:300]}"


class World:
    """What one instance of the program needs, on the test servers: a database, a virtual host, a data folder, ports."""

    def __init__(self, name, folder):
        missing = [key for key in ("COWORKFLOW_TEST_POSTGRES", "COWORKFLOW_TEST_AMQP", "COWORKFLOW_TEST_RABBITMQ_API") if key not in os.environ]
        if missing:
            raise Failed(f"{', '.join(missing)} must say where the test servers are: run 'make test'")
        self.name = f"e2e_{name}_{os.getpid()}"
        self.folder = Path(folder)
        self.server = Database(os.environ["COWORKFLOW_TEST_POSTGRES"])
        self.broker = Broker(os.environ["COWORKFLOW_TEST_RABBITMQ_API"], os.environ["COWORKFLOW_TEST_AMQP"])
        self.port = free_ports(16, 25_000 + os.getpid() % 400 * 16)
        self.environment = {
            "COWORKFLOW_DATA_DIR": str(self.folder / "data"),
            "COWORKFLOW_DEMO_DAYS": "0",
            "COWORKFLOW_PORT": str(self.port),
            "COWORKFLOW_SERVICE_PORT_BASE": str(self.port),
            "COWORKFLOW_PASSWORD_ROUNDS": "1000",
        }

    def __enter__(self):
        self.server.text(f"create database {self.name}")
        self.environment["COWORKFLOW_POSTGRES_URL"] = self.server.at(self.name).url
        self.environment["COWORKFLOW_AMQP_URL"] = self.broker.make(self.name)
        return self

    def __exit__(self, *_):
        self.broker.remove(self.name)
        self.server.text(f"drop database if exists {self.name} with (force)")
