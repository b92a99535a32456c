"""Every role a process of its own: each service alone, then lives of bookings with one process of each role, then the same lives with
two of each at once. The results must be equal, and each effect there once.

    replicas.py BINARY FOLDER CLOCK

CLOCK is scripts/e2e/clock.c as a library. Settings, by environment: REPLICA_LIVES, how many members live at once (6).
"""

import json
import mmap
import os
import re
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import datetime, timedelta, timezone
from itertools import cycle
from pathlib import Path

from mail import Mailbox
from stack import Api, Failed, Process, Unreachable, World, check_log_text, free_ports, say, time_limit, wait_for

# As their ports go.
SERVICES = ["usuarios", "espacos", "reservas", "pagamentos", "precos", "checkin", "notificacoes", "financeiro", "analytics"]
LIVES = int(os.environ.get("REPLICA_LIVES") or 6)
# A Monday, nine o'clock in São Paulo.
BEGIN = datetime(2027, 3, 1, 12, tzinfo=timezone.utc)
WEEK = ["segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo"]
ADMIN = {"email": "chefe@coworkflow.test", "password": "senha-da-chefe-de-todos"}

# What one life leaves in the log, whatever else there is. Of four bookings one is used and overstayed, one cancelled, one not paid
# and one missed; two fees are paid, three prices, and the overtime.
A_LIFE = {
    "reservas.ReservaSolicitada": 4, "reservas.ReservaConfirmada": 3, "reservas.ReservaCancelada": 1, "reservas.ReservaExpirada": 1,
    "reservas.ReservaConcluida": 1, "reservas.ReservaNaoComparecida": 1, "pagamentos.PagamentoAprovado": 6,
    "pagamentos.EstornoSolicitado": 1, "pagamentos.PagamentoEstornado": 1, "checkin.CheckinRealizado": 1, "checkin.CheckoutRealizado": 1,
    "checkin.ExcedenteApurado": 1, "checkin.NaoComparecimentoRegistrado": 1, "precos.AssinaturaIniciada": 1,
    "precos.AssinaturaRenovada": 1,
}


