#!/usr/bin/env python3
"""Drives a real `usher` through everything that makes an event and leaves its data directory.

    make_log.py USHER DIRECTORY

README.md says what becomes of it. Needs nothing but Python; takes about a minute, since rooms wait
for absent fans and breakers for their time.
"""

import datetime
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

OPERATOR = "released-operator-key-0123456789"
usher, directory = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
serial = 0


def start(arguments, environment=None):
    child = subprocess.Popen([usher, *arguments], stdout=subprocess.PIPE, text=True,
                             env={**os.environ, **(environment or {})})
    for line in child.stdout:  # the first start tells its key before
        if found := re.search(r"listen.*http://([0-9.]+:[0-9]+)", line):
            return child, found.group(1)
    raise SystemExit(f"{arguments[0]} did not start")


gateway, gateway_at = start(["sandbox-gateway", "--listen", "127.0.0.1:0"])
ENVIRONMENT = {
    "USHER_OPERATOR_KEY": OPERATOR, "USHER_PAYMENT_LIMIT": "20s", "USHER_GATEWAY_DEADLINE": "2s", "USHER_GATEWAY_SLOW": "1s",
    "USHER_SANDBOX_BASE_URL": f"http://{gateway_at}/plain", "USHER_SANDBOX_SECRET_KEY": "none",
    "USHER_SANDBOX_BREAKER_OPEN": "1s", "USHER_SANDBOX_PRIORITY": "10",
    "USHER_STRIPE_BASE_URL": f"http://{gateway_at}/stripe", "USHER_STRIPE_SECRET_KEY": "none",
    "USHER_STRIPE_WEBHOOK_SECRETS": "whsec_sandbox_stripe_is_no_secret", "USHER_STRIPE_PRIORITY": "20",
}


def serve():
    return start(["serve", "--data", directory, "--listen", "127.0.0.1:0"], ENVIRONMENT)


# The first start makes an admin key; from the second on it is the one that is given.
server, at = start(["serve", "--data", directory, "--listen", "127.0.0.1:0"])
server.send_signal(signal.SIGTERM)
server.wait(timeout=30)
server, at = serve()


