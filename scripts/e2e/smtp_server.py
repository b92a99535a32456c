"""A mail server for tests: takes every message and keeps it in a folder.

    /usr/bin/python3 smtp_server.py FOLDER [--auth USER PASSWORD] [--starttls] [--tls]

Prints its port, then serves until its standard input ends. Each message is FOLDER/N.eml, its envelope FOLDER/N.json. What the file
FOLDER/mode says holds for the next messages: "ok", "defer" (451), "reject" (550), "drop" (the talk breaks off), "hang" (no reply).
"""

import argparse
import asyncio
import json
import ssl
import subprocess
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


class Keeper:
    def __init__(self, folder, is_encrypted):
        self.folder = folder
        self.is_encrypted = is_encrypted
        self.count = 0

    async def handle_DATA(self, server, session, envelope):
        mode_file = self.folder / "mode"
        mode = mode_file.read_text().strip() if mode_file.exists() else "ok"
        if mode == "defer":
            return "451 4.3.0 later"
        if mode == "reject":
            return "550 5.1.1 nobody here"
        if mode == "drop":
            server.transport.abort()
            return "421 gone"
        if mode == "hang":
            await asyncio.sleep(3600)
        self.count += 1
        place = self.folder / f"{self.count}"
        known = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "tls": session.ssl is not None or self.is_encrypted,
            "user": session.auth_data.login.decode() if session.auth_data else None,
        }
        place.with_suffix(".json").write_text(json.dumps(known))
        # Whoever counts messages counts whole ones.
        place.with_suffix(".part").write_bytes(envelope.content)
        place.with_suffix(".part").rename(place.with_suffix(".eml"))
        return "250 2.0.0 taken"


def certificate(folder):
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)],
        check=True, capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--auth", nargs=2)
    parser.add_argument("--starttls", action="store_true")
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    context = certificate(options.folder) if options.starttls or options.tls else None
    keeper = Keeper(options.folder, options.tls)

    def authenticate(server, session, envelope, mechanism, data):
        wanted = LoginPassword(*(text.encode() for text in options.auth))
        return AuthResult(success=data == wanted, handled=False, auth_data=data)

    def protocol():
        return SMTP(
            keeper, hostname="localhost", enable_SMTPUTF8=False,
            tls_context=context if options.starttls else None, require_starttls=options.starttls,
            authenticator=authenticate if options.auth else None, auth_required=bool(options.auth), auth_require_tls=False,
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=context if options.tls else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


asyncio.run(main())