class Clock:
    """What the processes take for the time."""

    def __init__(self, path, library):
        path.write_bytes(bytes(8))
        with open(path, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 8)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_FILE": str(path)}
        self.set(BEGIN)

    def set(self, moment):
        moved = int((moment - datetime.now(timezone.utc)).total_seconds() * 1_000_000) * 1000
        self._memory[:] = struct.pack("=q", moved)

    def now(self):
        return datetime.now(timezone.utc) + timedelta(microseconds=struct.unpack("=q", self._memory[:])[0] // 1000)


class System:
    """So many processes of each role, but one payment provider and one mail server."""

    def __init__(self, binary, world, clock, mailbox, replicas):
        self.world, self.clock, self.replicas, self.binary = world, clock, replicas, binary
        self.database = world.server.at(world.name)
        ports = [world.port] + [free_ports(16, world.port + 16 * number) for number in range(1, replicas)]
        addresses = {
            f"COWORKFLOW_SERVICES_{name.upper()}": ",".join(f"http://127.0.0.1:{port + offset}" for port in ports)
            for offset, name in enumerate(SERVICES, 1)
        }
        self.environments = [
            {
                **world.environment, **clock.environment, **addresses, "COWORKFLOW_ENVIRONMENT": "development",
                "COWORKFLOW_PORT": str(port), "COWORKFLOW_SERVICE_PORT_BASE": str(port),
                "COWORKFLOW_SANDBOX_PORT": str(ports[0] + 10), "COWORKFLOW_SANDBOX_URL": f"http://127.0.0.1:{ports[0] + 10}",
                "COWORKFLOW_SMTP_URL": f"smtp://127.0.0.1:{mailbox.port}", "COWORKFLOW_MAIL_FROM": "no-reply@coworkflow.test",
            }
            for port in ports
        ]
        self.ports = ports
        self.doors = cycle(ports)
        self.processes = []
        self.mailbox = mailbox

    def command(self, *arguments, text=None):
        """A subcommand that ends; its output."""
        done = subprocess.run([self.binary, *arguments], env={**os.environ, **self.environments[0]}, input=text, capture_output=True,
                              text=True, timeout=120)
        if done.returncode != 0:
            raise Failed(f"coworkflow {' '.join(arguments)} ends with code {done.returncode}: {(done.stdout + done.stderr).strip()}")
        return done.stdout

    def launch(self, number, *arguments):
        log = self.world.folder / f"{arguments[-1]}-{number}.log"
        process = Process(self.binary, arguments, self.environments[number], log)
        self.processes.append((arguments, process))
        return process

    def alone(self):
        """Each service by itself, with nobody to talk to, is up, and stops when it is told to."""
        for offset, name in enumerate(SERVICES, 1):
            process = self.launch(0, "serve", name)
            wait_for(f"{name} alone to be up", 30, lambda: healthy(self.ports[0] + offset))
            process.stop()
            if process.process.returncode != 0:
                raise Failed(f"{name} alone ends with code {process.process.returncode}: {process.output()}")
        self.processes.clear()

    def start(self):
        self.launch(0, "event-store")
        self.command("admin", "create", "--email", ADMIN["email"], "--name", "Chefe", text=ADMIN["password"] + "\n")
        self.launch(0, "sandbox-psp")
        self.sandbox = Api(self.ports[0] + 10)
        for number in range(self.replicas):
            if number > 0:
                self.launch(number, "event-store")
            for role in [["projections"], *(["serve", name] for name in SERVICES), ["gateway"]]:
                self.launch(number, *role)
        for port in self.ports:
            for offset in range(10):
                wait_for(f"port {port + offset} to answer", 60, lambda: healthy(port + offset))
        wait_for("the provider to answer", 60, lambda: healthy(self.sandbox.port))
        # Each webhook three times, late, the last first.
        self.sandbox.expect(200, "PUT", "/control", {"charges": "approve", "delay_ms": 200, "sendings": 3, "reorder": True})

    def stop(self):
        for arguments, process in reversed(self.processes):
            if process.process.poll() is not None:
                raise Failed(f"{' '.join(arguments)} ended with code {process.process.returncode}: {process.output()[-2000:]}")
        for _, process in reversed(self.processes):
            process.process.terminate()
        for arguments, process in self.processes:
            process.process.wait(30)
            if process.process.returncode != 0:
                raise Failed(f"{' '.join(arguments)} ended with code {process.process.returncode} when it was told to stop")

    # --- Time -----------------------------------------------------------------------------------------------------------

    def is_at_rest(self):
        """Nothing is due, nobody is behind, and the provider has told all."""
        waiting = self.sandbox.expect(200, "GET", "/control/waiting").json["waiting"]
        due = self.database.text(f"""
            select 1 from subs.timers where due <= '{self.clock.now().isoformat()}'
            union all select 1 from subs.checkpoints, log.writer where position < head
            union all select 1 from read.checkpoints, log.writer where position < head limit 1
        """)
        return not waiting and not due

    def rest(self):
        """Twice, with nothing recorded in between: a message on its way is seen by nobody."""

        def is_quiet():
            head = self.head()
            return self.is_at_rest() and not time.sleep(0.3) and self.is_at_rest() and self.head() == head

        wait_for("everything to be done that is due", 90, is_quiet, pause=0.2)

    def head(self):
        return int(self.database.text("select head from log.writer")[0])

    def go_to(self, moment):
        self.rest()
        self.clock.set(moment)
        self.rest()

    # --- People ---------------------------------------------------------------------------------------------------------

    def visitor(self):
        """Of the next gateway."""
        return Api(next(self.doors))

    def sign_in(self, login):
        """After each jump, which tokens do not outlive."""
        api = self.visitor()
        api.sign_in(login["email"], login["password"])
        return api


def healthy(port):
    try:
        return Api(port, timeout=2).request("GET", "/health").status == 200
    except Unreachable:
        return False


def at(day, minute):
    return BEGIN.replace(hour=0) + timedelta(days=day, minutes=minute)


def at_once(lives, body):
    """All of them at the same time; the first failure is raised."""
    failures = []

    def run(life):
        try:
            body(life)
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(life,), daemon=True) for life in lives]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(180)
    if failures:
        raise failures[0]
    if any(thread.is_alive() for thread in threads):
        raise Failed("somebody waits for an answer for three minutes")


