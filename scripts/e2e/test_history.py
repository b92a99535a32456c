"""The judge of histories must be able to say no: each test forges one fault into a sound history."""

import dataclasses
import hashlib
import unittest
import uuid

import history
from history import DAY, MINUTE, Append, Attempt, Event

NOON = 20_000 * DAY + 12 * 60 * MINUTE
NOW = NOON - DAY
SPACE = "space"


def text(moment):
    return (history.EPOCH + history.timedelta(microseconds=moment)).isoformat().replace("+00:00", "Z")


class Log:
    """Writes a history as a correct system would: a room with a quarter of an hour of buffer after each booking."""

    def __init__(self, seats=1):
        self.events = []
        self.attempts = []
        self.times = {}
        self.add("demo", ("espaco-space", "espacos.EspacoCriado", {"espaco": SPACE, "ficha": {"lugares": seats}}),
                 ("espaco-space", "espacos.RegrasDeReservaDefinidas",
                  {"espaco": SPACE, "regras": {"buffer_antes_min": 0, "buffer_depois_min": 15}}))

    def add(self, command, *parts):
        for stream, kind, payload in parts:
            version = 1 + sum(event.stream == stream for event in self.events)
            position = len(self.events) + 1
            self.events.append(Event(position, str(uuid.uuid4()), stream, version, kind, NOW + position, command, payload))

    def attempt(self, op, key, status, **fields):
        sent = NOW + len(self.events)
        self.attempts.append(Attempt(op, key, "ana", sent, sent + 1, len(self.events), status, **fields))

    def book(self, key, start=NOON, minutes=60, seats=1, status=201, hold=15 * MINUTE):
        end = start + minutes * MINUTE
        asked = {"space": SPACE, "start": start, "end": end, "seats": seats}
        booking = f"booking-{key}"
        self.times[booking] = (start, end + 15 * MINUTE)
        command = history.command_id(Attempt("book", key, "ana", 0, 0, 0, None))
        self.add(command, (f"reserva-{booking}", history.REQUESTED, {
            "reserva": booking, "espaco": SPACE, "usuario": "ana", "expira_em": text(NOW + hold),
            "horario": {"intervalo": {"inicio": text(start), "fim": text(end)}, "lugares": seats},
        }), *((f"agenda-{SPACE}-{day}", history.TAKEN, {
            "espaco": SPACE, "dia": day, "reserva": booking, "lugares": seats,
            "intervalo": {"inicio": text(start), "fim": text(end + 15 * MINUTE)},
        }) for day in sorted(history.utc_days(start, end + 15 * MINUTE))))
        self.attempt("book", key, status, booking=booking, position=len(self.events), **asked)
        return booking

    def refuse(self, key, start=NOON, minutes=60, seats=1, status=409, code="slot_taken"):
        self.attempt("book", key, status, code=code, space=SPACE, start=start, end=start + minutes * MINUTE, seats=seats)

    def end(self, booking, kind, command):
        self.add(command, (f"reserva-{booking}", kind, {"reserva": booking}), *(
            (f"agenda-{SPACE}-{day}", history.FREED, {"espaco": SPACE, "dia": day, "reserva": booking})
            for day in sorted(history.utc_days(*self.times[booking]))
        ))

    def cancel(self, booking, key):
        self.end(booking, history.CANCELLED, history.command_id(Attempt("cancel", key, "ana", 0, 0, 0, None, booking=booking)))
        self.attempt("cancel", key, 200, booking=booking)

    def problems(self, now=NOW + MINUTE, head=None, commands=None):
        ranges = {}
        for event in self.events:
            first, _ = ranges.get(event.command_id, (event.position, 0))
            ranges[event.command_id] = (first, event.position)
        return history.check(self.events, self.attempts, commands or ranges, head or len(self.events), now)


class Case(unittest.TestCase):
    def found(self, log, phrase, **kwargs):
        problems = log.problems(**kwargs)
        self.assertTrue(any(phrase in problem for problem in problems), f"{phrase!r} is not among {problems}")


