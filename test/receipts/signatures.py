"""Signatures in plain Python, for tests: slow, not constant in time. Ed25519 (RFC 8032) and ECDSA with secp256k1 (SEC 1)."""

import hashlib
from functools import lru_cache

# Ed25519: -x² + y² = 1 + dx²y² modulo P
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
SMALL_ORDER = {
    bytes.fromhex(text)
    for text in (
        "00" * 32,
        "01" + "00" * 31,
        "ec" + "ff" * 30 + "7f",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    )
}


def _add(a, b):
    """Extended coordinates (RFC 8032, 5.1.4)."""
    x = (a[1] - a[0]) * (b[1] - b[0]) % P
    y = (a[1] + a[0]) * (b[1] + b[0]) % P
    t = 2 * a[3] * b[3] * D % P
    z = 2 * a[2] * b[2] % P
    e, f, g, h = y - x, z - t, z + t, y + x
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _double(a):
    x, y, z = a[0] * a[0] % P, a[1] * a[1] % P, 2 * a[2] * a[2] % P
    h = x + y
    e = h - (a[0] + a[1]) * (a[0] + a[1])
    g = x - y
    f = z + g
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _point(text):
    """The point of a canonical encoding, or None."""
    y = int.from_bytes(text, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else (0, y, 1, 0)
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square:
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = _point(bytes.fromhex("58" + "66" * 31))


def _encode(a):
    inverse = pow(a[2], P - 2, P)
    x, y = a[0] * inverse % P, a[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


@lru_cache(maxsize=None)
def is_signed(key, message, signature):
    masked = key[:31] + bytes([key[31] & 0x7F]) if len(key) == 32 else b""
    if len(key) != 32 or len(signature) != 64 or masked in SMALL_ORDER:
        return False
    point, s = _point(key), int.from_bytes(signature[32:], "little")
    if point is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    h = int.from_bytes(digest, "little") % ORDER
    negative = (P - point[0], point[1], 1, P - point[3])
    both = _add(BASE, negative)
    result = (0, 1, 1, 0)
    # SB - hA, both at once.
    for bit in range(252, -1, -1):
        result = _double(result)
        choice = (s >> bit & 1) + 2 * (h >> bit & 1)
        if choice:
            result = _add(result, (None, BASE, negative, both)[choice])
    return _encode(result) == signature[:32]


# secp256k1: y² = x³ + 7 modulo Q
Q = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def _sum(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % Q == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, Q) % Q
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, Q) % Q
    x = (slope * slope - a[0] - b[0]) % Q
    return (x, (slope * (a[0] - x) - a[1]) % Q)


def _times(n, point):
    result = None
    while n:
        if n & 1:
            result = _sum(result, point)
        point, n = _sum(point, point), n >> 1
    return result


@lru_cache(maxsize=None)
def is_signed_by_secp256k1(key, message, signature):
    x, r, s = int.from_bytes(key[1:], "big"), int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if key[0] not in (2, 3) or x >= Q or len(signature) != 64 or not 0 < r < N or not 0 < s <= N // 2:
        return False
    square = (x**3 + 7) % Q
    y = pow(square, (Q + 1) // 4, Q)
    if y * y % Q != square:
        return False
    if y & 1 != key[0] & 1:
        y = Q - y
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, N)
    point = _sum(_times(digest * inverse % N, G), _times(r * inverse % N, (x, y)))
    return point is not None and point[0] % N == r
