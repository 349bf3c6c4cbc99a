// MurmurHash3 x64 128 with seed 0; UnixFS uses the first half. BigInt is fast enough for short names.
const MASK = (1n << 64n) - 1n
const C1 = 0x87c37b91114253d5n
const C2 = 0x4cf5ad432745937fn

/** The first 64 bits of murmur3-x64-128, big-endian. */
export function murmur3x64(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length - (bytes.length % 16)
  let h1 = 0n
  let h2 = 0n
  for (let at = 0; at < whole; at += 16) {
    h1 ^= mixFirst(view.getBigUint64(at, true))
    h1 = (((rotate(h1, 27n) + h2) & MASK) * 5n + 0x52dce729n) & MASK
    h2 ^= mixSecond(view.getBigUint64(at + 8, true))
    h2 = (((rotate(h2, 31n) + h1) & MASK) * 5n + 0x38495ab5n) & MASK
  }
  const tail = new DataView(new ArrayBuffer(16))
  for (let i = whole; i < bytes.length; i++) tail.setUint8(i - whole, bytes[i]!)
  h2 ^= mixSecond(tail.getBigUint64(8, true))
  h1 ^= mixFirst(tail.getBigUint64(0, true))

  const length = BigInt(bytes.length)
  h1 = ((h1 ^ length) + (h2 ^ length)) & MASK
  h2 = ((h2 ^ length) + h1) & MASK
  const digest = new Uint8Array(8)
  new DataView(digest.buffer).setBigUint64(0, (finish(h1) + finish(h2)) & MASK)
  return digest
}

const mixFirst = (k: bigint) => (rotate((k * C1) & MASK, 31n) * C2) & MASK
const mixSecond = (k: bigint) => (rotate((k * C2) & MASK, 33n) * C1) & MASK

function rotate(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK
}

function finish(value: bigint): bigint {
  let k = value
  k = ((k ^ (k >> 33n)) * 0xff51afd7ed558ccdn) & MASK
  k = ((k ^ (k >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK
  return k ^ (k >> 33n)
}