class SoundHistories(Case):
    def test_nothing_is_found(self):
        log = Log()
        first = log.book("a")
        log.refuse("b", start=NOON + 30 * MINUTE)
        # Only the buffer overlaps.
        log.refuse("c", start=NOON + 60 * MINUTE)
        log.cancel(first, "d")
        log.book("e", start=NOON + 30 * MINUTE)
        # Over two UTC midnights.
        log.book("f", start=NOON + DAY, minutes=40 * 60)
        self.assertEqual(log.problems(), [])

    def test_seats_may_be_full_but_no_fuller(self):
        log = Log(seats=3)
        log.book("a", seats=2)
        log.book("b", seats=1)
        log.book("c", start=NOON + 75 * MINUTE, seats=3)
        log.refuse("d", seats=1, code="not_enough_seats")
        self.assertEqual(log.problems(), [])

    def test_an_unknown_outcome_may_be_either(self):
        log = Log()
        log.book("a", status=None)
        log.refuse("b", start=NOON + DAY, status=None, code=None)
        log.refuse("c", start=NOON + DAY, status=503, code="unavailable")
        self.assertEqual(log.problems(), [])

    def test_a_refusal_may_rest_on_a_rival_recorded_while_it_was_asked(self):
        log = Log()
        log.book("a")
        log.refuse("b")
        log.attempts[-1] = dataclasses.replace(log.attempts[-1], floor=2)
        self.assertEqual(log.problems(), [])


