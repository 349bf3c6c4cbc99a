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



# RIPEMD-160, which not every build of OpenSSL has

R = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8],
    [3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12],
    [1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2],
    [4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13],
]
R_RIGHT = [
    [5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12],
    [6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2],
    [15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13],
    [8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14],
    [12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11],
]
S = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12],
    [11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5],
    [11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12],
    [9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6],
]
S_RIGHT = [
    [8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6],
    [9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11],
    [9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5],
    [15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8],
    [8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11],
]
K = [0, 0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xA953FD4E]
K_RIGHT = [0x50A28BE6, 0x5C4DD124, 0x6D703EF3, 0x7A6D76E9, 0]
F = [
    lambda x, y, z: x ^ y ^ z,
    lambda x, y, z: (x & y) | (~x & z),
    lambda x, y, z: (x | ~y) ^ z,
    lambda x, y, z: (x & z) | (y & ~z),
    lambda x, y, z: x ^ (y | ~z),
]


def ripemd160(message):
    def rotated(value, by):
        value &= 0xFFFFFFFF
        return (value << by | value >> 32 - by) & 0xFFFFFFFF

    def line(state, words, order, shifts, constants, functions):
        a, b, c, d, e = state
        for turn in range(5):
            for word, shift in zip(order[turn], shifts[turn]):
                value = rotated(a + functions[turn](b, c, d) + words[word] + constants[turn], shift) + e
                a, b, c, d, e = e, value & 0xFFFFFFFF, b, rotated(c, 10), d
        return a, b, c, d, e

    padded = message + b"\x80" + bytes(-(len(message) + 9) % 64) + (8 * len(message)).to_bytes(8, "little")
    state = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)
    for at in range(0, len(padded), 64):
        words = [int.from_bytes(padded[at + 4 * i : at + 4 * i + 4], "little") for i in range(16)]
        left = line(state, words, R, S, K, F)
        right = line(state, words, R_RIGHT, S_RIGHT, K_RIGHT, F[::-1])
        state = tuple(
            (state[(i + 1) % 5] + left[(i + 2) % 5] + right[(i + 3) % 5]) & 0xFFFFFFFF for i in range(5)
        )
    return b"".join(value.to_bytes(4, "little") for value in state)


# Addresses (BIP 173)


def bech32(prefix, data):
    """The address of 20 bytes."""
    letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    bits = int.from_bytes(data, "big")
    values = [bits >> shift & 31 for shift in range(8 * len(data) - 5, -1, -5)]
    check = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + values + [0] * 6:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= generator if top >> i & 1 else 0
    check ^= 1
    return prefix + "1" + "".join(letters[v] for v in values + [check >> 5 * (5 - i) & 31 for i in range(6)])


def is_address_of(address, key):
    prefix = address.rpartition("1")[0]
    return address == bech32(prefix, ripemd160(hashlib.sha256(key).digest()))
