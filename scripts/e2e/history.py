"""Judges a run: what clients were told against what the log holds.

Knows nothing of how the program works, only what it promises (the design's promises 1 to 6). Pure: everything comes in as
values, so that forged histories can show that it notices (test_history.py).

Instants are integers, microseconds since the Unix epoch; intervals are half-open.
"""

import bisect
import hashlib
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MINUTE = 60_000_000
DAY = 24 * 60 * MINUTE

REQUESTED = "reservas.ReservaSolicitada"
CONFIRMED = "reservas.ReservaConfirmada"
CANCELLED = "reservas.ReservaCancelada"
EXPIRED = "reservas.ReservaExpirada"
COMPLETED = "reservas.ReservaConcluida"
MISSED = "reservas.ReservaNaoComparecida"
TAKEN = "reservas.HorarioOcupado"
FREED = "reservas.HorarioLiberado"
# Paid late: confirmed again.
RETAKEN = "reservas.ReservaRetomada"
CAME = "checkin.CheckinRealizado"
LEFT = "checkin.CheckoutRealizado"
PAID = "pagamentos.PagamentoAprovado"
REFUND_ASKED = "pagamentos.EstornoSolicitado"
REFUNDED = "pagamentos.PagamentoEstornado"
ENTERED = "financeiro.LancamentoRegistrado"

# The 409s of a booking: the only ones that name a rival.
TAKEN_CODES = {"slot_taken", "not_enough_seats"}


@dataclass(frozen=True)
class Event:
    position: int
    event_id: str
    stream: str
    version: int
    type: str
    recorded_at: int
    command_id: str
    payload: dict


@dataclass(frozen=True)
class Attempt:
    """One request of a client, and what it was told. A request repeated with its key is several attempts."""

    op: str  # "book", "cancel", "pay", "come" or "leave"
    key: str
    user: str
    sent: int
    got: int
    # The highest position that any client had been told of before this was sent.
    floor: int
    # None where no answer came.
    status: int | None
    code: str | None = None
    # Of the answer to a booking, or of the booking that something is done about.
    booking: str | None = None
    position: int | None = None
    space: str | None = None
    start: int = 0
    end: int = 0
    seats: int = 1


@dataclass(frozen=True)
class Append:
    """One try of a command at the append level, as Tests/Appender writes it down. A command repeated is several tries."""

    command: str
    # (stream, version expected, ids of the events for it); no ids for a guard.
    streams: tuple
    # The highest position that the appender had been told of before this was sent.
    floor: int
    sent: int
    got: int
    outcome: str
    first: int | None = None
    last: int | None = None
    # The stream in conflict and the version that it was said to have.
    stream: str | None = None
    actual: int | None = None
    # Until when it might be recorded; None in what was written down before that was.
    deadline: int | None = None

    @staticmethod
    def read(line):
        fields = dict(line)
        fields["streams"] = tuple((each["stream"], each["expected"], tuple(each["events"])) for each in line["streams"])
        return Append(**fields)


def instant(text):
    """Exact, unlike a conversion to floating-point seconds."""
    parsed = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (parsed - EPOCH) // timedelta(microseconds=1)


