"""A second implementation of the check of receipts, written from docs/RECEIPTS.md. Python 3.11, without packages.

verify.py KEY [--operator CHAIN:ADDRESS] FILE...    prints the result of each file; KEY can be empty
verify.py < FILES    the same for lines of JSON with "file" (base64), "keys" and "anchors"; one line of JSON per file

No chain is asked.
"""

import base64
import hashlib
import json
import re
import sys

from shapes import FILE, LOG, MAX, WHOLE, are_claims, from_base64, from_base64url, has, parse_json, to_base64url
from signatures import is_address_of, is_signed, is_signed_by_secp256k1


# The log


def sha256(value):
    return hashlib.sha256(value).digest()


def root_of(leaf, index, size, hashes):
    """RFC 9162, 2.1.3.2; None if the number of hashes does not fit."""
    if index >= size:
        return None
    at, last, root = index, size - 1, leaf
    for each in hashes:
        if last == 0:
            return None
        if at & 1 or at == last:
            root = sha256(b"\x01" + each + root)
            while not at & 1 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            root = sha256(b"\x01" + root + each)
        at, last = at >> 1, last >> 1
    return root if last == 0 else None


def parse_note(note):
    """The text with its checkpoint, and the signatures; None if it is not a note with a checkpoint."""
    end = note.rfind("\n\n")
    if end < 0 or not note.endswith("\n") or re.search(r"[\x00-\x09\x0b-\x1f]", note):
        return None
    text, lines = note[: end + 1], note[end + 2 : -1].split("\n")
    signatures = []
    for line in lines:
        match = re.fullmatch(r"— ([!-*,-~]+) ([A-Za-z0-9+/]+={0,2})", line)
        value = from_base64(match[2]) if match else None
        if value is None or len(value) < 5:
            return None
        signatures.append((match[1], value[:4], value[4:]))
    match = re.fullmatch(rf"({LOG})\n({WHOLE})\n([^\n]+)\n", text)
    root = from_base64(match[3]) if match else None
    if root is None or len(root) != 32 or int(match[2]) > MAX or len(lines) > 16:
        return None
    return {"text": text, "signatures": signatures, "origin": match[1], "size": int(match[2]), "root": root, "hash": match[3]}


# The anchor


def read_fields(message):
    """The values of each field of a protobuf message; None if it is not one."""
    fields, at = {}, 0

    def varint():
        nonlocal at
        value = 0
        for shift in range(0, 70, 7):
            if at == len(message):
                return None
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return None if (byte == 0 and shift > 0) or value >= 2**64 else value
        return None

    while at < len(message):
        tag = varint()
        value = None if tag is None else varint()
        if value is None or tag & 7 not in (0, 2):
            return None
        if tag & 7 == 2:
            if value > len(message) - at:
                return None
            value, at = message[at : at + value], at + value
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def only(message, field):
    values = (read_fields(message) or {}).get(field, []) if message is not None else []
    return values[0] if len(values) == 1 and isinstance(values[0], bytes) else None


def read_transaction(tx):
    body, auth, signature = only(tx, 1), only(tx, 2), only(tx, 3)
    if None in (body, auth, signature) or len(read_fields(tx)) != 3:
        return None
    public_key = only(only(auth, 1), 1)
    key = only(only(public_key, 2), 1)
    if only(public_key, 1) != b"/cosmos.crypto.secp256k1.PubKey" or key is None or len(key) != 33:
        return None
    try:
        return body, auth, signature, key, (only(body, 2) or b"").decode()
    except UnicodeDecodeError:
        return None


def write_varint(value):
    written = b""
    while value >= 0x80:
        written, value = written + bytes([value & 0x7F | 0x80]), value >> 7
    return written + bytes([value])


def write_bytes(field, value):
    return bytes([field << 3 | 2]) + write_varint(len(value)) + value


def anchor_problem(anchor, checkpoint, operators):
    tx = from_base64(anchor["tx"])
    parts = read_transaction(tx)
    if parts is None:
        return "transaction"
    if sha256(tx).hex().upper() != anchor["hash"]:
        return "hash"
    body, auth, signature, key, memo = parts
    expected = f"tidenet-log {checkpoint['origin']} {checkpoint['size']} {checkpoint['hash']}"
    if not memo.startswith(expected) or not re.fullmatch(r"(?: [0-9a-f]{16})?", memo[len(expected) :]):
        return "memo"
    document = write_bytes(1, body) + write_bytes(2, auth) + write_bytes(3, anchor["chain"].encode())
    if anchor["account"]:
        document += b"\x20" + write_varint(anchor["account"])
    if not is_signed_by_secp256k1(key, document, signature):
        return "signature"
    if not operators:
        return "no_operator"
    addresses = [each["address"] for each in operators if each["chain"] == anchor["chain"]]
    if not addresses:
        return "chain"
    return None if any(is_address_of(each, key) for each in addresses) else "operator"


# The check


def read_file(content):
    """The file and None, or None and a reason."""
    if len(content) > 65_536:
        return None, "size"
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None, "text"
    value, reason = parse_json(text)
    if reason:
        return None, reason
    if has(value, FILE):
        return value, None
    version = value.get("version") if isinstance(value, dict) and value.get("tidenet") == "receipt" else None
    return None, "version" if type(version) is int and version != 1 else "format"


def signature_problem(parts, file, key):
    if parts is None:
        return "jws"
    header = '{"alg":"EdDSA","typ":"tidenet-receipt","kid":"tr-%s"}' % file["key"][:8]
    if parts[0] != to_base64url(header.encode()):
        return "header"
    signed = is_signed(key, f"{parts[0]}.{parts[1]}".encode(), from_base64url(parts[2]))
    return None if signed else "signature"


