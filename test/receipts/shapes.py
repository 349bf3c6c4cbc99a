"""The form of receipt files and of claims, and strict decoding (docs/RECEIPTS.md)."""

import base64
import binascii
import datetime
import json
import re

MAX = 2**53 - 1
NAME, LOG, TX = r"[!-~]{1,200}", r"tidenet-log-[0-9a-f]{8}", r"[0-9A-F]{64}"
WHOLE = r"0|[1-9][0-9]{0,15}"


# One form of everything


def from_base64(text):
    try:
        value = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
    return value if base64.b64encode(value).decode() == text else None


def from_base64url(text):
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        return None
    return from_base64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))


def to_base64url(value):
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def parse_json(text):
    """The value and None, or None and a reason."""
    problems = set()

    def pairs(items):
        if len(dict(items)) < len(items):
            problems.add("duplicate_key")
        return dict(items)

    def whole(digits):
        if re.fullmatch(WHOLE, digits):
            return int(digits)
        problems.add("number")
        return 0

    def no_number(_):
        raise ValueError

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_int=whole, parse_float=whole, parse_constant=no_number)
        if depth(value) > 16:
            return None, "json"
    except (ValueError, RecursionError):
        return None, "json"
    for reason in ("duplicate_key", "number"):
        if reason in problems:
            return None, reason
    return value, None


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


# Shapes


def is_count(value, most=MAX):
    return type(value) is int and 0 <= value <= most


def is_hour(value):
    return is_count(value) and value % 3600 == 0


def is_text(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_bytes(decode, length):
    def check(value):
        decoded = decode(value) if isinstance(value, str) else None
        return decoded is not None and len(decoded) == length

    return check


def one_of(*values):
    return lambda value: isinstance(value, str) and value in values


def has(value, shape, optional=()):
    """Whether it is an object with exactly these keys; those in `optional` can be absent."""
    return (
        isinstance(value, dict)
        and all(key in shape for key in value)
        and all(check(value[key]) if key in value else key in optional for key, check in shape.items())
    )


is_name, is_key, is_tx = is_text(NAME), is_bytes(from_base64url, 32), is_text(TX)
is_signature = is_bytes(from_base64url, 64)


def is_proof(value):
    hashes = is_bytes(from_base64, 32)
    shape = {
        "index": is_count,
        "size": is_count,
        "hashes": lambda list_: isinstance(list_, list) and len(list_) <= 64 and all(map(hashes, list_)),
    }
    return has(value, shape)


def is_anchor(value):
    shape = {
        "chain": is_text(r"[!-~]{1,100}"),
        "height": is_count,
        "account": is_count,
        "hash": is_tx,
        "tx": lambda text: isinstance(text, str) and from_base64(text) is not None,
    }
    return value is None or has(value, shape)


FILE = {
    "tidenet": one_of("receipt"),
    "version": lambda value: type(value) is int and value == 1,
    "receipt": is_text(r"[ -~]*"),
    "proof": is_proof,
    "checkpoint": lambda value: isinstance(value, str),
    "key": is_key,
    "anchor": is_anchor,
}


def counts(*names):
    return {name: is_count for name in names}


def names(*all_):
    return {name: is_name for name in all_}


HOUR = {"hour": is_hour, **counts("version", "receipt", "traffic", "storage")}
KINDS = {
    "upload": {**names("sub", "cid", "node"), "type": one_of("file", "folder"), **counts("size")},
    "download": {
        **names("sub", "node", "trace", "cid"),
        **{"reader_key": is_key, "node_key": is_key, "reader_signature": is_signature, "node_signature": is_signature},
        **counts("received", "sent", "signed"),
    },
    "node_hour": {
        **names("sub", "node"),
        "hour": is_hour,
        "trusted": lambda value: isinstance(value, bool),
        **counts("passed", "failed", "audited", "held", "crowd", "signed"),
        "online": lambda value: is_count(value, 3600),
        "paid_share": lambda value: is_count(value, 1_000_000),
    },
    "order": {
        **names("sub", "order", "wallet"),
        "purpose": one_of("create", "extend", "update", "renew"),
        **counts("amount", "hours"),
        "tx": is_tx,
    },
    "refund": {
        **names("sub", "order", "wallet"),
        "units": is_text("0|[1-9][0-9]{0,38}"),
        "decimals": lambda value: is_count(value, 38),
        "tx": is_tx,
    },
    "outage": {
        **names("sub", "order", "wallet"),
        "cause": one_of("cluster", "lost"),
        **counts("from", "to", "probes"),
        "units": is_text("0|[1-9][0-9]{0,38}"),
        "decimals": lambda value: is_count(value, 38),
    },
    "claim": {**names("sub", "wallet"), "purpose": one_of("faucet", "redemption"), **counts("amount"), "tx": is_tx},
    "earnings": {
        **names("sub", "node"),
        "day": is_text(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}"),
        **counts("traffic", "storage"),
        "hours": lambda value: isinstance(value, list) and len(value) <= 24 and all(has(hour, HOUR) for hour in value),
    },
}
OPTIONAL = {"upload": ["node"], "download": ["sub"], "node_hour": ["sub"], "refund": ["tx"]}


def are_claims(value):
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        return False
    shape = {"iss": is_text(LOG), "kind": one_of(kind), **counts("id", "index", "iat"), **KINDS[kind]}
    if not has(value, shape, OPTIONAL.get(kind, ())):
        return False
    if kind == "download":
        return value["signed"] <= min(value["received"], value["sent"])
    if kind == "outage":
        return value["from"] <= value["to"]
    return kind != "earnings" or is_sum(value)


def is_sum(claims):
    try:
        day = datetime.date.fromisoformat(claims["day"])
    except ValueError:
        return False
    begin = int(datetime.datetime.combine(day, datetime.time(), datetime.timezone.utc).timestamp())
    hours = [hour["hour"] for hour in claims["hours"]]
    return (
        all(begin <= hour < begin + 86_400 for hour in hours)
        and all(earlier < later for earlier, later in zip(hours, hours[1:]))
        and all(claims[cause] == sum(hour[cause] for hour in claims["hours"]) for cause in ("traffic", "storage"))
    )