def utc_days(start, end):
    """The UTC dates that an interval touches, as the agenda's streams are named."""
    days = range(start // DAY, (end - 1) // DAY + 1)
    return {(EPOCH + timedelta(days=day)).date().isoformat() for day in days}


def command_id(attempt):
    """Promise 6: UUIDv5 of (principal, method, path, Idempotency-Key)."""
    method, path = ("POST", "/reservations") if attempt.op == "book" else ("DELETE", f"/reservations/{attempt.booking}")
    namespace = uuid.uuid5(uuid.UUID(int=0), "request")
    return str(uuid.uuid5(namespace, f"{attempt.user}\n{method}\n{path}\n{attempt.key}"))


def check(events, attempts, commands, writer_head, now):
    """Every problem found, as a sentence; none in a sound run.

    commands: id → (first, last position); now: when the log was read.
    """
    problems = list(check_order(events, writer_head))
    problems += check_commands(events, commands)
    problems += check_bookings(events, attempts)
    problems += check_refusals(events, attempts)
    problems += check_cancellations(events, attempts)
    problems += check_presences(events, attempts)
    problems += check_charges(events, attempts)
    problems += check_lives(events, now)
    problems += Agenda(events).problems
    return problems


def check_order(events, writer_head):
    """Promise 2: positions 1, 2, 3 …; each stream's versions 1, 2, 3 …."""
    expected = 1
    clock = 0
    versions = Counter()
    for event in events:
        if event.recorded_at < clock:
            yield f"position {event.position} was recorded before the one before it"
        clock = event.recorded_at
        if event.position != expected:
            yield f"position {expected} should come next, {event.position} does ({event.type})"
        expected = event.position + 1
        versions[event.stream] += 1
        if event.version != versions[event.stream]:
            yield f"{event.stream} has version {event.version} at position {event.position}, {versions[event.stream]} should come"
            versions[event.stream] = event.version
    if writer_head != len(events):
        yield f"the writer's head is {writer_head}, the log has {len(events)} events"
    for event_id, count in Counter(event.event_id for event in events).items():
        if count > 1:
            yield f"event id {event_id} is there {count} times"


def check_commands(events, commands):
    """Each command is one unbroken run of positions: all of it was recorded, together, once."""
    ranges = {}
    for event in events:
        first, last = ranges.get(event.command_id, (event.position, event.position - 1))
        if event.position != last + 1:
            yield f"command {event.command_id} recorded events at {last} and again at {event.position}"
        ranges[event.command_id] = (first, event.position)
    for command in sorted(set(ranges) | set(commands)):
        if ranges.get(command) != commands.get(command):
            yield f"command {command} is entered as {commands.get(command)}, its events are {ranges.get(command)}"


def check_bookings(events, attempts):
    """Promises 1 and 6: every acknowledged booking is in the log once, as it was asked for, under one key."""
    by_command = defaultdict(list)
    by_booking = Counter()
    for event in events:
        if event.type == REQUESTED:
            by_command[event.command_id].append(event)
            by_booking[event.payload["reserva"]] += 1
    for booking, count in by_booking.items():
        if count > 1:
            yield f"booking {booking} was requested {count} times"

    ends = {event.command_id: event.position for event in events}
    asked = set()
    for key, tries in by_key(attempts, "book").items():
        asked.add(command_id(tries[0]))
        recorded = by_command.get(command_id(tries[0]), [])
        if len(recorded) > 1:
            yield f"key {key} was recorded {len(recorded)} times"
        for attempt in tries:
            if attempt.status != 201:
                continue
            if not recorded:
                yield f"booking {attempt.booking} (key {key}) was acknowledged and is not in the log"
                continue
            payload = recorded[0].payload
            when = payload["horario"]["intervalo"]
            found = (
                payload["reserva"], payload["espaco"], payload["usuario"],
                instant(when["inicio"]), instant(when["fim"]), payload["horario"]["lugares"],
            )
            told = (attempt.booking, attempt.space, attempt.user, attempt.start, attempt.end, attempt.seats)
            if found != told:
                yield f"key {key} was answered as {told}, the log has {found}"
            if attempt.position != ends[recorded[0].command_id]:
                yield f"key {key} was answered with position {attempt.position}, its last event has {ends[recorded[0].command_id]}"
    for command, recorded in by_command.items():
        if command not in asked:
            yield f"booking {recorded[0].payload['reserva']} was asked for by nobody"


def check_refusals(events, attempts):
    """Who is told no gets nothing; a 409 is right only where a rival was there; "nothing was recorded" must be true."""
    recorded = {event.command_id for event in events}
    agenda = Agenda(events)
    times = [event.recorded_at for event in events]
    for key, tries in by_key(attempts, "book").items():
        last = tries[-1]
        is_recorded = command_id(last) in recorded
        if all(attempt.status == 503 and attempt.code == "unavailable" for attempt in tries) and is_recorded:
            yield f"key {key} was told each time that nothing was recorded, and is recorded"
        for attempt in tries:
            if attempt.status in (None, 201, 503):
                continue
            if attempt.status not in (409, 422):
                yield f"key {key} was answered {attempt.status} {attempt.code}"
            elif is_recorded:
                yield f"key {key} was refused ({attempt.status} {attempt.code}), and is recorded"
            elif attempt.status == 409 and attempt.code not in TAKEN_CODES:
                yield f"key {key} was answered 409 {attempt.code}"
            elif attempt.status == 409:
                # What was recorded after the answer cannot have been its reason.
                latest = bisect.bisect_right(times, attempt.got)
                if not agenda.had_rival(attempt, attempt.floor, latest):
                    yield f"key {key} was answered 409 {attempt.code} with seats free all the time"


def check_cancellations(events, attempts):
    ended = {}
    counts = Counter()
    for event in events:
        if event.type in (CANCELLED, EXPIRED):
            ended[event.payload["reserva"]] = event
        if event.type == CANCELLED:
            counts[event.payload["reserva"]] += 1
    for booking, count in counts.items():
        if count > 1:
            yield f"booking {booking} was cancelled {count} times"
    for key, tries in by_key(attempts, "cancel").items():
        for attempt in tries:
            end = ended.get(attempt.booking)
            if attempt.status == 200:
                if end is None or end.type != CANCELLED:
                    yield f"booking {attempt.booking} was acknowledged as cancelled (key {key}), and is not"
            elif attempt.status == 409:
                if end is None or end.type != EXPIRED or end.recorded_at > attempt.got:
                    yield f"booking {attempt.booking} could not be cancelled ({attempt.code}, key {key}) though nothing had ended it"
            elif attempt.status not in (None, 503):
                yield f"the cancellation of {attempt.booking} (key {key}) was answered {attempt.status} {attempt.code}"


def check_presences(events, attempts):
    """Who is told that they came, or left, is recorded once as having done so."""
    counts = Counter((event.type, event.payload["reserva"]) for event in events if event.type in (CAME, LEFT))
    for (kind, booking), count in counts.items():
        if count > 1:
            yield f"{kind} of booking {booking} is there {count} times"
    for op, kind in (("come", CAME), ("leave", LEFT)):
        for key, tries in by_key(attempts, op).items():
            for attempt in tries:
                if attempt.status == 200 and not counts[kind, attempt.booking]:
                    yield f"{kind} of booking {attempt.booking} was acknowledged (key {key}), and is not in the log"
                elif attempt.status not in (None, 200, 503):
                    yield f"{op} of booking {attempt.booking} (key {key}) was answered {attempt.status} {attempt.code}"


def check_charges(events, attempts):
    """Nobody is kept from paying for what they hold."""
    ended = {event.payload["reserva"] for event in events if event.type in (CANCELLED, EXPIRED)}
    for key, tries in by_key(attempts, "pay").items():
        for attempt in tries:
            if attempt.status not in (None, 200, 503) and attempt.booking not in ended:
                yield f"the payment of booking {attempt.booking} (key {key}) was answered {attempt.status} {attempt.code}"


def check_money(events, charges):
    """What the bank did, what the log says of it, and what the ledger's cash is: the same, and each thing once.

    charges: what the sandbox bank keeps, each as its last line says.
    """
    paid, refunds = {}, {}
    for event in events:
        if event.type == PAID:
            if event.payload["transacao"] in paid:
                yield f"transaction {event.payload['transacao']} was recorded as paid twice"
            paid[event.payload["transacao"]] = event.payload["valor"]["centavos"]
        elif event.type == REFUNDED:
            if event.payload["estorno"] in refunds:
                yield f"giving back {event.payload['estorno']} was recorded twice"
            refunds[event.payload["estorno"]] = event.payload["valor"]["centavos"]
    at_bank = {charge["transaction"]: charge["paid_cents"] for charge in charges if charge["status"] == "approved"}
    yield from differing("payment", at_bank, paid)
    yield from differing("giving back", {
        refund["id"]: refund["amount_cents"] for charge in charges for refund in charge["refunds"] if refund["status"] == "done"
    }, refunds)
    # A transaction's name is the charge's id and two digits: the number of the try.
    for payment, count in Counter(transaction[:-2] for transaction in at_bank).items():
        if count > 1:
            yield f"payment {payment} was paid {count} times"
    cash = sum(
        line["valor"]["centavos"] * (1 if line["lado"] == "debito" else -1)
        for event in events if event.type == ENTERED for line in event.payload["partidas"] if line["conta"] == "caixa"
    )
    money = sum(at_bank.values()) - sum(refunds.values())
    if cash != money:
        yield f"the bank has {money} cents, the ledger's cash is {cash}"
    asked = {event.payload["estorno"] for event in events if event.type == REFUND_ASKED}
    if open_refunds := asked - set(refunds):
        yield f"{len(open_refunds)} givings back were asked for and never made, {min(open_refunds)} is one"


def differing(what, at_bank, recorded):
    for name in sorted(at_bank.keys() | recorded.keys()):
        if at_bank.get(name) != recorded.get(name):
            yield f"{what} {name}: {at_bank.get(name)} cents at the bank, {recorded.get(name)} in the log"


def check_lives(events, now, patience=10_000_000):
    """A booking is requested first, ends once, and its hold neither runs out early nor is forgotten."""
    allowed = {
        None: {REQUESTED},
        REQUESTED: {CONFIRMED, CANCELLED, EXPIRED},
        CONFIRMED: {CANCELLED, COMPLETED, MISSED},
        EXPIRED: {RETAKEN},
        RETAKEN: {CONFIRMED},
    }
    state = {}
    expires = {}
    for event in events:
        if not event.stream.startswith("reserva-"):
            continue
        booking = event.payload["reserva"]
        if event.stream != f"reserva-{booking}":
            yield f"{event.type} of booking {booking} is in {event.stream}"
        if event.type not in allowed.get(state.get(booking), set()):
            yield f"booking {booking} goes from {state.get(booking)} to {event.type}"
        state[booking] = event.type
        if event.type == REQUESTED and event.payload.get("expira_em"):
            expires[booking] = instant(event.payload["expira_em"])
        if event.type == EXPIRED and event.recorded_at < expires.get(booking, 0):
            yield f"booking {booking} expired before its hold ran out"
    for booking, last in state.items():
        if last == REQUESTED and expires.get(booking, now) < now - patience:
            yield f"the hold of booking {booking} ran out {(now - expires[booking]) // 1_000_000} s ago and is still there"


RECORDED = {"accepted", "repeated", "other"}
NOT_RECORDED = {"conflict", "expired", "malformed", "unavailable"}
# Of those, what the recorder says once it has looked for the command in the log; `unavailable` speaks of its own try alone.
LOOKED_FOR = {"conflict", "expired"}
# The events of Tests/Appender, and of nobody else.
APPENDED = "caos."


def check_appends(events, appends):
    """Promises 1, 4 and 6 where nothing stands between the log and who appends."""
    by_command = defaultdict(list)
    by_version = {}
    for event in events:
        by_command[event.command_id].append(event)
        by_version[event.stream, event.version] = event
    tries = defaultdict(list)
    for append in appends:
        tries[append.command].append(append)
    for command, recorded in by_command.items():
        if recorded[0].type.startswith(APPENDED) and command not in tries:
            yield f"command {command} at position {recorded[0].position} was asked for by nobody"
    for command, mine in tries.items():
        recorded = by_command.get(command, [])
        yield from check_append(command, mine, recorded)
        for append in mine:
            if append.outcome == "conflict":
                yield from check_conflict(append, by_version)


def check_append(command, tries, recorded):
    """What was recorded of one command, and what was said about it."""
    told = {append.outcome for append in tries}
    if unknown := told - RECORDED - NOT_RECORDED - {"unknown"}:
        yield f"command {command} was answered {unknown}"
    if "malformed" in told:
        yield f"command {command} was called malformed"
    if sum(append.outcome == "accepted" for append in tries) > 1:
        yield f"command {command} was accepted twice"
    if told & RECORDED and not recorded:
        yield f"command {command} was acknowledged and is not in the log"
    if recorded and tries[-1].outcome == "conflict":
        yield f"command {command} was refused in the end, and is recorded"
    if not recorded:
        return
    # A command is asked for with the same streams each time.
    asked = [
        (stream, expected + 1 + index, event)
        for stream, expected, ids in tries[0].streams for index, event in enumerate(ids)
    ]
    found = [(event.stream, event.version, event.event_id) for event in recorded]
    if found != asked:
        yield f"command {command} asked for {asked}, the log has {found}"
    ends = (recorded[0].position, recorded[-1].position)
    for append in tries:
        if append.outcome in RECORDED and (append.first, append.last) != ends:
            yield f"command {command} was answered with positions {append.first} to {append.last}, the log has {ends[0]} to {ends[1]}"
    yield from check_instant(command, tries, recorded[0].recorded_at)


def check_instant(command, tries, when):
    """What each try was told of a command that is recorded, and its deadlines.

    when: what the clock said that recorder and appender share as the recorder decided; later only where that clock was put back. So one
    of the tries that were sent by then recorded it. Which one is not known, because a copy of an earlier one, whose outcome is unknown,
    may have waited in the queue. Where all of them were told that nothing was recorded, one was told wrongly.
    """
    sent = [append for append in tries if append.sent <= when]
    if not sent:
        yield f"command {command} was recorded before it was asked for"
        return
    if all(append.outcome in NOT_RECORDED for append in sent):
        told = ", ".join(sorted({append.outcome for append in sent}))
        yield f"command {command} was told that nothing was recorded ({told}) by every try that can have recorded it"
    for append in tries:
        # What is decided before another look at the log is committed before it, or, where another recorder took over meanwhile, never.
        if append.sent > when and append.outcome in LOOKED_FOR:
            yield f"command {command} was told that nothing was recorded ({append.outcome}) by a try sent after it was"
    # No tolerance: the recorder holds the deadline against the very instant that it writes down.
    deadlines = [append.deadline for append in sent]
    if None not in deadlines and when > max(deadlines):
        yield f"command {command} was recorded {when - max(deadlines)} µs after its last deadline"


def check_conflict(append, by_version):
    """A conflict is right only where a rival had committed: provisional versions must never show."""
    expected = next((expected for stream, expected, _ in append.streams if stream == append.stream), None)
    what = f"command {append.command} was told that {append.stream} is at version {append.actual}"
    if expected is None or expected == append.actual:
        yield f"{what}, which is no conflict with {expected}"
        return
    if append.actual < expected:
        yield f"{what}, behind the {expected} that had been acknowledged"
        return
    rival = by_version.get((append.stream, append.actual))
    if rival is None:
        yield f"{what}, which it never was"
    elif rival.recorded_at > append.got:
        yield f"{what} before it was"
    elif rival.command_id == append.command:
        yield f"{what}, because of itself"
    following = by_version.get((append.stream, append.actual + 1))
    if following is not None and following.position <= append.floor:
        yield f"{what} when version {append.actual + 1} had been acknowledged"


class Agenda:
    """Who holds which seats at which position, rebuilt from the agenda's events and from the spaces' own, nothing else."""

    def __init__(self, events):
        self.problems = []
        self.seats = {}
        self._buffers = {}
        # (space, booking) → (interval, seats, days) now; space → spans of positions that are over or not.
        self._held = {}
        self._spans = defaultdict(list)
        self._wanted = {}
        group = []
        for event in events:
            if group and group[0].command_id != event.command_id:
                self._apply(group)
                group = []
            group.append(event)
        if group:
            self._apply(group)

    def _apply(self, group):
        """One command: its events count together, because they were recorded together."""
        changed = set()
        # Who leaves early gives the rest back, and keeps what they have used.
        leaving = {event.payload["reserva"] for event in group if event.type == LEFT}
        for event in group:
            payload = event.payload
            if event.type in ("espacos.EspacoCriado", "espacos.EspacoAtualizado") and "ficha" in payload:
                self.seats[payload["espaco"]] = payload["ficha"]["lugares"]
            elif event.type == "espacos.RegrasDeReservaDefinidas":
                rules = payload["regras"]
                self._buffers[payload["espaco"]] = (rules["buffer_antes_min"] * MINUTE, rules["buffer_depois_min"] * MINUTE)
            elif event.type == REQUESTED:
                when = payload["horario"]["intervalo"]
                before, after = self._buffers.get(payload["espaco"], (0, 0))
                self._wanted[payload["reserva"]] = (
                    (instant(when["inicio"]) - before, instant(when["fim"]) + after), payload["horario"]["lugares"],
                )
            elif event.type in (TAKEN, FREED):
                holder = (payload["espaco"], payload["reserva"])
                changed.add(holder)
                if event.stream != f"agenda-{payload['espaco']}-{payload['dia']}":
                    self.problems.append(f"{event.type} of {payload['dia']} is in {event.stream}")
                if event.type == TAKEN:
                    if payload["reserva"] in leaving:
                        self._shorten(holder, payload)
                    self._take(holder, payload)
                else:
                    self._free(holder, payload["dia"], event.position)
        for holder in changed:
            self._check_held(holder, group[-1].position)
        self._check_ends(group, changed)

    def _shorten(self, holder, payload):
        """What is kept must be a beginning of what was held, which has been freed by then."""
        held, (wanted, seats) = self._held.get(holder), self._wanted[holder[1]]
        end = instant(payload["intervalo"]["fim"])
        if held and not held[2]:
            del self._held[holder]
        if instant(payload["intervalo"]["inicio"]) != wanted[0] or not wanted[0] < end < wanted[1]:
            self.problems.append(f"booking {holder[1]} keeps {payload['intervalo']} of what it held, which was {wanted}")
        self._wanted[holder[1]] = ((wanted[0], end), seats)

    def _take(self, holder, payload):
        interval = (instant(payload["intervalo"]["inicio"]), instant(payload["intervalo"]["fim"]))
        held = self._held.setdefault(holder, (interval, payload["lugares"], set()))
        if held[:2] != (interval, payload["lugares"]) or payload["dia"] in held[2]:
            self.problems.append(f"booking {holder[1]} takes {payload['dia']} of space {holder[0]} while it holds it otherwise")
        held[2].add(payload["dia"])

    def _free(self, holder, day, position):
        held = self._held.get(holder)
        if held is None or day not in held[2]:
            self.problems.append(f"booking {holder[1]} frees {day} of space {holder[0]} at position {position} without holding it")
            return
        held[2].discard(day)

    def _check_held(self, holder, position):
        space, booking = holder
        held = self._held.get(holder)
        if held is None:
            return
        interval, seats, days = held
        open_span = next((span for span in self._spans[space] if span["booking"] == booking and span["until"] is None), None)
        if open_span and days and open_span["interval"] != interval:
            # It was freed and taken shorter in one append.
            open_span["until"] = position
            open_span = None
        if not days:
            del self._held[holder]
            if open_span:
                open_span["until"] = position
            return
        if days != utc_days(*interval):
            self.problems.append(f"booking {booking} holds the days {sorted(days)} of space {space}, its interval touches others")
        if self._wanted.get(booking) != (interval, seats):
            self.problems.append(f"booking {booking} holds {interval} × {seats}, with the space's buffers it needs {self._wanted.get(booking)}")
        if open_span is None:
            self._spans[space].append({"booking": booking, "from": position, "until": None, "interval": interval, "seats": seats})
        taken = self.peak(space, interval, position)
        if taken > self.seats.get(space, 0):
            self.problems.append(f"space {space} has {self.seats.get(space, 0)} seats, and {taken} are taken from position {position} on")

    def _check_ends(self, group, changed):
        """What ends a booking gives its seats back in the same append, and what requests one takes them."""
        held = {booking for _, booking in self._held}
        touched = {booking for _, booking in changed}
        for event in group:
            booking = event.payload.get("reserva")
            if event.type in (CANCELLED, EXPIRED) and booking in held:
                self.problems.append(f"booking {booking} ended at position {event.position} and keeps its seats")
            if event.type == REQUESTED and booking not in touched:
                self.problems.append(f"booking {booking} was requested at position {event.position} and holds no seats")

    def peak(self, space, interval, position):
        """The most seats taken at any instant of an interval, as of a position."""
        changes = []
        for span in self._spans[space]:
            start, end = max(span["interval"][0], interval[0]), min(span["interval"][1], interval[1])
            if start < end and span["from"] <= position and (span["until"] is None or position < span["until"]):
                # At one instant those who leave go before those who come.
                changes += [(start, span["seats"]), (end, -span["seats"])]
        taken = most = 0
        for _, change in sorted(changes):
            taken += change
            most = max(most, taken)
        return most

    def had_rival(self, attempt, earliest, latest):
        """Whether too many seats were taken for what was asked, as of any position in a range."""
        before, after = self._buffers.get(attempt.space, (0, 0))
        interval = (attempt.start - before, attempt.end + after)
        moments = {earliest} | {span["from"] for span in self._spans[attempt.space] if earliest < span["from"] <= latest}
        room = self.seats.get(attempt.space, 0) - attempt.seats
        return any(self.peak(attempt.space, interval, moment) > room for moment in moments)


def by_key(attempts, op):
    """key → its attempts in the order they were sent."""
    found = defaultdict(list)
    for attempt in sorted(attempts, key=lambda attempt: attempt.sent):
        if attempt.op == op:
            found[attempt.key].append(attempt)
    return found


def check_chain(rows):
    """Promise 10: each event's SHA-256 covers the hash before it and every column, each with its length before it.

    rows: dicts of the raw columns, bytes where the database has bytes.
    """
    previous = bytes(32)
    for row in rows:
        digest = hashlib.sha256()

        def add(content):
            digest.update(len(content).to_bytes(4, "little"))
            digest.update(content)

        def number(value, width):
            add(value.to_bytes(width, "little", signed=True))

        add(previous)
        number(row["position"], 8)
        add(uuid.UUID(row["event_id"]).bytes)
        add(row["stream"].encode())
        number(row["version"], 4)
        add(row["type"].encode())
        number(row["schema_version"], 2)
        number(row["recorded_at"], 8)
        add(uuid.UUID(row["command_id"]).bytes)
        add(row["payload"])
        add(row["metadata"])
        previous = digest.digest()
        if previous != row["hash"]:
            yield f"the hash of position {row['position']} is not that of its columns and the hash before"
            return
