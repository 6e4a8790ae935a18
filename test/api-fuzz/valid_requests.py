"""Hooks of schemathesis: what no schema can say of requests that are meant to be valid.

Addresses have checksums, and most of those asked for are of jettons and pools that the service knows; cursors are what
was given out; ranges are in order; figures of a market are asked for pools of the jetton. Requests that are meant to be
invalid are left as they are.
"""

import base64
import json
import os
import random
import re
import urllib.request

import schemathesis
from hypothesis import strategies
from schemathesis.generation import GenerationMode

URL = os.environ["API_URL"]
KEY = os.environ["API_KEY"]
BOUNCEABLE, NOT_BOUNCEABLE = 0x11, 0x51
# Instants that go with others, or with a grain, to a range that must be in order and not too long.
LEFT_OUT = ("cursor", "from", "timeFrom")
ARRAYS = ("address", "admin", "verification")
NO_DAY = re.compile("-(02-(29|3.)|(04|06|09|11)-31)T")


def ask(path):
    request = urllib.request.Request(URL + path, headers={"X-API-Key": KEY})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def crc16(data):
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021) & 0xFFFF if crc & 0x8000 else (crc << 1) & 0xFFFF
    return crc


def friendly(raw, tag, is_url_safe):
    chain, account = raw.split(":")
    body = bytes([tag, int(chain) & 0xFF]) + bytes.fromhex(account)
    body += crc16(body).to_bytes(2, "big")
    return (base64.urlsafe_b64encode(body) if is_url_safe else base64.b64encode(body)).decode()


def known():
    listed = ask("/v1/jettons?limit=50&sort=volume24h&order=desc")["jettons"]
    jettons = [jetton["metadata"]["address"] for jetton in listed]
    markets = []
    for jetton in jettons[:8]:
        answer = ask(f"/v1/jettons/{jetton}/markets?limit=5")
        markets += [(jetton, market["poolAddress"]) for market in answer["markets"]]
    if not markets:
        raise SystemExit(f"{URL} knows no market yet: ask again when it has read its feed")
    return jettons, markets


JETTONS, MARKETS = known()
print(f"{len(JETTONS)} jettons and {len(MARKETS)} markets to ask for")

def raw_of(chain, account):
    return f"{chain}:{account.hex()}"


def upper(one):
    chain, account = one.split(":")
    return f"{chain}:{account.upper()}"


# No lambdas: to describe one, the tester parses its source, which Python 3.11 cannot do deep in a stack.
of_nobody = strategies.builds(
    raw_of,
    strategies.sampled_from([0, -1]),
    strategies.binary(min_size=32, max_size=32),
)
raw = strategies.one_of(
    strategies.sampled_from(JETTONS), strategies.sampled_from([pool for _, pool in MARKETS]), of_nobody
)
schemathesis.openapi.format(
    "address",
    strategies.one_of(
        raw,
        raw.map(upper),
        strategies.builds(
            friendly, raw, strategies.sampled_from([BOUNCEABLE, NOT_BOUNCEABLE]), strategies.booleans()
        ),
    ),
)


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def order_body(value):
    """The two ends of a range become equal where they might be in the wrong order."""
    if not isinstance(value, dict):
        return
    low, high = value.get("min"), value.get("max")
    if isinstance(low, dict) and isinstance(high, dict):
        value["max"] = dict(low)
    elif number(low) is not None and number(high) is not None:
        value["max"] = low
    for inner in value.values():
        order_body(inner)


def order_query(query):
    for name in LEFT_OUT:
        query.pop(name, None)
    for name in list(query):
        if isinstance(query[name], str) and NO_DAY.search(query[name]):
            query.pop(name)
        elif name.endswith(".decimals") and name.removesuffix("decimals") + "value" not in query:
            query.pop(name)
        elif ".max" in name and name.replace(".max", ".min") in query:
            query[name] = query[name.replace(".max", ".min")]
    for name in list(query):
        low = name.replace(".max", ".min")
        if not name.endswith(".max.value") or low not in query:
            continue
        decimals = [one.removesuffix("value") + "decimals" for one in (name, low)]
        if sum(one in query for one in decimals) == 1:
            for one in decimals:
                query.pop(one, None)


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    if case.meta is None:
        return
    if case.meta.generation.mode != GenerationMode.POSITIVE:
        # An array of one empty text is sent as an empty filter is, which is the same as none.
        for name in ARRAYS:
            if isinstance(case.query, dict) and case.query.get(name) in ("", [""]):
                case.query[name] = ["-"]
        return
    if isinstance(case.query, dict):
        order_query(case.query)
    if isinstance(case.body, dict):
        case.body.pop("cursor", None)
        order_body(case.body)
    if case.path_parameters and "poolAddress" in case.path_parameters and random.random() < 0.5:
        jetton, pool = random.choice(MARKETS)
        case.path_parameters.update(address=jetton, poolAddress=pool)
