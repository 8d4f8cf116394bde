# WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py     (Python 3.8 or newer)
# During a rotation: WEBHOOK_SECRET=whsec_new,whsec_old
import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 5 * 60
SECRETS = os.environ.get("WEBHOOK_SECRET", "").split(",")
KEYS = [base64.b64decode(secret[len("whsec_"):]) for secret in SECRETS]
if not all(KEYS):
    sys.exit("WEBHOOK_SECRET is not set")


def is_genuine(headers, body):
    """`body` is the bytes as they came: JSON parsed and written again has other bytes."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    # `X-Webhook-Event-Id` is not signed: a changed one would make a repeat look new.
    if headers.get("X-Webhook-Event-Id", event_id) != event_id or not timestamp.isdecimal():
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    digests = [hmac.new(key, signed, hashlib.sha256).digest() for key in KEYS]
    expected = [b"v1," + base64.b64encode(digest) for digest in digests]
    given = headers.get("webhook-signature", "").encode().split(b" ")[:2]
    return any(hmac.compare_digest(one, other) for one in given for other in expected)


def keep(event_id, body):
    """Put it into a queue or table here, once per event id, and do the work later."""
    print(event_id, json.loads(body)["event"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(self.receive(body))
        self.end_headers()

    def receive(self, body):
        if not is_genuine(self.headers, body):
            return 401
        try:
            keep(self.headers["webhook-id"], body)
            return 204
        except Exception as error:
            print(error, file=sys.stderr, flush=True)
            # The event is delivered again later.
            return 500


port = int(os.environ.get("PORT", "3000"))
ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
