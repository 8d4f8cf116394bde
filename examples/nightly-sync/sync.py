"""Mirrors the contacts of a sub-account to a file.

The first run, and one run a week, reads them all; the others read only what the event feed
reports since. A run that fails leaves the file as it was: the next one starts from there.
Run it nightly: python3 sync.py contacts.json
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BASE = os.environ.get("FRONTDESK_URL", "http://localhost:8080")
KEY = os.environ["FRONTDESK_API_KEY"]
TRIES = 5
RETRIED = {408, 429, 500, 502, 503, 504}
# Every seventh night: deleting a contact is no event, and the feed keeps events for 30 days.
READ_ALL_AFTER_SECONDS = 6.5 * 86_400


def get(path, **query):
    url = f"{BASE}/api/v1/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {KEY}"})
    for attempt in range(1, TRIES + 1):
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in RETRIED or attempt == TRIES:
                raise
            # The server says how long to wait.
            wait = int(error.headers.get("Retry-After", 2**attempt))
        except (OSError, http.client.HTTPException):
            # No connection, or no complete response.
            if attempt == TRIES:
                raise
            wait = 2**attempt
        time.sleep(wait)


def read_all():
    read_all_at = time.time()
    # The position first: changes during the list are then read again, and none is missed.
    cursor = get("events", start="latest", limit=1)["meta"]["cursor"]
    contacts, query = {}, {"limit": 100}
    while True:
        page = get("contacts", **query)
        contacts.update({contact["id"]: contact for contact in page["data"]})
        if not page["meta"]["hasMore"]:
            return {"cursor": cursor, "contacts": contacts, "readAllAt": read_all_at * 1000}
        query["cursor"] = page["meta"]["cursor"]


def read_changes(mirror):
    changed, cursor, more = set(), mirror["cursor"], True
    while more:
        page = get("events", after=cursor, limit=100)
        changed.update(event["data"].get("contactId") for event in page["data"])
        cursor, more = page["meta"]["cursor"], page["meta"]["hasMore"]
    # An event says that a contact changed; its record says what it is now.
    for contact_id in changed - {None}:
        try:
            mirror["contacts"][contact_id] = get(f"contacts/{contact_id}")["data"]
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
            # Deleted meanwhile.
            mirror["contacts"].pop(contact_id, None)
    return {**mirror, "cursor": cursor}


path = sys.argv[1] if len(sys.argv) > 1 else "contacts.json"
before = None
if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
        before = json.load(file)
age = time.time() - before.get("readAllAt", 0) / 1000 if before else READ_ALL_AFTER_SECONDS
mirror = read_changes(before) if age < READ_ALL_AFTER_SECONDS else read_all()
# Position and contacts in one step, so that they belong together after a crash, too.
with open(path + ".new", "w", encoding="utf-8") as file:
    json.dump(mirror, file, indent=2)
os.replace(path + ".new", path)
print(len(mirror["contacts"]), "contacts")