class Life:
    """A member, and what becomes of their bookings."""

    def __init__(self, system, number, space):
        self.system, self.number, self.space = system, number, space
        self.login = {"email": f"membro{number}@coworkflow.test", "password": f"senha-do-membro-{number}"}

    def sign_in(self):
        self.api = self.system.sign_in(self.login)

    def get(self, path):
        """Of whichever gateway, with all that is recorded now."""
        return self.api.expect(200, "GET", path, CoworkFlow_After=self.system.head()).json

    def book(self, day):
        wish = {"space_id": self.space, "start_time": at(day, 14 * 60).isoformat(), "end_time": at(day, 16 * 60).isoformat()}
        return self.api.expect(201, "POST", "/reservations", wish, Idempotency_Key=f"book-{day}").json["id"]

    def pay(self, **what):
        """Asks twice with one key, as somebody does who does not trust the network."""
        key = f"pay-{'-'.join(what.values())}"
        first, second = (
            self.api.expect(200, "POST", "/payments/charge", {**what, "method": "pix"}, Idempotency_Key=key).json for _ in range(2)
        )
        if first["transaction_id"] != second["transaction_id"]:
            raise Failed(f"one key gave two charges: {first['transaction_id']} and {second['transaction_id']}")

    def pay_open(self, kind):
        """A charge that was made by itself."""

        def open_charge():
            return next((charge for charge in self.get("/payments") if charge["kind"] == kind and charge["status"] == "pending"), None)

        self.pay(payment_id=wait_for(f"a charge of kind {kind}", 30, open_charge)["id"])

    def wait_status(self, booking, status):
        wait_for(f"a booking to be {status}", 30, lambda: self.get(f"/reservations/{booking}")["status"] == status, pause=0.2)

    def begin(self):
        self.system.visitor().expect(201, "POST", "/auth/signup", {**self.login, "name": f"Membro {self.number}"})
        self.sign_in()
        self.api.expect(201, "POST", "/subscriptions", {"plan": "mensal"}, Idempotency_Key="subscribe")
        self.pay_open("subscription")
        self.used, self.cancelled, self.unpaid, self.missed = (self.book(day) for day in (2, 3, 4, 5))
        for booking in (self.used, self.cancelled, self.missed):
            self.pay(reservation_id=booking)
            self.wait_status(booking, "active")
        self.api.expect(200, "DELETE", f"/reservations/{self.cancelled}", Idempotency_Key="cancel")

    def come(self):
        self.sign_in()
        self.wait_status(self.unpaid, "expired")
        for _ in range(2):
            self.api.expect(200, "POST", f"/checkin/{self.used}")

    def leave(self):
        self.sign_in()
        self.api.expect(200, "POST", f"/checkout/{self.used}")
        self.pay_open("overtime")

    def renew(self):
        self.sign_in()
        self.wait_status(self.missed, "no_show")
        self.pay_open("subscription")


def live(system):
    """The lives, from the first day to the renewed subscription."""
    admin = system.sign_in(ADMIN)
    unit = admin.expect(201, "POST", "/units", {"name": "Unidade", "timezone": "America/Sao_Paulo", "address": "Rua Um, 1"}).json["id"]
    tariff = {"valid_from": "2026-01-01", "rates": [{"type": "sala_de_reuniao", "hourly_cents": 6000}]}
    admin.expect(200, "PUT", f"/units/{unit}/tariff", tariff)
    plan = {"name": "Mensal", "discount_percent": 10, "monthly_fee_cents": 29_900, "included_minutes": 60}
    admin.expect(200, "PUT", "/plans/mensal", plan)
    room = {
        "unit_id": unit, "name": "Sala", "type": "sala_de_reuniao", "capacity": 4, "closed_on_holidays": False,
        "hours": {day: [{"opens": "00:00", "closes": "24:00"}] for day in WEEK},
        "rules": {"min_minutes": 30, "step_minutes": 30, "hold_minutes": 15, "no_show_grace_minutes": 15},
    }
    lives = [Life(system, number, admin.expect(201, "POST", "/spaces", room).json["id"]) for number in range(LIVES)]
    at_once(lives, Life.begin)
    system.go_to(at(2, 14 * 60))
    at_once(lives, Life.come)
    system.go_to(at(2, 16 * 60 + 40))
    at_once(lives, Life.leave)
    system.go_to(at(5, 14 * 60 + 16))
    system.go_to(at(32, 14 * 60))
    at_once(lives, Life.renew)
    system.rest()


# --- Results ------------------------------------------------------------------------------------------------------------

WORD = re.compile(r"[^\W\d_]([^\W\d]|[ .:%-])*")
DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:00(\.0+)?Z)?")