class Forgeries(Case):
    def test_an_acknowledged_booking_is_lost(self):
        log = Log()
        log.book("a")
        log.events = log.events[:2]
        self.found(log, "was acknowledged and is not in the log")

    def test_a_key_is_recorded_twice(self):
        log = Log()
        log.book("a")
        log.book("b", start=NOON + DAY)
        twice = log.events[2].command_id
        log.events[4:] = [dataclasses.replace(event, command_id=twice) for event in log.events[4:]]
        self.found(log, "key a was recorded 2 times")

    def test_a_booking_is_requested_twice(self):
        log = Log()
        booking = log.book("a")
        again = next(event for event in log.events if event.stream == f"reserva-{booking}")
        log.add("other", (again.stream, again.type, again.payload))
        self.found(log, "was requested 2 times")
        self.found(log, "was asked for by nobody")

    def test_a_position_is_missing(self):
        log = Log()
        log.book("a")
        log.events[2:] = [dataclasses.replace(event, position=event.position + 1) for event in log.events[2:]]
        self.found(log, "position 3 should come next, 4 does")

    def test_a_version_is_missing(self):
        log = Log()
        log.events[1] = dataclasses.replace(log.events[1], version=3)
        self.found(log, "has version 3 at position 2, 2 should come")

    def test_the_head_says_otherwise(self):
        self.found(Log(), "the writer's head is 7", head=7)

    def test_time_goes_backwards(self):
        log = Log()
        log.events[1] = dataclasses.replace(log.events[1], recorded_at=NOW - 1)
        self.found(log, "was recorded before the one before it")

    def test_a_command_is_recorded_in_part(self):
        log = Log()
        log.book("a")
        command = log.events[2].command_id
        self.found(log, f"command {command} is entered as (3, 5)", commands={"demo": (1, 2), command: (3, 5)})

    def test_a_room_is_booked_twice(self):
        log = Log()
        log.book("a")
        log.book("b", start=NOON + 30 * MINUTE)
        self.found(log, "has 1 seats, and 2 are taken")

    def test_a_buffer_is_booked(self):
        log = Log()
        log.book("a")
        log.book("b", start=NOON + 60 * MINUTE)
        self.found(log, "has 1 seats, and 2 are taken")

    def test_seats_are_sold_that_are_not_there(self):
        log = Log(seats=3)
        log.book("a", seats=2)
        log.book("b", seats=2, start=NOON + 30 * MINUTE)
        self.found(log, "has 3 seats, and 4 are taken")

    def test_a_day_is_not_taken(self):
        log = Log()
        log.book("a", start=NOON, minutes=24 * 60)
        del log.events[-1]
        self.found(log, "its interval touches others")

    def test_seats_are_taken_without_the_buffer(self):
        log = Log()
        log.book("a")
        payload = dict(log.events[-1].payload, intervalo={"inicio": text(NOON), "fim": text(NOON + 60 * MINUTE)})
        log.events[-1] = dataclasses.replace(log.events[-1], payload=payload)
        self.found(log, "with the space's buffers it needs")

    def test_a_cancelled_booking_keeps_its_seats(self):
        log = Log()
        booking = log.book("a")
        log.cancel(booking, "b")
        del log.events[-1]
        self.found(log, "and keeps its seats")

    def test_an_answer_differs_from_the_log(self):
        log = Log()
        log.book("a")
        log.attempts[-1] = dataclasses.replace(log.attempts[-1], seats=5)
        self.found(log, "key a was answered as")

    def test_one_key_is_answered_with_two_bookings(self):
        log = Log()
        log.book("a")
        log.attempts.append(dataclasses.replace(log.attempts[-1], booking="another"))
        self.found(log, "key a was answered as")

    def test_a_refusal_without_a_rival(self):
        log = Log()
        log.book("a")
        log.refuse("b", start=NOON + 75 * MINUTE)
        self.found(log, "was answered 409 slot_taken with seats free all the time")

    def test_a_refusal_for_a_rival_that_came_later(self):
        log = Log()
        log.refuse("a")
        log.book("b")
        self.found(log, "was answered 409 slot_taken with seats free all the time")

    def test_a_refusal_for_a_rival_known_to_have_left(self):
        log = Log()
        log.cancel(log.book("a"), "b")
        log.refuse("c")
        self.found(log, "was answered 409 slot_taken with seats free all the time")

    def test_a_refused_booking_is_recorded(self):
        log = Log()
        log.book("a")
        log.refuse("a")
        self.found(log, "was refused (409 slot_taken), and is recorded")

    def test_nothing_was_recorded_is_a_lie(self):
        log = Log()
        log.book("a", status=503)
        log.attempts[-1] = dataclasses.replace(log.attempts[-1], code="unavailable")
        self.found(log, "was told each time that nothing was recorded, and is recorded")

    def test_an_internal_error_is_no_answer(self):
        log = Log()
        log.refuse("a", status=500, code="internal_error")
        self.found(log, "was answered 500 internal_error")

    def test_an_acknowledged_cancellation_is_lost(self):
        log = Log()
        booking = log.book("a")
        log.attempt("cancel", "b", 200, booking=booking)
        self.found(log, "was acknowledged as cancelled (key b), and is not")

    def test_a_cancellation_is_refused_without_reason(self):
        log = Log()
        booking = log.book("a")
        log.attempt("cancel", "b", 409, booking=booking, code="reservation_closed")
        self.found(log, "though nothing had ended it")

    def test_a_hold_runs_out_early(self):
        log = Log()
        log.end(log.book("a"), history.EXPIRED, "timer")
        self.found(log, "expired before its hold ran out")

    def test_a_hold_is_forgotten(self):
        log = Log()
        log.book("a", hold=MINUTE)
        self.found(log, "ran out 60 s ago and is still there", now=NOW + 2 * MINUTE)

    def test_a_hold_is_missed_without_being_confirmed(self):
        log = Log()
        log.end(log.book("a"), history.MISSED, "timer")
        self.found(log, "goes from reservas.ReservaSolicitada to reservas.ReservaNaoComparecida")

    def test_a_dead_booking_goes_on(self):
        log = Log()
        booking = log.book("a")
        log.cancel(booking, "b")
        log.add("c", (f"reserva-{booking}", history.CONFIRMED, {"reserva": booking}))
        self.found(log, "goes from reservas.ReservaCancelada to reservas.ReservaConfirmada")


