# WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py     (Python 3.8 or newer)
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_MS = 5 * 60 * 1000
SECRET = os.environ.get("WEBHOOK_SECRET", "").encode()
if not SECRET:
    sys.exit("WEBHOOK_SECRET is not set")


def is_genuine(headers, body):
    """`body` is the bytes as they came: JSON parsed and written again has other bytes."""
    timestamp = headers.get("X-Webhook-Timestamp", "")
    given = headers.get("X-Webhook-Signature-V2", "")
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(SECRET, signed, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(given.encode(), expected.encode()):
        return False
    return abs(time.time() * 1000 - int(timestamp)) <= TOLERANCE_MS


def keep(event_id, body):
    """Put it into a queue or table here, once per event id, and do the work later."""
    print(event_id, json.loads(body)["event"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        genuine = is_genuine(self.headers, body)
        if genuine:
            keep(self.headers["X-Webhook-Event-Id"], body)
        self.send_response(204 if genuine else 401)
        self.end_headers()


port = int(os.environ.get("PORT", "3000"))
ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