def plain(value):
    """What does not differ from run to run: ids, sealed texts and times of the moment are left out, and so is whatever has a digit."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in sorted(value.items())}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, str):
        return value if WORD.fullmatch(value) or DATE.fullmatch(value) else "*"
    return value


def results(system):
    """What came of it, as far as it does not differ from run to run."""
    database, counts = system.database, Counter()
    events = Counter()
    for row in database.rows("select type, convert_from(payload, 'UTF8') as payload from log.events"):
        events[row["type"], json.dumps(plain(json.loads(row["payload"])), ensure_ascii=False)] += 1
        counts[row["type"]] += 1
    staff = system.sign_in(ADMIN)
    head = system.head()
    shown = {
        path: plain(staff.expect(200, "GET", path, CoworkFlow_After=head).json)
        for path in ("/financial/trial-balance", "/financial/receivables", "/analytics/dashboard", "/admin/deadletters")
    }
    for path in ("/reservations", "/payments", "/notifications"):
        entries = []
        for number in range(LIVES):
            member = system.sign_in({"email": f"membro{number}@coworkflow.test", "password": f"senha-do-membro-{number}"})
            found = member.expect(200, "GET", f"{path}?limit=200", CoworkFlow_After=head).json
            entries += [json.dumps(plain(each), ensure_ascii=False) for each in (found["items"] if isinstance(found, dict) else found)]
        shown[path] = Counter(entries)
    charges = {}
    for line in Path(system.world.environment["COWORKFLOW_DATA_DIR"], "sandbox-psp.jsonl").read_text().splitlines():
        if line:
            charge = json.loads(line)
            charges[charge["transaction"]] = charge
    messages = system.mailbox.messages()
    return {
        "counts": counts, "events": events, "shown": shown, "charges": list(charges.values()),
        "mails": Counter((message["to"], message["subject"]) for message in messages),
        "message ids": Counter(message["message-id"] for message in messages),
    }


def check_once(found):
    """What must be there once, by whatever it follows from."""
    for kind, count in A_LIFE.items():
        if found["counts"][kind] != count * LIVES:
            yield f"{found['counts'][kind]} events {kind}, {count * LIVES} should be there"
    if twice := [number for number, count in found["message ids"].items() if count > 1]:
        yield f"{len(twice)} mails were sent twice"
    approved = [charge for charge in found["charges"] if charge["status"] == "approved"]
    if len(approved) != 6 * LIVES:
        yield f"the bank was paid {len(approved)} times, {6 * LIVES} are right"
    refunds = [refund for charge in found["charges"] for refund in charge["refunds"]]
    if len(refunds) != LIVES:
        yield f"the bank gave back {len(refunds)} times, {LIVES} are right"
    money = sum(charge["paid_cents"] for charge in approved) - sum(refund["amount_cents"] for refund in refunds)
    cash = next(account for account in found["shown"]["/financial/trial-balance"]["accounts"] if account["account"] == "cash")
    if cash["debit_cents"] - cash["credit_cents"] != money:
        yield f"{money} cents are at the bank, the ledger's cash is {cash['debit_cents'] - cash['credit_cents']}"


def differences(one, two):
    for what in one:
        if what in ("message ids", "charges", "counts") or one[what] == two[what]:
            continue
        for name in one[what].keys() | two[what].keys():
            if one[what].get(name) != two[what].get(name):
                yield f"{what}: {name}: {one[what].get(name)} with one replica, {two[what].get(name)} with two"


def run(binary, folder, library, replicas):
    home = folder / f"{replicas}"
    home.mkdir()
    (home / "data").mkdir()
    mailbox = Mailbox(home / "mail")
    try:
        with World(f"replicas{replicas}", home) as world:
            system = System(binary, world, Clock(home / "clock", library), mailbox, replicas)
            system.command("migrate")
            started = time.monotonic()
            if replicas == 1:
                system.alone()
            system.start()
            live(system)
            found = results(system)
            problems = list(check_once(found))
            # Whoever looked had to sign in.
            system.rest()
            for command in (["stuck", "--grace", "0"], ["verify"]):
                try:
                    system.command(*command)
                except Failed as failure:
                    problems.append(str(failure))
            system.stop()
            for log in home.glob("*.log"):
                text = log.read_text(errors="replace")
                problems += [f"{log.name}: {problem}" for problem in check_log_text(text)]
                problems += [f"{log.name}: {line}" for line in text.splitlines() if " error " in line][:3]
            say(f"  {replicas} of each role: {len(system.processes)} processes, {sum(found['counts'].values())} events, "
                f"{sum(found['mails'].values())} mails, {time.monotonic() - started:.0f} s")
            if problems:
                raise Failed(f"with {replicas} of each role: " + "; ".join(problems[:10]))
            return found
    finally:
        mailbox.stop()


def main():
    binary, folder, library = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    time_limit(900)
    try:
        found = [run(binary, folder, library, replicas) for replicas in (1, 2)]
        if problems := list(differences(*found)):
            raise Failed(f"{len(problems)} results differ: " + "; ".join(problems[:10]))
    except Failed as failure:
        say(f"  WRONG: {failure}")
        sys.exit(1)


if __name__ == "__main__":
    main()
