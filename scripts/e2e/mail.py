"""What the program tells people, as others read it: mail by a real mail server and a mail library, invitations and calendars by a
calendar library.

    mail.py BINARY FOLDER

Needs Debian's python3-aiosmtpd and python3-icalendar, and so runs their helpers by Debian's own python3.
"""

import email
import email.policy
import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

from stack import ADMIN, MEMBER, Api, Failed, Process, World, say, time_limit, wait_for

PYTHON = "/usr/bin/python3"
HERE = Path(__file__).parent

# What the calendar library makes of a calendar, as JSON.
READER = """
import datetime, json, sys, icalendar
text = sys.stdin.buffer.read()
calendar = icalendar.Calendar.from_ical(text)
zones = {str(zone["TZID"]): zone.to_tz() for zone in calendar.walk("VTIMEZONE")}
events = []
for event in calendar.walk("VEVENT"):
    assert not event.errors, event.errors
    start = event["DTSTART"]
    zone = start.params.get("TZID")
    # By the rules that came with it, not by those that this machine knows.
    instant = zones[zone].localize(start.dt.replace(tzinfo=None)) if zone else start.dt
    events.append({"uid": str(event["UID"]), "sequence": int(event["SEQUENCE"]), "status": str(event["STATUS"]), "zone": zone,
                   "start": instant.astimezone(datetime.timezone.utc).isoformat(), "summary": str(event["SUMMARY"]),
                   "attendee": str(event.get("ATTENDEE", "")), "organizer": str(event.get("ORGANIZER", ""))})
print(json.dumps({"method": str(calendar["METHOD"]), "zones": sorted(zones), "events": events}))
"""


def read_calendar(data):
    done = subprocess.run([PYTHON, "-c", READER], input=data, capture_output=True, timeout=30)
    if done.returncode != 0:
        raise Failed(f"the calendar library does not take it: {done.stderr.decode()[-500:]}\n{data.decode()}")
    return json.loads(done.stdout)


def check(condition, what):
    if not condition:
        raise Failed(what)


class Mailbox:
    def __init__(self, folder):
        self.folder = folder
        self.server = subprocess.Popen(
            [PYTHON, str(HERE / "smtp_server.py"), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        line = self.server.stdout.readline().strip()
        if not line:
            raise Failed("the mail server does not start: is python3-aiosmtpd installed?")
        self.port = int(line)

    def messages(self):
        files = sorted(self.folder.glob("*.eml"), key=lambda file: int(file.stem))
        return [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]

    def wait(self, count):
        wait_for(f"{count} mails", 30, lambda: len(self.messages()) >= count)
        found = self.messages()
        check(len(found) == count, f"{len(found)} mails where {count} were to come")
        return found

    def behave(self, mode):
        (self.folder / "mode").write_text(mode)

    def stop(self):
        self.server.stdin.close()
        self.server.wait(10)


def part(message, kind):
    return next(p for p in message.walk() if p.get_content_type() == kind)


def book(api, desk):
    """A booking that stands: what costs something is confirmed at the desk."""
    for space in api.expect(200, "GET", "/spaces?type=cabine").json:
        for days in range(3, 40):
            day = date.today() + timedelta(days)
            slots = api.expect(200, "GET", f"/spaces/{space['id']}/availability?date={day}").json["slots"]
            if slots:
                wish = {"space_id": space["id"], "start_time": slots[0]["start_time"], "end_time": slots[0]["end_time"]}
                booked = api.expect(201, "POST", "/reservations", wish).json
                if booked["status"] != "active":
                    desk.expect(200, "POST", f"/reservations/{booked['id']}/confirm")
                return booked
    raise Failed("no cabin is free")


def run(binary, folder):
    mailbox = Mailbox(folder / "mail")
    with World("mail", folder) as world:
        environment = dict(world.environment, COWORKFLOW_SMTP_URL=f"smtp://127.0.0.1:{mailbox.port}",
                           COWORKFLOW_MAIL_FROM="no-reply@coworkflow.test")
        app = Process(binary, ["dev"], environment, folder / "app.log")
        app.wait_ready()
        member = Api(world.port)
        member.sign_in(*MEMBER)

        desk = Api(world.port)
        desk.sign_in(*ADMIN)
        booked = book(member, desk)
        first = mailbox.wait(1)[0]
        check(first["to"].addresses[0].addr_spec == MEMBER[0], f"it goes to {first['to']}")
        check(first["subject"].startswith("Reserva confirmada: "), f"its subject is {first['subject']}")
        check(not first.defects, f"the mail library finds fault: {first.defects}")
        check("confirmada" in part(first, "text/plain").get_content(), "the text does not say that it is confirmed")
        check(booked["id"] in part(first, "text/html").get_content(), "the HTML does not name the booking")
        invitation = read_calendar(part(first, "text/calendar").get_content().encode())
        check(invitation["method"] == "REQUEST", "the invitation does not invite")
        event = invitation["events"][0]
        check(event["uid"] == f"{booked['id']}@coworkflow", "its UID is another")
        check(event["zone"] in invitation["zones"], "its zone is not described")
        check(event["attendee"] == f"mailto:{MEMBER[0]}", f"it invites {event['attendee']}")

        # The file, the feed and the invitation are of one event.
        file = read_calendar(member.request("GET", f"/reservations/{booked['id']}/calendar.ics").bytes)
        path = member.expect(201, "POST", "/users/me/calendar").json["path"]
        wait_for("the calendar can be followed", 10, lambda: Api(world.port).request("GET", path).status == 200)
        feed = read_calendar(Api(world.port).request("GET", path).bytes)
        for calendar in (file, feed):
            same = next(e for e in calendar["events"] if e["uid"] == event["uid"])
            check(same["start"] == event["start"], "file or feed begins at another time than the invitation")
            check(same["status"] == "CONFIRMED", f"it is {same['status']}")

        # A mail server that is not well gets it later, once, and the calendar takes the event away.
        mailbox.behave("defer")
        member.expect(200, "DELETE", f"/reservations/{booked['id']}")
        wait_for("the booking is cancelled in the app", 20, lambda: len(member.expect(200, "GET", "/notifications").json) == 2)
        mailbox.behave("ok")
        second = mailbox.wait(2)[1]
        check(second["message-id"] != first["message-id"], "two messages have one Message-ID")
        off = read_calendar(part(second, "text/calendar").get_content().encode())
        check(off["method"] == "CANCEL" and off["events"][0]["status"] == "CANCELLED", "it is not called off")
        check(off["events"][0]["uid"] == event["uid"], "another event is called off")
        check(off["events"][0]["sequence"] > event["sequence"], "SEQUENCE has not grown")

        # A process that dies and comes back tells nobody twice.
        app.stop()
        app = Process(binary, ["dev"], environment, folder / "app.log")
        app.wait_ready()
        admin = Api(world.port)
        admin.sign_in(*ADMIN)
        admin.expect(202, "POST", "/notify/email", {"to": "somebody@example.com", "subject": "Olá", "body": "Até logo."})
        mailbox.wait(3)
        app.stop()
    mailbox.stop()
    say("  mail, invitations, calendar file and feed are read as they were meant")


def main():
    binary, folder = sys.argv[1:]
    time_limit(200)
    try:
        run(binary, Path(folder))
    except Failed as failure:
        say(f"  WRONG: {failure}")
        sys.exit(1)


if __name__ == "__main__":
    main()