class Presences(Case):
    """Who leaves early keeps what they used, and gives the rest back."""

    def leave(self, log, booking, until, command="leave"):
        start, end = log.times[booking]
        days = sorted(history.utc_days(start, end))
        log.add(command, (f"presenca-{booking}", history.LEFT, {"reserva": booking}),
                *((f"agenda-{SPACE}-{day}", history.FREED, {"espaco": SPACE, "dia": day, "reserva": booking}) for day in days),
                *((f"agenda-{SPACE}-{day}", history.TAKEN, {
                    "espaco": SPACE, "dia": day, "reserva": booking, "lugares": 1,
                    "intervalo": {"inicio": text(start), "fim": text(until)},
                }) for day in sorted(history.utc_days(start, until))))
        log.times[booking] = (start, until)

    def visited(self):
        log = Log()
        booking = log.book("a")
        log.add("c", (f"reserva-{booking}", history.CONFIRMED, {"reserva": booking}))
        log.add("in", (f"presenca-{booking}", history.CAME, {"reserva": booking}))
        log.attempt("come", "in", 200, booking=booking)
        return log, booking

    def test_nothing_is_found(self):
        log, booking = self.visited()
        self.leave(log, booking, NOON + 20 * MINUTE)
        log.attempt("leave", "out", 200, booking=booking)
        # The rest is somebody else's now.
        log.book("b", start=NOON + 30 * MINUTE, minutes=30)
        self.assertEqual(log.problems(), [])

    def test_the_rest_is_sold_before_it_is_free(self):
        log, booking = self.visited()
        log.book("b", start=NOON + 30 * MINUTE, minutes=30)
        self.found(log, "has 1 seats, and 2 are taken")

    def test_more_is_kept_than_was_held(self):
        log, booking = self.visited()
        self.leave(log, booking, NOON + 80 * MINUTE)
        self.found(log, "of what it held")

    def test_what_is_used_is_sold_again(self):
        log, booking = self.visited()
        self.leave(log, booking, NOON + 40 * MINUTE)
        log.book("b", start=NOON + 30 * MINUTE, minutes=30)
        self.found(log, "has 1 seats, and 2 are taken")

    def test_an_acknowledged_coming_is_lost(self):
        log, booking = self.visited()
        log.attempt("leave", "out", 200, booking=booking)
        self.found(log, "was acknowledged (key out), and is not in the log")

    def test_somebody_comes_twice(self):
        log, booking = self.visited()
        log.add("in2", (f"presenca-{booking}", history.CAME, {"reserva": booking}))
        self.found(log, "is there 2 times")

    def test_somebody_is_sent_away(self):
        log, booking = self.visited()
        log.attempt("come", "in2", 400, booking=booking, code="too_early")
        self.found(log, "was answered 400 too_early")

    def test_a_payment_is_refused(self):
        log = Log()
        log.attempt("pay", "p", 409, booking=log.book("a"), code="charge_closed")
        self.found(log, "was answered 409 charge_closed")


class Money(unittest.TestCase):
    """Two payments, one of them given back in part."""

    def setUp(self):
        self.charges = [
            {"transaction": "a01", "status": "approved", "paid_cents": 900, "refunds": [{"id": "r", "amount_cents": 400, "status": "done"}]},
            {"transaction": "b01", "status": "refused", "paid_cents": None, "refunds": []},
            {"transaction": "b02", "status": "approved", "paid_cents": 700, "refunds": []},
        ]
        self.events = []
        for transaction, cents in (("a01", 900), ("b02", 700)):
            self.add(history.PAID, transacao=transaction, valor={"centavos": cents})
            self.enter("debito", cents)
        self.add(history.REFUND_ASKED, estorno="r", valor={"centavos": 400})
        self.add(history.REFUNDED, estorno="r", valor={"centavos": 400})
        self.enter("credito", 400)

    def add(self, kind, **payload):
        self.events.append(Event(len(self.events) + 1, str(uuid.uuid4()), "s", 1, kind, NOW, "c", payload))

    def enter(self, side, cents):
        self.add(history.ENTERED, partidas=[{"conta": "caixa", "lado": side, "valor": {"centavos": cents}}])

    def found(self, phrase):
        problems = list(history.check_money(self.events, self.charges))
        self.assertTrue(any(phrase in problem for problem in problems), f"{phrase!r} is not among {problems}")

    def test_nothing_is_found(self):
        self.assertEqual(list(history.check_money(self.events, self.charges)), [])

    def test_a_payment_is_not_heard_of(self):
        del self.events[0]
        self.found("payment a01: 900 cents at the bank, None in the log")

    def test_a_payment_is_recorded_twice(self):
        self.events.append(self.events[0])
        self.found("recorded as paid twice")

    def test_a_payment_of_nobody(self):
        self.charges[0]["status"] = "pending"
        self.found("payment a01: None cents at the bank, 900 in the log")

    def test_a_charge_is_paid_twice(self):
        self.charges[1].update(status="approved", paid_cents=700)
        self.found("payment b was paid 2 times")

    def test_a_refund_is_made_and_not_recorded(self):
        self.events = [event for event in self.events if event.type != history.REFUNDED]
        self.found("giving back r: 400 cents at the bank, None in the log")
        self.found("asked for and never made")

    def test_the_ledger_has_missed_it(self):
        self.events.pop()
        self.found("the bank has 1200 cents, the ledger's cash is 1600")