def call(method, path, body=None, wants=(200, 201, 202, 204), ticket=None, key=None, operator=True):
    global serial
    serial += 1
    headers = {"Content-Type": "application/json"}
    if operator:
        headers["Authorization"] = "Bearer " + OPERATOR
    if ticket:
        headers["X-Admission-Ticket"] = ticket
    headers["Idempotency-Key"] = key or f"key-{serial:04d}-0123456789abcdef"
    data = json.dumps(body).encode() if body is not None else b"" if method != "GET" else None
    asked = urllib.request.Request(f"http://{at}{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        status, text = refused.code, refused.read()
    if status not in wants:
        raise SystemExit(f"{method} {path} {body}: {status} {text.decode()}")
    return json.loads(text) if text else {}


def room(show, what, body=None, method="POST"):
    return call(method, f"/v1/shows/{show}/waiting-room{'/' + what if what else ''}", body)


def join(show, customer=None, code=None, key=None, wants=(200, 202)):
    body = {}
    if customer:
        body["customerId"] = customer
    if code:
        body["accessCode"] = code
    return call("POST", f"/v1/shows/{show}/waiting-room/join", body, wants, key=key,
                operator=customer is not None)["ticketId"]


def status(show, ticket):
    return call("GET", f"/v1/shows/{show}/waiting-room/tickets/{ticket}", None, (200, 410), operator=False)["status"]


def wait_for(show, ticket, wanted, seconds=20):
    for _ in range(seconds * 10):
        if status(show, ticket) == wanted:
            return ticket
        time.sleep(0.1)
    raise SystemExit(f"{show}: a ticket is {status(show, ticket)} and not {wanted}")


def hold(show, ticket, seats, wants=(201,)):
    return call("POST", f"/v1/shows/{show}/holds", {"seats": seats}, wants, ticket=ticket, operator=False)["holdId"]


def order(show, ticket, hold_id, **more):
    body = {"holdId": hold_id, "showId": show, "customerEmail": "ada@example.org", **more}
    return call("POST", "/v1/orders", body, (201,), ticket=ticket, operator=False)["id"]


def pay(order_id, rule="approve", gateway_name=None, wants=(200, 202, 402)):
    body = {"method": "card", "token": "rule:" + rule, "gateway": gateway_name or "SANDBOX"}
    return call("POST", f"/v1/orders/{order_id}/pay", body, wants, operator=False)


def until(order_id, wanted, seconds=40):
    for _ in range(seconds * 5):
        now = call("GET", f"/v1/orders/{order_id}")["status"]
        if now in wanted:
            return now
        time.sleep(0.2)
    raise SystemExit(f"{order_id} is {now} and not {wanted}")


def a_plan(blocks):
    return {"categories": [{"id": "stalls", "name": "Stalls", "price": 4500}],
            "blocks": [{"id": name, "category": "stalls", "rows": [{"id": name, "count": seats}]} for name, seats in blocks]}


def quick(**more):
    return {"admitPerSecond": 1000, "maxActive": None, "tick": "100ms", "admissionTtl": "60s", "absentAfter": "60s", **more}


def in_seconds(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


# ---- a presale: schedule, prequeue, beacon, draw, codes, tiers

call("PUT", "/v1/shows/presale", {"title": "Presale", "currency": "EUR", "plan": a_plan([("A", 6)])})
room("presale", "", {**quick(), "tiers": ["members"], "opensAt": in_seconds(3600), "prequeue": "1s",
                     "beacon": {"source": "drand", "round": "7"}}, "PATCH")
room("presale", "", {"opensAt": None}, "PATCH")  # unscheduled
room("presale", "", {"opensAt": in_seconds(6), "prequeue": "5s"}, "PATCH")
room("presale", "access-codes", {"batch": "spring", "tier": "members", "codes": ["alpha", "beta"]})
room("presale", "message", {"en": "Soon."}, "PUT")
time.sleep(1.5)
waiting = [join("presale", f"customer-{i}") for i in range(4)]
late = join("presale", None, None, key="late-0123456789abcdef0123456789")
call("POST", "/v1/shows/presale/waiting-room/join", {"customerId": "customer-2", "accessCode": "alpha"}, (200, 202))
call("PUT", f"/v1/shows/presale/waiting-room/tickets/{waiting[0]}/wish", {"quantity": 2, "category": "stalls"}, operator=False)
room("presale", "draw/beacon", {"value": "abc"})
for ticket in waiting:
    wait_for("presale", ticket, "ADMITTED")
room("presale", "message", None, "DELETE")
call("POST", f"/v1/shows/presale/waiting-room/tickets/{late}/revoke", {"reason": "a robot"})

# ---- a sale: holds and what becomes of them, orders, payments, refunds, tickets

call("PUT", "/v1/shows/sale", {"title": "Sale", "currency": "EUR", "plan": a_plan([("A", 20), ("B", 20)]),
                               "holds": {"ttl": "30s", "paymentWindow": "25s", "maxSeats": 4, "maxLife": "2m"}})
call("PUT", "/v1/shows/sale", {"title": "The sale", "currency": "EUR"})
room("sale", "", quick(), "PATCH")
room("sale", "open")
room("sale", "pause")
room("sale", "resume")
fans = [join("sale", f"customer-{i}") for i in range(10)]
call("POST", "/v1/shows/sale/waiting-room/join", {"customerId": "customer-20"}, (200, 202), key="both-0123456789abcdef0123")
for fan in fans:
    wait_for("sale", fan, "ADMITTED")
first = hold("sale", fans[0], ["A-1", "A-2"])
call("POST", f"/v1/shows/sale/holds/{first}/extend", {}, ticket=fans[0], operator=False)
call("POST", f"/v1/shows/sale/holds/{first}/seats", {"seats": ["B-1"]}, ticket=fans[0], operator=False)
call("DELETE", f"/v1/shows/sale/holds/{first}/seats/B-1", None, ticket=fans[0], operator=False)
bought = order("sale", fans[0], first)
pay(bought)
until(bought, {"PAID"})
codes = call("GET", f"/v1/orders/{bought}", None)
texts = re.findall(r'"code": ?"([^"]+)"', json.dumps(codes))
if texts:
    call("POST", "/v1/tickets/verify", {"code": texts[0], "gate": "north", "mark": True})
call("POST", f"/v1/orders/{bought}/refund", {"seats": ["A-2"], "resell": True, "note": "rained off"})
until(bought, {"PARTLY_REFUNDED"})

released = hold("sale", fans[1], ["A-3"])
call("DELETE", f"/v1/shows/sale/holds/{released}", None, ticket=fans[1], operator=False)
cancelled = order("sale", fans[1], hold("sale", fans[1], ["A-3"]))
call("POST", f"/v1/orders/{cancelled}/cancel", {})
declined = order("sale", fans[2], hold("sale", fans[2], ["A-4"]))
pay(declined, "decline")
pay(declined)
unknown = order("sale", fans[3], hold("sale", fans[3], ["A-5"]))
pay(unknown, "timeout-after")
withdrawn = hold("sale", fans[4], ["A-6", "A-7"])
call("POST", "/v1/shows/sale/seats/block", {"seats": ["A-6"], "force": True, "note": "camera"})
call("POST", "/v1/shows/sale/seats/unblock", {"seats": ["A-6"]})
outside = order("sale", fans[5], hold("sale", fans[5], ["A-8"]))
call("POST", f"/v1/orders/{outside}/confirm", {"gateway": "EXTERNAL", "paymentId": "till-1"})
call("POST", f"/v1/orders/{outside}/confirm", {"gateway": "EXTERNAL", "paymentId": "till-2"}, (200, 202, 409))
# Money for an order that was cancelled, when its seat is another's: it goes back.
bought_by_another = order("sale", fans[6], hold("sale", fans[6], ["A-3"]))
pay(bought_by_another)
until(bought_by_another, {"PAID"})
call("POST", f"/v1/orders/{cancelled}/confirm", {"gateway": "EXTERNAL", "paymentId": "till-9"}, (200, 202, 409))
counter = call("POST", "/v1/shows/sale/box-office/sales", {"seats": ["B-10"], "method": "cash", "reference": "till-3"})
sold = counter.get("id") or counter["order"]["id"]
call("POST", "/v1/shows/sale/seats/return", {"order": sold, "seats": ["B-10"], "reference": "till-4"})
call("DELETE", f"/v1/shows/sale/waiting-room/tickets/{fans[9]}", None, operator=False)
call("POST", "/v1/payments", {"idempotencyKey": "cashier-0123456789abcdef", "amount": 999, "currency": "EUR", "gateway": "SANDBOX"},
     (200, 201, 202))
until(unknown, {"PAID"})

# A gateway that falls over opens its breaker; Stripe takes what it could not.
for turn in range(12):
    fan = wait_for("sale", join("sale", f"breaker-{turn}"), "ADMITTED")
    falls = order("sale", fan, hold("sale", fan, [f"B-{turn + 2}" if turn < 8 else f"A-{turn + 2}"]))
    pay(falls, "error-before*", wants=(200, 202, 402, 409, 502, 503))
time.sleep(1.5)
for turn in range(4):
    call("POST", "/v1/payments", {"idempotencyKey": f"trial-{turn}-0123456789abcdef", "amount": 100, "currency": "EUR",
                                  "gateway": "SANDBOX"}, (200, 201, 202, 402, 502, 503))

# ---- a show without a plan: money before its order, late money, a refund that is due

call("PUT", "/v1/shows/plain", {"title": "Plain", "currency": "EUR", "holds": {"paymentWindow": "5s", "ttl": "30s"}})
room("plain", "", quick(), "PATCH")
room("plain", "open")
one, two = (wait_for("plain", join("plain", f"plain-{i}"), "ADMITTED") for i in range(2))
early = order("plain", one, "seller-1", amount=1000)
call("POST", f"/v1/orders/{early}/confirm", {"gateway": "EXTERNAL", "paymentId": "early"})

# ---- absence, re-entry, standby, sold out

call("PUT", "/v1/shows/absent", {"title": "Absent", "currency": "EUR", "plan": a_plan([("A", 2)])})
room("absent", "", {**quick(admitPerSecond=1000), "maxActive": 0, "absentAfter": "1s", "claimTtl": "4s", "admissionTtl": "3s",
                    "reentryGrace": "1m"}, "PATCH")
room("absent", "open")
gone, returns, stays = (join("absent", f"absent-{i}") for i in range(3))
time.sleep(1.6)
for _ in range(4):
    status("absent", stays)
    time.sleep(0.1)
room("absent", "", {"maxActive": 1}, "PATCH")
wait_for("absent", stays, "ADMITTED")
status("absent", returns)
wait_for("absent", stays, "EXPIRED")
wait_for("absent", returns, "ADMITTED")
join("absent", "absent-2")  # re-enters
wait_for("absent", returns, "EXPIRED")
again = wait_for("absent", stays, "ADMITTED")
hold("absent", again, ["A-1", "A-2"])
time.sleep(0.5)
room("absent", "close")
room("absent", "standby")
join("absent", "absent-9")
room("absent", "open")
room("absent", "close")

# ---- everything settles, and the server stops and starts once

time.sleep(30)
server.send_signal(signal.SIGTERM)
assert server.wait(timeout=30) == 0
server, at = serve()
call("GET", "/v1/shows")
server.send_signal(signal.SIGTERM)
assert server.wait(timeout=30) == 0
gateway.send_signal(signal.SIGTERM)
gateway.wait(timeout=10)

seen = {}
for line in subprocess.run([usher, "audit", "export", "--data", directory], capture_output=True, text=True,
                           check=True).stdout.splitlines():
    kind = json.loads(line)["type"].removeprefix("usher.")
    seen[kind] = seen.get(kind, 0) + 1
print(json.dumps(seen, indent=1))
