"""A webhook receiver with the standard library. Run one process per inbox file."""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import threading
import time
import traceback
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# One secret, or several during a rotation, separated by commas.
SECRETS = os.environ["WEBHOOK_SECRET"].split(",")
KEYS = [base64.b64decode(secret[len("whsec_") :]) for secret in SECRETS]
if not all(KEYS):
    raise SystemExit("WEBHOOK_SECRET is not set")
TOLERANCE_SECONDS = 300
LIMIT_BYTES = 2_000_000

INBOX = os.environ.get("INBOX", "inbox.db")
RETRY_MS = 60_000
# Events can be replayed for 30 days: until then, their ids are kept.
KEPT_MS = 30 * 86_400_000

arrived = threading.Event()


def is_genuine(headers, body):
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    # `X-Webhook-Event-Id` is not signed: a changed one would make a repeat look new.
    if headers.get("X-Webhook-Event-Id", event_id) != event_id or not timestamp.isdecimal():
        return False
    # A recorded delivery cannot be replayed later.
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    digests = [hmac.new(key, signed, hashlib.sha256).digest() for key in KEYS]
    expected = [b"v1," + base64.b64encode(digest) for digest in digests]
    given = headers.get("webhook-signature", "").encode().split(b" ")[:2]
    # compare_digest takes the same time for every wrong signature.
    return any(hmac.compare_digest(one, other) for one in given for other in expected)


def now_ms():
    return int(time.time() * 1000)


def connect():
    """Returns a connection for this thread; each statement is on the disk when it returns."""
    return sqlite3.connect(INBOX, timeout=5, isolation_level=None)


def store(event_id, body):
    """Stores an event once: a repeated delivery has the same id."""
    with closing(connect()) as database:
        database.execute(
            "insert or ignore into events (id, body, received_at, due_at) values (?, ?, ?, ?)",
            (event_id, body.decode(), now_ms(), now_ms()),
        )
    arrived.set()


def handle(event_id, event):
    """Your own code. If it raises, or the process ends before it returns, the event is handled
    again: make the work safe to repeat, for example by storing its result under the event's id."""
    print(event["event"], event["data"].get("firstName", ""), flush=True)


def work():
    """Handles the stored events that are due, in the order of their arrival."""
    database = connect()
    while True:
        arrived.clear()
        row = database.execute(
            "select id, body from events where handled_at is null and due_at <= ? "
            "order by rowid limit 1",
            (now_ms(),),
        ).fetchone()
        if row is None:
            then = now_ms() - KEPT_MS
            database.execute(
                "delete from events where handled_at < ? and received_at < ?", (then, then)
            )
            arrived.wait(timeout=RETRY_MS / 1000)
            continue
        event_id, body = row
        try:
            handle(event_id, json.loads(body))
            database.execute("update events set handled_at = ? where id = ?", (now_ms(), event_id))
        except Exception:
            # It is handled again in a minute; the events after it are handled now.
            traceback.print_exc()
            due = now_ms() + RETRY_MS
            database.execute("update events set due_at = ? where id = ?", (due, event_id))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        # The raw bytes: JSON that was parsed and serialised again has another signature.
        body = self.rfile.read(length) if length <= LIMIT_BYTES else b""
        if not is_genuine(self.headers, body):
            self.respond(401)
            return
        # Respond only after storing: an event that got a 2xx is not sent again.
        store(self.headers["webhook-id"], body)
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


with closing(connect()) as database:
    database.execute(
        "create table if not exists events (id text primary key, body text not null, "
        "received_at integer not null, due_at integer not null, handled_at integer)"
    )
threading.Thread(target=work, daemon=True).start()
# A proxy on this machine ends TLS in front of it.
port = int(os.environ.get("PORT", "3000"))
ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