class Appends:
    """A sound history at the append level."""

    def __init__(self):
        self.events = []
        self.appends = []
        # When the last try was sent. It is decided a microsecond later and answered after one more; its deadline is after three.
        self.now = NOW

    def version(self, stream):
        return sum(event.stream == stream for event in self.events)

    def append(self, command, *streams, outcome="accepted", guard=None):
        """streams: (name, how many events)."""
        asked = tuple(
            (stream, self.version(stream), tuple(f"{command}-{stream}-{index}" for index in range(count))) for stream, count in streams
        )
        floor = len(self.events)
        guards = ((guard, self.version(guard), ()),) if guard else ()
        for stream, expected, ids in asked:
            for index, event in enumerate(ids):
                position = len(self.events) + 1
                # By the try that is told of below.
                self.events.append(Event(position, event, stream, expected + 1 + index, "caos.X", self.now + 11, command, {}))
        self.told(command, asked + guards, outcome, floor=floor)

    def told(self, command, streams, outcome, floor=None, **fields):
        self.now += 10
        mine = [event.position for event in self.events if event.command_id == command]
        if outcome in history.RECORDED and mine:
            fields = {"first": mine[0], "last": mine[-1], **fields}
        self.appends.append(Append(command, streams, len(self.events) if floor is None else floor, self.now, self.now + 2, outcome,
                                   deadline=self.now + 3, **fields))

    def again(self, outcome, **fields):
        self.told(self.appends[-1].command, self.appends[-1].streams, outcome, **fields)

    def alter(self, index, **fields):
        self.appends[index] = dataclasses.replace(self.appends[index], **fields)

    def record_at(self, command, when):
        self.events = [dataclasses.replace(event, recorded_at=when) if event.command_id == command else event for event in self.events]

    def problems(self):
        return list(history.check_appends(self.events, self.appends))


