"""A booking bot: books the next free slot, moves and cancels it.

python3 bot.py book ada@example.com Ada Lovelace
python3 bot.py move ada@example.com Lovelace
python3 bot.py cancel ada@example.com Lovelace

Instead of the email, a phone (+442079460018) or the id of a contact, which needs no names.
"""

import datetime
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

BASE = os.environ.get("FRONTDESK_URL", "http://localhost:8080")
KEY = os.environ["FRONTDESK_API_KEY"]
TYPE = os.environ.get("APPOINTMENT_TYPE", "check-up")
TRIES = 5


class ApiError(Exception):
    def __init__(self, status, error, request_id):
        super().__init__(f"{error['code']}: {error['message']} (request {request_id})")
        self.status = status
        self.said = error["message"]
        details = error.get("details", {})
        self.reason = details.get("reason")
        # The next free times, if a time was refused.
        self.alternatives = details.get("alternatives")


def explain(error):
    """Says why a call was refused, so that the bot can go on with the conversation."""
    # The same response for a wrong email or name, an unknown customer, and one without
    # appointments. The email must have the case with which it was stored.
    if error.status == 404:
        return (
            "I cannot find an appointment for these details. "
            "Please check the email or phone, and the last name."
        )
    if error.reason in ("too_late", "started", "reschedule_not_allowed", "series"):
        return f"This cannot be changed here: {error.said}. I will ask the team to help you."
    return str(error)


def call(method, path, body=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    if method == "POST":
        # If the response is lost, repeat the request with the same key: it counts once.
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        request_id = error.headers.get("X-Request-Id", "unknown")
        raise ApiError(error.code, json.load(error)["error"], request_id) from error


def free_slots():
    """Returns the free slots of the next two weeks, and the type that they belong to."""
    today = datetime.datetime.now(datetime.timezone.utc).date()
    query = urllib.parse.urlencode(
        {
            "appointmentType": TYPE,
            "date": today + datetime.timedelta(days=1),
            "endDate": today + datetime.timedelta(days=14),
        }
    )
    found = call("GET", f"/api/v1/calendars/availability?{query}")
    return found["data"], found["meta"]["appointmentTypeId"]


def customer_of(text):
    """An email or a phone is what the customer gives. An id comes from your own records or from
    the event `message.received`: never accept it from the customer."""
    if "@" in text:
        return {"email": text}
    return {"phone": text} if text.startswith("+") else {"contactId": text}


def identification_of(customer, last_name):
    """An id identifies the customer alone, an email or a phone only with the last name."""
    return customer if "contactId" in customer else {**customer, "lastName": last_name}


def take_first(slots, take):
    """Takes the first time and returns its label.

    If another customer took it in the meantime, the refusal names the next free ones. A bot in a
    conversation offers those to the customer instead of taking the first.
    """
    labels = {slot["startTime"]: slot["label"] for slot in slots}
    times = slots
    for attempt in range(1, TRIES + 1):
        if not times:
            sys.exit(f"There is no free time for {TYPE}.")
        start, end = times[0]["startTime"], times[0]["endTime"]
        try:
            take(start, end)
        except ApiError as error:
            if error.alternatives is None or attempt == TRIES:
                raise
            times = error.alternatives
        else:
            at = datetime.datetime.fromtimestamp(start / 1000, datetime.timezone.utc)
            return labels.get(start, at.isoformat())


def book(customer, first_name="", last_name=""):
    slots, type_id = free_slots()
    names = {"firstName": first_name, "lastName": last_name}
    details = customer if "contactId" in customer else {**customer, **names}

    def take(start, end):
        # Send the times exactly as availability returned them.
        times = {"startTime": start, "endTime": end}
        body = {"appointmentTypeId": type_id, **times, **details}
        call("POST", "/api/v1/calendars/appointments", body)

    print("Booked:", take_first(slots, take))


def appointment_of(customer):
    """The customer proves who they are by two facts; the API finds the appointment."""
    found = call("POST", "/api/v1/booking/appointments/actionable", customer)
    appointment = found["data"]["appointment"]
    if appointment is not None:
        return appointment["appointmentId"]
    every = call("POST", "/api/v1/booking/appointments", customer)["data"]
    labels = "; ".join(one["label"] for one in every if one["canCancel"] or one["canReschedule"])
    sys.exit(f"Which one do you mean: {labels}?" if labels else "You have no upcoming appointment.")


def move(customer, last_name=""):
    identification = identification_of(customer, last_name)
    appointment_id = appointment_of(identification)
    slots, _ = free_slots()

    def take(start, end):
        times = {"newStartTime": start, "newEndTime": end}
        body = {**identification, "appointmentId": appointment_id, **times}
        call("POST", "/api/v1/booking/appointments/reschedule", body)

    print("Moved:", take_first(slots, take))


def cancel(customer, last_name=""):
    identification = identification_of(customer, last_name)
    # `confirm` keeps a bot from cancelling before the customer has said yes.
    body = {**identification, "appointmentId": appointment_of(identification), "confirm": True}
    call("POST", "/api/v1/booking/appointments/cancel", body)
    print("Cancelled")


USAGE = "Usage: bot.py book CUSTOMER FIRST LAST | move CUSTOMER LAST | cancel CUSTOMER LAST"
# What to run, and how many names it takes for an email or a phone.
COMMANDS = {"book": (book, 2), "move": (move, 1), "cancel": (cancel, 1)}
command, *given = sys.argv[1:] or ["help"]
run, count = COMMANDS.get(command, (None, 0))
if run is None or not given:
    sys.exit(USAGE)
customer = customer_of(given[0])
names = given[1:]
if len(names) != (0 if "contactId" in customer else count):
    sys.exit(USAGE)
try:
    run(customer, *names)
except ApiError as error:
    sys.exit(explain(error))
