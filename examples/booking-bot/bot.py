"""A booking bot: books the next free slot, moves and cancels it.

python3 bot.py book ada@example.com Ada Lovelace
python3 bot.py move ada@example.com Lovelace
python3 bot.py cancel ada@example.com Lovelace
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


class ApiError(Exception):
    def __init__(self, status, error, request_id):
        super().__init__(f"{error['code']}: {error['message']} (request {request_id})")
        self.status = status
        self.said = error["message"]
        self.reason = error.get("details", {}).get("reason")


def explain(error):
    """Says why a call was refused, so that the bot can go on with the conversation."""
    # The same response for a wrong email or name, an unknown customer, and one without
    # appointments. The email must have the case with which it was stored.
    if error.status == 404:
        return (
            "I cannot find an appointment for these details. "
            "Please check the email and the last name."
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


def first_that_is_free(slots, take):
    """Tries the slots in order: another customer may take one before the booking."""
    for slot in slots:
        try:
            take(slot)
            return slot["label"]
        except ApiError as error:
            if error.reason != "slot_unavailable":
                raise
    sys.exit(f"There is no free time for {TYPE} in the next two weeks.")


def book(email, first_name, last_name):
    slots, type_id = free_slots()
    person = {"email": email, "firstName": first_name, "lastName": last_name}

    def take(slot):
        # Send the times exactly as availability returned them.
        times = {"startTime": slot["startTime"], "endTime": slot["endTime"]}
        body = {"appointmentTypeId": type_id, **times, **person}
        call("POST", "/api/v1/calendars/appointments", body)

    print("Booked:", first_that_is_free(slots, take))


def appointment_of(customer):
    """The customer proves who they are by two facts; the API finds the appointment."""
    found = call("POST", "/api/v1/booking/appointments/actionable", customer)
    appointment = found["data"]["appointment"]
    if appointment is not None:
        return appointment["appointmentId"]
    every = call("POST", "/api/v1/booking/appointments", customer)["data"]
    labels = "; ".join(one["label"] for one in every if one["canCancel"] or one["canReschedule"])
    sys.exit(f"Which one do you mean: {labels}?" if labels else "You have no upcoming appointment.")


def move(email, last_name):
    customer = {"email": email, "lastName": last_name}
    appointment_id = appointment_of(customer)
    slots, _ = free_slots()

    def take(slot):
        times = {"newStartTime": slot["startTime"], "newEndTime": slot["endTime"]}
        body = {**customer, "appointmentId": appointment_id, **times}
        call("POST", "/api/v1/booking/appointments/reschedule", body)

    print("Moved:", first_that_is_free(slots, take))


def cancel(email, last_name):
    customer = {"email": email, "lastName": last_name}
    # `confirm` keeps a bot from cancelling before the customer has said yes.
    body = {**customer, "appointmentId": appointment_of(customer), "confirm": True}
    call("POST", "/api/v1/booking/appointments/cancel", body)
    print("Cancelled")


COMMANDS = {"book": (book, 3), "move": (move, 2), "cancel": (cancel, 2)}
command, *given = sys.argv[1:] or ["help"]
run, count = COMMANDS.get(command, (None, 0))
if run is None or len(given) != count:
    sys.exit("Usage: bot.py book EMAIL FIRST LAST | move EMAIL LAST | cancel EMAIL LAST")
try:
    run(*given)
except ApiError as error:
    sys.exit(explain(error))