def read_jws(text):
    parts = text.split(".")
    decoded = [from_base64url(part) for part in parts]
    return parts if len(parts) == 3 and None not in decoded and len(decoded[2]) == 64 else None


def read_claims(payload):
    try:
        claims, _ = parse_json(from_base64url(payload).decode())
    except UnicodeDecodeError:
        return None
    return claims if are_claims(claims) else None


def check_download(claims):
    node, key = claims["node"], from_base64url(claims["node_key"])
    digest = sha256(key).hex()[:32]
    derived = "-".join([digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:]])
    text = "tidenet-%s-v1\n" + "\n".join([claims["trace"], node, claims["cid"], "%d"])
    received, sent = (text % ("received", claims["received"])).encode(), (text % ("sent", claims["sent"])).encode()
    by_reader = is_signed(from_base64url(claims["reader_key"]), received, from_base64url(claims["reader_signature"]))
    by_node = is_signed(key, sent, from_base64url(claims["node_signature"]))
    is_its_key = node in (f"e_{derived}", f"c_{derived}")
    return [
        ("reader", "failed" if not by_reader else "passed", "signature"),
        ("node", "passed" if by_node and is_its_key else "failed", "signature" if is_its_key else "node_id"),
    ]


def checkpoint_problem(checkpoint, claims, key):
    if checkpoint is None:
        return "note"
    origin = checkpoint["origin"]
    if claims is not None and claims["iss"] != origin:
        return "origin"
    key_id = sha256(origin.encode() + b"\n\x01" + key)[:4]
    ours = [signature for name, id_, signature in checkpoint["signatures"] if (name, id_) == (origin, key_id)]
    if not ours:
        return "unsigned"
    return None if all(is_signed(key, checkpoint["text"].encode(), one) for one in ours) else "signature"


def inclusion_problem(file, checkpoint):
    proof = file["proof"]
    if proof["size"] != checkpoint["size"]:
        return "size"
    leaf = sha256(b"\x00" + file["receipt"].encode())
    root = root_of(leaf, proof["index"], proof["size"], [from_base64(each) for each in proof["hashes"]])
    if root is None:
        return "proof"
    return None if root == checkpoint["root"] else "root"


def network_problem(key, claims, keys):
    own = [each for each in keys if each["key"] == key]
    if not own:
        return "foreign"
    valid = any(claims is None or each.get("from", 0) <= claims["iat"] <= each.get("until", MAX) for each in own)
    return None if valid else "validity"


def verify(content, keys, operators=()):
    """`keys`: objects with `key` and perhaps `from` and `until`. `operators`: objects with `chain` and `address`."""
    file, reason = read_file(content)
    if reason:
        return {"result": "invalid", "checks": [{"name": "file", "state": "failed", "reason": reason}], "proven": []}
    checks = []

    def add(name, state, reason=None):
        checks.append({"name": name, "state": state, **({} if state == "passed" else {"reason": reason})})

    def result(name, problem):
        add(name, "failed" if problem else "passed", problem)

    key = from_base64url(file["key"])
    parts = read_jws(file["receipt"])
    claims = read_claims(parts[1]) if parts else None
    checkpoint = parse_note(file["checkpoint"])
    add("file", "passed")
    if keys:
        result("network", network_problem(file["key"], claims, keys))
    else:
        add("network", "not_asked", "no_key")
    result("signature", signature_problem(parts, file, key))
    if parts is None:
        add("claims", "not_asked", "no_receipt")
    else:
        result("claims", None if claims else "claims")
    if claims is None:
        add("index", "not_asked", "no_claims")
    else:
        result("index", None if claims["index"] == file["proof"]["index"] else "index")
        if claims["kind"] == "download":
            for check in check_download(claims):
                add(*check)
    result("checkpoint", checkpoint_problem(checkpoint, claims, key))
    if checkpoint is None:
        add("inclusion", "not_asked", "no_checkpoint")
    else:
        result("inclusion", inclusion_problem(file, checkpoint))
    anchor = file["anchor"]
    if anchor is None:
        add("anchor", "not_asked", "no_anchor")
    elif checkpoint is None:
        add("anchor", "not_asked", "no_checkpoint")
    else:
        problem = anchor_problem(anchor, checkpoint, operators)
        add("anchor", {None: "passed", "no_operator": "not_asked"}.get(problem, "failed"), problem)
    if anchor is not None:
        add("block", "not_asked", "not_asked")
    states = {check["state"] for check in checks}
    is_known = {"name": "network", "state": "passed"} in checks
    outcome = "invalid" if "failed" in states else "valid" if is_known else "unknown_network"
    is_anchored = {"name": "anchor", "state": "passed"} in checks
    proven = ["signed", "logged"] + (["anchored"] if is_anchored else []) if outcome == "valid" else []
    return {"result": outcome, "checks": checks, "proven": proven}


def main(arguments):
    if not arguments:
        for line in sys.stdin:
            asked = json.loads(line)
            print(json.dumps(verify(base64.b64decode(asked["file"]), asked["keys"], asked["anchors"])))
        return 0
    key, *paths = arguments
    operators = []
    if paths[:1] == ["--operator"]:
        chain, _, address = paths[1].rpartition(":")
        operators, paths = [{"chain": chain, "address": address}], paths[2:]
    keys = [{"key": key}] if key else []
    results = []
    for path in paths:
        with open(path, "rb") as file:
            results.append(verify(file.read(65_537), keys, operators))
        print(path, json.dumps(results[-1]))
    return 0 if all(each["result"] == "valid" for each in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