class AppendLevel(Case):
    def sound(self):
        log = Appends()
        log.append("a", ("s", 2), ("t", 1))
        log.append("b", ("s", 1), guard="t")
        return log

    def test_nothing_is_found(self):
        log = self.sound()
        log.again("repeated")
        log.again("other")
        log.append("c", ("t", 1), outcome="unknown")
        log.again("repeated")
        # Refused for what "b" did, and for nothing else.
        log.told("d", (("s", 2, ("d-s-0",)),), "conflict", stream="s", actual=3)
        log.told("e", (("s", 3, ("e-s-0",)),), "unknown")
        log.told("f", (("s", 3, ("f-s-0",)),), "unavailable")
        log.events.append(Event(6, "x", "u", 1, "reservas.X", NOW + 6, "somebody else's", {}))
        self.assertEqual(log.problems(), [])

    def test_what_the_appender_writes_is_read(self):
        line = {
            "command": "c", "streams": [{"stream": "s", "expected": 3, "events": ["e"]}, {"stream": "t", "expected": 1, "events": []}],
            "floor": 4, "sent": 1, "got": 2, "outcome": "conflict", "stream": "t", "actual": 2,
        }
        read = Append("c", (("s", 3, ("e",)), ("t", 1, ())), 4, 1, 2, "conflict", stream="t", actual=2)
        self.assertEqual(Append.read(line), read)
        self.assertEqual(Append.read(dict(line, deadline=9)), dataclasses.replace(read, deadline=9))

    def test_an_acknowledged_append_is_lost(self):
        log = self.sound()
        log.events = log.events[:3]
        self.found(log, "command b was acknowledged and is not in the log")

    def test_a_part_of_an_append_is_lost(self):
        log = self.sound()
        del log.events[1]
        self.found(log, "command a asked for")

    def test_an_append_is_recorded_twice(self):
        log = self.sound()
        log.events.append(dataclasses.replace(log.events[3], position=5, version=4))
        self.found(log, "command b asked for")

    def test_an_append_is_accepted_twice(self):
        log = self.sound()
        log.again("accepted")
        self.found(log, "command b was accepted twice")

    def test_a_repeat_is_told_other_positions(self):
        log = self.sound()
        log.again("repeated", first=3, last=3)
        self.found(log, "command b was answered with positions 3 to 3, the log has 4 to 4")

    def test_an_append_lands_in_another_order(self):
        log = self.sound()
        log.events[0], log.events[1] = (
            dataclasses.replace(log.events[0], event_id="a-s-1"), dataclasses.replace(log.events[1], event_id="a-s-0"),
        )
        self.found(log, "command a asked for")

    def test_nothing_was_recorded_is_a_lie(self):
        for outcome in ("unavailable", "expired", "conflict"):
            for before in ((), ("unavailable",), ("expired", "unavailable")):
                with self.subTest(outcome=outcome, before=before):
                    log = self.sound()
                    for truth in before:
                        log.told("c", (("u", 0, ("c-u-0",)),), truth)
                    log.append("c", ("u", 1), outcome=outcome)
                    if outcome == "conflict":
                        # Whoever hears this asks no more.
                        log.alter(-1, stream="u", actual=1)
                    else:
                        log.again("repeated")
                    told = ", ".join(sorted({*before, outcome}))
                    self.found(log, f"command c was told that nothing was recorded ({told}) by every try that can have recorded it")

    def test_nothing_was_recorded_is_true_until_something_is(self):
        for outcome in ("unavailable", "expired"):
            for then in ("accepted", "repeated", "unknown"):
                log = self.sound()
                log.told("c", (("u", 0, ("c-u-0",)),), outcome)
                # Told that it was repeated where the answer to the first copy of this very try got lost.
                log.append("c", ("u", 1), outcome=then)
                log.again("repeated")
                self.assertEqual(log.problems(), [])

    def test_an_answer_that_got_lost_leaves_it_open_what_was_recorded(self):
        log = self.sound()
        log.append("c", ("u", 1), outcome="unknown")
        # Nothing of this try was.
        log.again("unavailable")
        log.again("repeated")
        self.assertEqual(log.problems(), [])

    def test_a_copy_of_an_earlier_try_may_be_recorded_during_a_later_one(self):
        for outcome in ("unavailable", "expired"):
            log = self.sound()
            log.told("c", (("u", 0, ("c-u-0",)),), "unknown")
            log.append("c", ("u", 1), outcome=outcome)
            log.again("repeated")
            self.assertEqual(log.problems(), [])

    def test_nothing_was_recorded_is_said_of_what_had_been(self):
        for first in ("accepted", "unknown"):
            for outcome in ("expired", "conflict"):
                with self.subTest(first=first, outcome=outcome):
                    log = self.sound()
                    log.append("c", ("u", 1), outcome=first)
                    log.again(outcome, **({"stream": "u", "actual": 1} if outcome == "conflict" else {}))
                    log.again("repeated")
                    self.found(log, f"command c was told that nothing was recorded ({outcome}) by a try sent after it was")

    def test_an_append_is_recorded_before_it_is_asked_for(self):
        log = self.sound()
        log.append("c", ("u", 1))
        log.record_at("c", log.appends[-1].sent)
        self.assertEqual(log.problems(), [])
        log.record_at("c", log.appends[-1].sent - 1)
        self.found(log, "command c was recorded before it was asked for")

    def test_an_append_is_recorded_at_its_deadline(self):
        log = self.sound()
        log.append("c", ("u", 1), outcome="unknown")
        log.record_at("c", log.appends[-1].deadline)
        log.again("repeated")
        self.assertEqual(log.problems(), [])

    def test_an_append_is_recorded_after_its_deadline(self):
        log = self.sound()
        log.append("c", ("u", 1), outcome="unknown")
        log.record_at("c", log.appends[-1].deadline + 1)
        # Has a later deadline, and was not there yet.
        log.again("repeated")
        self.found(log, "command c was recorded 1 µs after its last deadline")

    def test_an_append_whose_first_deadline_was_over_is_recorded_by_a_later_try(self):
        log = self.sound()
        log.told("c", (("u", 0, ("c-u-0",)),), "unknown")
        log.append("c", ("u", 1))
        self.assertEqual(log.problems(), [])

    def test_a_later_try_may_have_an_earlier_deadline(self):
        log = self.sound()
        log.told("c", (("u", 0, ("c-u-0",)),), "unknown")
        log.append("c", ("u", 1), outcome="unknown")
        log.alter(-2, deadline=log.appends[-1].deadline + 1)
        log.record_at("c", log.appends[-2].deadline)
        log.again("repeated")
        self.assertEqual(log.problems(), [])

    def test_deadlines_that_were_not_written_down_are_not_judged(self):
        log = self.sound()
        log.append("c", ("u", 1))
        log.alter(-1, deadline=None)
        self.assertEqual(log.problems(), [])

    def test_refused_in_the_end_and_recorded(self):
        log = self.sound()
        log.append("c", ("s", 1), outcome="unknown")
        log.again("conflict", stream="s", actual=4)
        self.found(log, "command c was refused in the end, and is recorded")
        self.found(log, "because of itself")

    def test_a_command_of_nobody(self):
        log = self.sound()
        del log.appends[1]
        self.found(log, "command b at position 4 was asked for by nobody")

    def conflict(self, expected, actual, **fields):
        log = self.sound()
        log.told("d", (("s", expected, ("d-s-0",)),), "conflict", stream="s", actual=actual, **fields)
        return log

    def test_a_conflict_without_a_rival(self):
        self.found(self.conflict(3, 4), "is at version 4, which it never was")

    def test_a_conflict_that_is_none(self):
        self.found(self.conflict(3, 3), "which is no conflict with 3")

    def test_a_conflict_with_a_stream_that_was_not_named(self):
        log = self.conflict(2, 3)
        log.appends[-1] = dataclasses.replace(log.appends[-1], stream="t")
        self.found(log, "which is no conflict with None")

    def test_a_conflict_that_shows_that_the_log_went_back(self):
        self.found(self.conflict(3, 2), "behind the 3 that had been acknowledged")

    def test_a_conflict_with_a_rival_that_came_later(self):
        log = self.conflict(2, 3)
        log.appends[-1] = dataclasses.replace(log.appends[-1], got=NOW)
        self.found(log, "is at version 3 before it was")

    def test_a_conflict_that_was_stale(self):
        self.found(self.conflict(1, 2, floor=4), "is at version 2 when version 3 had been acknowledged")

    def test_malformed(self):
        log = self.sound()
        log.told("d", (("s", 3, ("d-s-0",)),), "malformed")
        self.found(log, "command d was called malformed")


