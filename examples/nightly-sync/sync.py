"""Mirrors the contacts of a sub-account to a file.

The first run reads them all; later runs read only what the event feed reports since.
Run it nightly: python3 sync.py contacts.json
"""

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


def get(path, **query):
    url = f"{BASE}/api/v1/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {KEY}"})
    for attempt in range(1, TRIES + 1):
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == TRIES:
                raise
            # The server says how long to wait.
            time.sleep(int(error.headers.get("Retry-After", "1")))


def read_all():
    # The position first: changes during the list are then read again, and none is missed.
    cursor = get("events", start="latest", limit=1)["meta"]["cursor"]
    contacts, query = {}, {"limit": 100}
    while True:
        page = get("contacts", **query)
        contacts.update({contact["id"]: contact for contact in page["data"]})
        if not page["meta"]["hasMore"]:
            return {"cursor": cursor, "contacts": contacts}
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
    return {"cursor": cursor, "contacts": mirror["contacts"]}


path = sys.argv[1] if len(sys.argv) > 1 else "contacts.json"
if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
        mirror = read_changes(json.load(file))
else:
    mirror = read_all()
# Position and contacts in one step: a run that is interrupted starts again from the old position.
with open(path + ".new", "w", encoding="utf-8") as file:
    json.dump(mirror, file, indent=2)
os.replace(path + ".new", path)
print(len(mirror["contacts"]), "contacts")
