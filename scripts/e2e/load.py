"""The stream of work during a chaos run: clients that book, pay, come and go over HTTP, and Tests/Appender at the append level.

Both repeat until they are told what became of what they asked, and write everything down for the judge.
"""

import json
import os
import random
import subprocess
import threading
import time
from collections import deque
from dataclasses import asdict
from datetime import datetime, timedelta, timezone

import history
from stack import Failed, Unreachable

DAYS = 12
RECOVERY_SECONDS = 90


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
    """Books, pays, cancels, comes and goes, and repeats with the same key until it is told what became of it."""

    def __init__(self, number, api, spaces, counter, record, stop, seed):
        super().__init__(daemon=True)
        self.number = number
        self.api = api
        self.spaces = spaces
        # Where people come who want a seat now.
        self.counter = counter
        self.record = record
        self.stop = stop
        self.random = random.Random(seed)
        self.booked = []
        self.visits = deque()
        self.error = None
        self.is_signed_out = False
        # Bookings begin at noon of some day to come; one day is everybody's favourite.
        self.origin = datetime.now(timezone.utc).replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=2)

    def run(self):
        try:
            operation = 0
            while not self.stop.is_set():
                operation += 1
                key = f"chaos-{self.number}-{operation}"
                chance = self.random.random()
                if self.booked and chance < 0.22:
                    self.cancel(key)
                elif chance < 0.32:
                    self.visit(key)
                elif self.visits and chance < 0.5:
                    self.attend(key)
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
            # Where a hold lasts a minute there is no time to pay.
            if space["payable"] and answer.json["status"] == "pending" and self.random.random() < 0.4:
                self.pay(answer.json["id"], key)

    def pay(self, booking, key):
        body = {"reservation_id": booking, "method": "pix"}
        return self.insist("pay", f"{key}-pay", "POST", "/payments/charge", body, {"booking": booking})

    def visit(self, key):
        """A seat from the next five minutes on, paid at once; whoever comes and goes does so when the payment is known."""
        step = 5 * 60
        start = datetime.fromtimestamp((time.time() // step + 1) * step, timezone.utc)
        body = {"space_id": self.counter["id"], "start_time": start.isoformat(), "end_time": (start + timedelta(minutes=10)).isoformat()}
        asked = {
            "space": self.counter["id"], "start": history.instant(start.isoformat()),
            "end": history.instant(body["end_time"]), "seats": 1,
        }
        answer = self.insist("book", key, "POST", "/reservations", body, asked)
        # Told just after the step, it may be too late for it.
        if answer is not None and answer.status == 201:
            paid = self.pay(answer.json["id"], key)
            # Some do not come.
            if paid is not None and paid.status == 200 and self.random.random() < 0.8:
                self.visits.append((start, answer.json["id"]))

    def attend(self, key):
        """Who has waited longest comes, if it is known that they have paid, and goes; who was kept waiting too long stays away."""
        start, booking = self.visits.popleft()
        if datetime.now(timezone.utc) > start:
            return
        try:
            seen = self.api.request("GET", f"/reservations/{booking}")
        except Unreachable:
            seen = None
        if seen is None or seen.status != 200 or seen.json["status"] != "active":
            self.visits.append((start, booking))
            return
        came = self.insist("come", f"{key}-in", "POST", f"/checkin/{booking}", None, {"booking": booking}, is_final=True)
        if came is not None and came.status == 200 and self.random.random() < 0.8:
            self.insist("leave", f"{key}-out", "POST", f"/checkout/{booking}", None, {"booking": booking}, is_final=True)

    def cancel(self, key):
        booking = self.booked.pop(self.random.randrange(len(self.booked)))
        self.insist("cancel", key, "DELETE", f"/reservations/{booking}", None, {"booking": booking})

    def insist(self, op, key, method, path, body, asked, is_final=False):
        """The last answer; nil for who has given up, which those do not for whom it is `is_final`."""
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
            if only_unavailable and not is_final and self.random.random() < 0.1:
                # Told that nothing was recorded, some believe it and go: the judge checks that it was true.
                return None
            time.sleep(self.random.uniform(0.1, 0.4))
        raise Failed(f"client {self.number} got no answer to {method} {path} for {2 * RECOVERY_SECONDS} s")

    def sign_in_again(self, deadline):
        self.is_signed_out = True
        while time.monotonic() < deadline:
            try:
                self.api.sign_in()
                self.is_signed_out = False
                return
            except (Failed, Unreachable):
                time.sleep(0.3)


class Appender:
    """Tests/Appender, in a process of its own. Its lines go to a file."""

    CLIENTS = 2

    def __init__(self, binary, url, seed, path):
        self._path = path
        self._output = open(path, "wb")
        self._process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", str(binary), str(self.CLIENTS), str(seed)], env={**os.environ, "COWORKFLOW_AMQP_URL": url},
            stdin=subprocess.PIPE, stdout=self._output, start_new_session=True,
        )

    def check(self):
        if self._process.poll() is not None:
            raise Failed(f"the appender ended with code {self._process.returncode}")

    def finish(self):
        """Every command that it began is answered; returns all tries."""
        self.check()
        self._process.stdin.close()
        try:
            code = self._process.wait(2 * RECOVERY_SECONDS + 20)
        except subprocess.TimeoutExpired:
            raise Failed("the appender has no answer to a command") from None
        if code != 0:
            raise Failed(f"the appender ended with code {code}")
        self._output.close()
        with open(self._path, encoding="utf-8") as lines:
            return [history.Append.read(json.loads(line)) for line in lines]