class Chain(unittest.TestCase):
    def rows(self):
        rows, previous = [], bytes(32)
        for position in (1, 2, 3):
            row = {
                "position": position, "event_id": str(uuid.UUID(int=position)), "stream": "a", "version": position, "type": "x.Y",
                "schema_version": 1, "recorded_at": position, "command_id": str(uuid.UUID(int=9)), "payload": b"{}", "metadata": b"{}",
            }
            fields = [
                previous, position.to_bytes(8, "little"), uuid.UUID(int=position).bytes, b"a", position.to_bytes(4, "little"), b"x.Y",
                (1).to_bytes(2, "little"), position.to_bytes(8, "little"), uuid.UUID(int=9).bytes, b"{}", b"{}",
            ]
            previous = hashlib.sha256(b"".join(len(field).to_bytes(4, "little") + field for field in fields)).digest()
            rows.append(dict(row, hash=previous))
        return rows

    def test_a_sound_chain(self):
        self.assertEqual(list(history.check_chain(self.rows())), [])

    def test_an_altered_payload(self):
        rows = self.rows()
        rows[1]["payload"] = b'{"x":1}'
        self.assertIn("position 2", next(history.check_chain(rows)))

    def test_a_missing_event(self):
        rows = self.rows()
        del rows[1]
        self.assertIn("position 3", next(history.check_chain(rows)))


if __name__ == "__main__":
    unittest.main()
