"""A webhook receiver with the standard library."""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
TOLERANCE_SECONDS = 300
LIMIT_BYTES = 2_000_000

# Ids of handled events. Keep them in your database, with what the event changes there.
handled = set()


def is_genuine(headers, body):
    timestamp = headers.get("X-Webhook-Timestamp", "")
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(SECRET, signed, hashlib.sha256).hexdigest()
    given = headers.get("X-Webhook-Signature-V2", "")
    # compare_digest takes the same time for every wrong signature.
    if not hmac.compare_digest(expected.encode(), given.encode()):
        return False
    # A recorded delivery cannot be replayed later.
    return abs(time.time() - int(timestamp) / 1000) <= TOLERANCE_SECONDS


def handle(event_id, event):
    """Handles each event once: a delivery whose response was lost is repeated."""
    if event_id in handled:
        return
    print(event["event"], event["data"].get("firstName", ""), flush=True)
    # Last, so that an event whose handling failed is handled again.
    handled.add(event_id)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        # The raw bytes: JSON that was parsed and serialised again has another signature.
        body = self.rfile.read(length) if length <= LIMIT_BYTES else b""
        if not is_genuine(self.headers, body):
            self.respond(401)
            return
        handle(self.headers["X-Webhook-Event-Id"], json.loads(body))
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
