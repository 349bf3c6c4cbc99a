/** Unsigned LEB128, as protobuf and CAR write it. Numbers up to 2^53 - 1. */
export function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++
  return size
}

/** Writes `value` at `at`; returns the offset after it. */
export function writeVarint(target: Uint8Array, at: number, value: number): number {
  let rest = value
  let offset = at
  while (rest >= 128) {
    target[offset++] = (rest % 128) | 128
    rest = Math.floor(rest / 128)
  }
  target[offset++] = rest
  return offset
}

/** Reads a varint at `at`; undefined if it is truncated or larger than 2^53 - 1. */
export function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } | undefined {
  let value = 0
  let scale = 1
  for (let offset = at; offset < bytes.length && offset < at + 8; offset++) {
    const byte = bytes[offset]!
    value += (byte & 127) * scale
    if (byte < 128) return value <= Number.MAX_SAFE_INTEGER ? { value, next: offset + 1 } : undefined
    scale *= 128
  }
  return undefined
}
